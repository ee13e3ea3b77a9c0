"""Stateful fuzzing: nobody can act for another person.

Whatever people and impostors do with messages, old links, one-time codes and replayed passkey
answers, every cookie acts for the person it belongs to and for nobody else.
"""

import asyncio
import itertools
from typing import Any

import httpx
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from souk.server.accounts.sessions import MAX_SESSIONS
from souk.server.common.tokens import digest
from tests.server.accounts.test_accounts import Device, change, devices
from tests.server.support.authenticator import Authenticator, changed
from tests.server.support.clients import Server

Code = dict[str, Any]
_REFUSED = (403, 404, 409)


class Model:
    """The expected state. Persons are numbers; `home` is the table that identifies each, "" if
    none.
    """

    def __init__(self, server: Server, people: list[Device]) -> None:
        self.server, self.devices = server, people
        self.numbers = itertools.count()
        self.home: dict[int, str] = {}
        self.first: dict[str, int] = {}  # by cookie: its original person
        self.leads: dict[str, int | None] = {}  # by cookie: whom it acts for
        self.own: dict[str, int] = {}  # by cookie: whom it acts for after signing out
        self.codes: list[Code] = []
        self.challenges: list[Code] = []
        self.passkeys: list[tuple[Authenticator, int]] = []
        self.registrations: list[dict[str, str]] = []  # everything ever sent
        self.answers: list[dict[str, str]] = []

    async def begin(self) -> None:
        for device in self.devices:
            self.newcomer(device.cookie)
            self.home[self.first[device.cookie]] = (
                await device.new_table("suleika", "me", "here")
            )[0]

    def newcomer(self, cookie: str) -> None:
        self.first[cookie] = self.leads[cookie] = person = next(self.numbers)
        self.home[person] = ""

    def is_full(self, person: int) -> bool:
        """Whether another session would revoke one; which one is tested elsewhere."""
        return list(self.leads.values()).count(person) >= MAX_SESSIONS - 1

    def moved_in(self, device: Device, before: str, person: int) -> None:
        """A device signed in with a new cookie; the old cookie keeps its meaning."""
        assert device.cookie != before
        own = self.own.get(before, self.leads.get(before))
        self.leads[device.cookie] = person
        has_passkey = any(whose == own for _, whose in self.passkeys)
        if own is not None and own != person and (self.home[own] or has_passkey):
            self.own[device.cookie] = own

    def sign_out(self, cookie: str) -> None:
        self.leads[cookie] = self.own.pop(cookie, None)

    async def check(self) -> None:
        """Check every cookie there ever was."""
        async with httpx.AsyncClient(base_url=f"http://{self.server.address}") as client:
            for cookie, person in self.leads.items():
                headers = {"cookie": f"souk={cookie}"}
                wanted = {self.home[person]} - {""} if person is not None else set()
                found = (await client.get("/api/tables", headers=headers)).json()["tables"]
                assert {each["table"] for each in found} == wanted
                for table in filter(None, self.home.values()):
                    path = f"/api/tables/{table}/hide"
                    acted = await client.post(path, json={"hidden": False}, headers=headers)
                    assert acted.status_code == (200 if table in wanted else 403)

    # ------------------------------------------------------------ actions

    async def link(self, device: Device, _pick: int) -> None:
        if (person := self.leads[device.cookie]) is None:
            return
        code = (await device.ok("devices/link"))["code"]
        for each in self.codes:
            each["works"] &= each["cookie"] != device.cookie
        self.codes.append({"code": code, "cookie": device.cookie, "person": person, "works": True})

    async def open(self, device: Device, pick: int) -> None:
        """Use any device code ever made: new, used, expired or one's own."""
        if not self.codes:
            return
        code, before = self.codes[pick % len(self.codes)], device.cookie
        if self.is_full(code["person"]):
            return
        answer = await device.post("devices/sign-in", code=code["code"])
        if code["works"] and code["person"] != self.leads[before]:
            assert answer.status_code == 200, answer.text
            code["works"] = False
            self.moved_in(device, before, code["person"])
        else:
            assert answer.status_code in _REFUSED, answer.text

    async def register(self, device: Device, _pick: int) -> None:
        if (person := self.leads[device.cookie]) is None or len(self.passkeys) > 6:
            return
        made = Authenticator(device.origin)
        said = made.make(await device.ok("passkeys/creation-options"))
        await device.ok("passkeys/add", **said)
        self.passkeys.append((made, person))
        self.registrations.append(said)

    async def register_again(self, device: Device, pick: int) -> None:
        """Replay a registration sent before, by anybody."""
        if self.registrations:
            again = await device.post(
                "passkeys/add", **self.registrations[pick % len(self.registrations)]
            )
            assert again.status_code in _REFUSED, again.text

    async def ask(self, device: Device, _pick: int) -> None:
        asked = await device.ok("passkeys/request-options")
        for each in self.challenges:
            each["works"] &= each["cookie"] != device.cookie
        self.challenges.append({"asked": asked, "cookie": device.cookie, "works": True})

    async def answer(self, device: Device, pick: int) -> None:
        """Answer any challenge ever made, with anybody's passkey."""
        if not self.challenges or not self.passkeys:
            return
        passkey, person = self.passkeys[pick % len(self.passkeys)]
        challenge, before = self.challenges[-1 - pick // 7 % len(self.challenges)], device.cookie
        if self.is_full(person):
            return
        said = passkey.answer(challenge["asked"])
        self.answers.append(said)
        answer = await device.post("passkeys/sign-in", **said)
        if challenge["works"] and challenge["cookie"] == before and person >= 0:
            assert answer.status_code == 200, answer.text
            challenge["works"] = False
            if person != self.leads[before]:
                self.moved_in(device, before, person)
        else:
            assert answer.status_code in _REFUSED, answer.text

    async def replay(self, device: Device, pick: int) -> None:
        """Replay a passkey answer sent before, by anybody."""
        if self.answers:
            again = await device.post("passkeys/sign-in", **self.answers[pick % len(self.answers)])
            assert again.status_code in _REFUSED, again.text

    async def forge(self, device: Device, pick: int) -> None:
        """Answer a fresh challenge with one thing wrong."""
        if not self.passkeys:
            return
        passkey, _ = self.passkeys[pick % len(self.passkeys)]
        await self.ask(device, pick)
        asked, (stranger, *_) = self.challenges[-1]["asked"], [Authenticator(device.origin)]
        stranger.id, stranger.handle, stranger.counter = passkey.id, passkey.handle, passkey.counter
        wrong = [
            passkey.answer(asked, origin="https://souk.example.org"),
            passkey.answer(
                asked, origin=device.origin.replace("localhost", "localhost.example.org")
            ),
            passkey.answer(asked, rp="example.org"),
            changed(passkey.answer(asked), "signature"),
            changed(passkey.answer(asked), "data"),
            changed(passkey.answer(asked), "handle"),
            stranger.answer(asked),
            passkey.answer(asked) | {"id": "AAAA"},
        ]
        answer = await device.post("passkeys/sign-in", **wrong[pick % len(wrong)])
        assert answer.status_code in _REFUSED, answer.text

    async def sign_out_here(self, device: Device, _pick: int) -> None:
        cookie = device.cookie
        if self.leads[cookie] is None:
            return
        await device.ok("devices/sign-out", scope="here")
        self.sign_out(cookie)
        if self.leads[cookie] is None:
            assert "souk" not in device.http.cookies
            await device.lobby()
            self.newcomer(device.cookie)

    async def sign_out_elsewhere(self, device: Device, _pick: int) -> None:
        if (person := self.leads[device.cookie]) is None:
            return
        await device.ok("devices/sign-out", scope="others")
        for cookie, whose in list(self.leads.items()):
            if whose == person and cookie != device.cookie:
                self.sign_out(cookie)

    async def expire(self, device: Device, _pick: int) -> None:
        change(self.server, "UPDATE codes SET until = 0 WHERE cookie = ?", digest(device.cookie))
        for each in (*self.codes, *self.challenges):
            each["works"] &= each["cookie"] != device.cookie

    async def forget(self, device: Device, pick: int) -> None:
        if (person := self.leads[device.cookie]) is None or pick % 3:
            return
        await device.ok("forget")
        self.home[person] = ""
        self.passkeys = [(each, -1 if whose == person else whose) for each, whose in self.passkeys]
        self.own = {cookie: whose for cookie, whose in self.own.items() if whose != person}
        for cookie, whose in list(self.leads.items()):
            if whose == person and cookie in self.own:
                self.sign_out(cookie)
            elif whose == person or self.first.get(cookie) == person:
                self.newcomer(cookie)
        for each in self.codes:
            each["works"] &= each["person"] != person
        if "souk" not in device.http.cookies:
            await device.lobby()
            self.newcomer(device.cookie)


ACTIONS = [
    *(
        Model.link,
        Model.open,
        Model.register,
        Model.register_again,
        Model.ask,
        Model.answer,
        Model.answer,
    ),
    *(
        Model.replay,
        Model.forge,
        Model.sign_out_here,
        Model.sign_out_elsewhere,
        Model.expire,
        Model.forget,
    ),
]
steps = st.tuples(st.sampled_from(ACTIONS), st.integers(0, 2), st.integers(0, 1000))


# No shrinking: it would take minutes, and the actions are printed anyway.
@settings(max_examples=10, deadline=None, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.lists(steps, min_size=20, max_size=40))
def test_nobody_acts_for_another(server: Server, doings: list[Any]) -> None:
    """Hypothesis prints the actions that break it."""

    async def run() -> None:
        async with devices(server, 3) as people:
            bazaar = Model(server, people)
            await bazaar.begin()
            for action, who, pick in doings:
                await action(bazaar, people[who], pick)
            await bazaar.check()

    asyncio.run(run())
