"""The most expensive input for every entry point of the server, and the cost of each.

`python -m tests.server.support.entry_points` measures all of them on a real server and writes
docs/host/entry-points.md; a test measures a few. A request or command without a row here fails
the build.
"""

import asyncio
import contextlib
import itertools
import json
import random
import sqlite3
import sys
import tempfile
import typing
from collections.abc import Awaitable, Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
import websockets

import souk
from souk.core.box_data import MAX_CHARACTERS
from souk.core.record import _with_checks
from souk.server.analysis.finished_games import MAX_FILE_BYTES
from souk.server.http.responses import LARGEST_BODY
from souk.server.open_store import FILE
from souk.server.protocol import account as account_protocol
from souk.server.protocol import analysis as analysis_protocol
from souk.server.protocol import events as event_protocol
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol import meeting as meeting_protocol
from souk.server.protocol import ratings as ratings_protocol
from souk.server.protocol import table as protocol
from souk.server.storage.encryption import read_key
from tests.server.support.clients import PATIENCE, Page, Person, Server
from tests.support.random_games import whole_random_game

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "host" / "entry-points.md"
# Seconds that one request may hold the event loop, and use of a core.
MOST_LOOP, MOST_CORE = 0.05, 0.2
# Events of a long record, and rounds in a row without a purchase.
_LONG, _QUIET = 4300, 40
# Chat lines at each table.
_CHAT_LINES = 30
# The server is idle if it used less processor time, in seconds, between two polls.
_IDLE = 0.003

NO_LIMITS = {"hint_rate": 10_000, "hint_burst": 100_000, "talk_rate": 10_000, "talk_burst": 100_000}
NO_LIMITS |= {
    "export_rate": 10_000,
    "export_burst": 100_000,
    "study_rate": 10_000,
    "study_burst": 100_000,
}
NO_LIMITS |= {"public_lobby": None, "message_rate": 10**6, "message_burst": 10**6}


class Cost(NamedTuple):
    loop: float
    core: float

    def worse(self, other: "Cost") -> "Cost":
        return Cost(max(self.loop, other.loop), max(self.core, other.core))


# ---------------------------------------------------------------- inputs

LETTERS = ("a", "\u0301", "a.", "\ufdfa", " ", "\0", "9", "\U0001f9ff", "-", "(a", "r1")
# Size limits of a data file, a chat line and a name.
BOUNDS = (MAX_CHARACTERS - 50, 200, 24)


def texts(size: int) -> Iterator[str]:
    """Long texts that are expensive to process: combining marks, dots, letters that expand."""
    for letter in LETTERS:
        count = size // max(len(json.dumps(letter, ensure_ascii=False).encode()) - 2, 1)
        yield letter * count
    # One line, like a name, and several, like a data file.
    for begin in ("", "about = 1\n"):
        yield f"{begin}a" + ".a" * (size // 2 - 10) + " = 1"
        yield f"{begin}a = " + "[" * (size - 20)
        yield f"{begin}a = " + "1" * (size - 20)
    # As many dots in a line as allowed.
    yield f"a{'.a' * 60} = 1\n" * (size // 128)


def values(kind: Any, size: int) -> Iterator[Any]:
    """Values of a type, as large or odd as a body of `size` bytes allows."""
    if typing.get_origin(kind) is list or kind is list:
        inner = (typing.get_args(kind) or (str,))[0]
        for value in list(values(inner, 20))[:3]:
            yield [value] * (size // (len(json.dumps(value, default=msgspec.to_builtins)) + 1))
    elif typing.get_origin(kind) is dict or kind is dict:
        yield {str(number): number for number in range(size // 12)}
        yield json.loads('{"a":' * 300 + "1" + "}" * 300)
        yield from ({name: text} for name in ("a", "board") for text in texts(size))
    elif kind is str:
        yield from texts(size)
    elif kind is int:
        yield from (0, -1, 10**9, 2**63 - 1, 10**4000)
    elif kind is float:
        yield from (0.0, -1.0, 1e308)
    elif kind is bool:
        yield from (True, False)
    elif isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        yield {
            name: next(values(hint, 20), None) for name, hint in typing.get_type_hints(kind).items()
        }
    else:
        for part in typing.get_args(kind):
            if part is not type(None):
                yield from (part,) if isinstance(part, str) else values(part, size)


def _has_texts(kind: Any) -> bool:
    return kind in (str, dict) or any(map(_has_texts, typing.get_args(kind)))


def bodies(
    kind: type[msgspec.Struct], usual: dict[str, Any], size: int = LARGEST_BODY
) -> Iterator[tuple[str, bytes]]:
    """Labelled bodies: the usual one, ones with a single oversized field, and malformed ones.

    Rejecting by size is cheap, so oversized fields stay just within each size limit.
    """
    names = {field.name: field.encode_name for field in msgspec.structs.fields(kind)}
    max_value = size - len(json.dumps(usual)) - 60
    yield "as usual", json.dumps(usual).encode()
    for name, hint in typing.get_type_hints(kind).items():
        sizes = [max_value]
        if _has_texts(hint):
            sizes += [bound for bound in BOUNDS if bound < max_value]
        for value in itertools.chain.from_iterable(values(hint, bound) for bound in sizes):
            body = json.dumps(
                usual | {names[name]: value}, ensure_ascii=False, default=msgspec.to_builtins
            ).encode()
            yield (
                f"`{names[name]}`: {json.dumps(value, default=msgspec.to_builtins)[:24]} …",
                body[:size],
            )
    for malformed in (
        b"[" * size,
        b'{"a":' * (size // 5),
        b"9" * size,
        b'{"' + b"\\u0041" * (size // 6),
    ):
        yield f"{malformed[:12].decode()} …", malformed


# ---------------------------------------------------------------- rows

SEATS = [{"who": "me"}, {"who": "bot", "level": "random"}, {"who": "bot", "level": "random"}]
TERMS = {
    "form": "swiss",
    "games": ["suleika"],
    "size": 2,
    "clock": {"kind": "game", "seconds": 600},
}
PUZZLE = {"date": "2026-11-19", "game": "bazaar", "grade": "easy"}
HERE = {"after": 0, "seat": 0}
DEVICE = {
    "endpoint": "https://push.example.org/x",
    "p256dh": "A" * 87,
    "auth": "A" * 22,
    "language": "en",
}
PASSKEY = {"id": "x", "client_data": "x"}


class Row(NamedTuple):
    """Input of an entry point: bodies of a type, derived from a usual one, or queries."""

    kind: type[msgspec.Struct] | None = None
    usual: dict[str, Any] = {}  # noqa: RUF012
    queries: Sequence[str] = ("",)
    size: int = LARGEST_BODY
    # Only the first request is expensive: do not repeat it.
    once: bool = False
    # Sent by another person, as it signs the sender out.
    apart: bool = False


ROWS: dict[str, Row] = {
    "POST /api/tables": Row(lobby_protocol.NewTable, {"game": "basari", "seats": SEATS}),
    "POST /api/lessons": Row(lobby_protocol.StartLesson, {"game": "suleika"}),
    "POST /api/boxes/check": Row(lobby_protocol.CheckCustomBox, {"game": "basari", "text": ""}),
    "POST /api/puzzles": Row(analysis_protocol.TryPuzzle, PUZZLE),
    "POST /api/puzzles/ask": Row(analysis_protocol.TryPuzzle, PUZZLE | {"moves": ["roll"]}),
    "POST /api/positions/check": Row(analysis_protocol.CheckPosition, {"game": "bazaar"}),
    "POST /api/positions/advise": Row(
        analysis_protocol.AdvisePosition, {"game": "suleika", "seat": 0}
    ),
    "POST /api/people/me/listed": Row(ratings_protocol.SetListedOnLeaderboard, {"listed": True}),
    "POST /api/push": Row(lobby_protocol.PushSubscribe, DEVICE),
    "POST /api/push/end": Row(lobby_protocol.PushUnsubscribe, {"endpoint": DEVICE["endpoint"]}),
    "POST /api/tables/{table}/sit": Row(lobby_protocol.TakeSeat, {"secret": "", "name": "Ann"}),
    "POST /api/tables/{table}/invitation": Row(lobby_protocol.RequestInvitation, {"secret": "x"}),
    "POST /api/tables/{table}/hide": Row(lobby_protocol.HideTable, {"hidden": False}),
    "POST /api/tables/{table}/study": Row(analysis_protocol.DeepenAnalysis, {"playouts": 16}),
    "POST /api/studies": Row(
        analysis_protocol.AnalysisUpload, {}, size=MAX_FILE_BYTES + LARGEST_BODY
    ),
    "GET /api/person": Row(),
    "GET /api/person/all": Row(),
    "POST /api/person": Row(account_protocol.SetProfile, {"name": "Ann"}),
    "POST /api/devices/link": Row(account_protocol.RequestDeviceLink),
    "POST /api/devices/preview": Row(account_protocol.DeviceCode, {"code": "x"}),
    "POST /api/devices/sign-in": Row(account_protocol.DeviceCode, {"code": "x"}),
    "POST /api/devices/sign-out": Row(
        account_protocol.SignOutDevices, {"scope": "others"}, once=True, apart=True
    ),
    "POST /api/passkeys/creation-options": Row(account_protocol.RequestDeviceLink),
    "POST /api/passkeys/add": Row(account_protocol.PasskeyNew, PASSKEY | {"attestation": "x"}),
    "POST /api/passkeys/remove": Row(account_protocol.RemovePasskey, {"id": "x"}),
    "POST /api/passkeys/request-options": Row(account_protocol.RequestDeviceLink),
    "POST /api/passkeys/sign-in": Row(
        account_protocol.PasskeyAnswer, PASSKEY | {"data": "x", "signature": "x"}
    ),
    "GET /api/fellows": Row(queries=("", "?table={running}")),
    "POST /api/tables/{table}/invite": Row(
        meeting_protocol.InvitePlayer, {"table": "{over}", "seat": 1}
    ),
    "POST /api/tables/{table}/decline": Row(meeting_protocol.DeclineInvitation),
    "POST /api/invitations": Row(meeting_protocol.SetInvitationsAllowed, {"wanted": True}),
    "GET /api/leaders/{game}": Row(queries=("", "?players=4")),
    "GET /api/people/{public}": Row(),
    "GET /api/ladder": Row(),
    "GET /api/tables/{table}/ratings": Row(),
    "GET /api/events": Row(),
    "GET /api/events/{event}": Row(),
    "GET /api/events/{event}/me": Row(),
    "GET /api/events/{event}/rounds/{round}": Row(),
    "POST /api/events": Row(event_protocol.NewEvent, {"name": "Games night", "terms": TERMS}),
    "POST /api/events/{event}/join": Row(event_protocol.JoinEvent, {"name": "Ann"}),
    "POST /api/events/{event}/leave": Row(event_protocol.LeaveEvent),
    "POST /api/events/{event}/host": Row(event_protocol.ClaimEvent, {"secret": "x"}),
    "POST /api/events/{event}/control": Row(event_protocol.ControlEvent, {"do": "start"}),
    "GET /readyz": Row(),
    "GET /healthz": Row(),
    "GET /api/lobby": Row(),
    "GET /api/me": Row(),
    "GET /api/tables": Row(queries=("", "?after=0~9999999999.0~" + "A" * 16)),
    "GET /api/push": Row(),
    "GET /api/boxes/{game}": Row(),
    "GET /api/puzzles/{date}": Row(),
    "GET /api/tables/{table}/record": Row(),
    "GET /api/tables/{table}/aside": Row(),
    "GET /api/tables/{table}/study": Row(),
    "GET /api/tables/{table}/replay": Row(queries=("", "?from=900000&to=999999", "?from=-1&to=60")),
    "GET /api/tables/{table}/instead": Row(
        queries=("?step=100&move=left", "?step=9999&move=" + "x" * 7000)
    ),
    "GET /docs": Row(),
    "GET /docs/{path:path}": Row(),
    "GET /offline": Row(),
    "GET /languages.json": Row(),
    "GET /languages/{code}.json": Row(),
    "GET /languages/{code}/rules.json": Row(),
    "GET /languages/{code}/company.json": Row(),
    "GET /languages/{code}/events.json": Row(),
    "GET /languages/{code}/later.json": Row(),
    "GET /{path:path}": Row(),
    "table: watch": Row(protocol.Watch, {"version": protocol.VERSION}),
    "table: move": Row(protocol.Move, HERE | {"move": "left"}),
    "table: check_legality": Row(protocol.CheckLegality, {"seat": 0, "move": "left"}),
    "table: take_back": Row(protocol.TakeBack, HERE),
    "table: stand_in": Row(protocol.StandIn, {"seat": 0, "level": "random"}),
    "table: commit_share": Row(protocol.CommitShare, {"seat": 0, "commitment": "0" * 64}),
    "table: reveal_share": Row(protocol.RevealShare, {"seat": 0, "share": "0" * 64}),
    "table: hint": Row(protocol.Hint, HERE),
    "table: check_move": Row(protocol.CheckMove, HERE | {"move": "left"}),
    "table: consent_to_coach": Row(protocol.ConsentToCoach, {"seat": 0, "agrees": True}),
    "table: start_game": Row(protocol.StartGame),
    "table: leave_table": Row(protocol.LeaveTable),
    "table: cancel_table": Row(protocol.CancelTable),
    "table: rematch": Row(protocol.Rematch),
    "table: propose": Row(protocol.Propose, HERE | {"what": "end"}),
    "table: respond": Row(protocol.Respond, {"seat": 0, "number": 1, "agrees": False}),
    "table: resume": Row(protocol.Resume, {"seat": 0}),
    "table: replace_bot": Row(protocol.ReplaceBot, {"seat": 0}),
    "table: vote_on_absence": Row(
        protocol.VoteOnAbsence, {"seat": 0, "about": 1, "choice": "wait"}
    ),
    "table: say": Row(protocol.Say, {"seat": 0, "text": "Hello"}),
    "table: report_chat": Row(protocol.ReportChat, {"number": 0}),
    "table: page_visibility": Row(protocol.PageVisibility, {"visible": True}),
    "table: ping": Row(protocol.Ping),
    "table: resign": Row(protocol.Resign),
    "lobby: find_players": Row(meeting_protocol.FindPlayers, {"game": "suleika", "players": 2}),
    "lobby: stop_search": Row(meeting_protocol.StopSearch),
    "lobby: ping": Row(protocol.Ping),
    # Last, as it deletes the account.
    "POST /api/forget": Row(lobby_protocol.DeleteAccount, once=True),
}


# ---------------------------------------------------------------- sending


class World(NamedTuple):
    """Data on the server under test, plenty of everything.

    Args:
        running: table of a running game of `person`.
        over: table of a finished game.
        files: ids of uploaded records.
        position: a position with many fields.
        event: event with the maximum number of entrants.
    """

    person: Person
    running: str
    over: str
    files: Sequence[str]
    records: Sequence[str]
    position: dict[str, Any]
    event: str

    def addresses(self, path: str) -> list[str]:
        """All addresses that match a path pattern of the server."""
        named = {
            "event": [self.event],
            "round": ["1"],
            "game": ["suleika", "bazaar", "a" * 5000],
            "code": ["de", "a" * 5000],
        }
        named |= {
            "table": [self.running, self.over, *self.files, "a" * 5000],
            "date": [PUZZLE["date"], "9" * 5000],
        }
        named |= {
            "public": ["a" * 12, "a" * 5000],
            "path:path": [
                "",
                "searchindex.js",
                f"table/{self.running}",
                "a/" * 2500,
                "%2e%2e/" * 800,
            ],
        }
        name = path[path.index("{") + 1 : path.index("}")] if "{" in path else ""
        return (
            [
                address
                for value in named[name]
                for address in self.addresses(path.replace(f"{{{name}}}", value))
            ]
            if name
            else [path]
        )


Send = Callable[[], Awaitable[Any]]


def tries(name: str, row: Row, world: World) -> Iterator[tuple[str, Send]]:
    """Labelled functions that each send one input to an entry point."""
    method, _, path = name.partition(" ")
    if method in ("table:", "lobby:"):
        usual = {"do": path} | ({"id": 1} if "id" in row.kind.__struct_fields__ else {}) | row.usual
        for about, body in bodies(row.kind, usual):
            yield about, lambda body=body: send_command(world, method, body)
    elif method == "GET":
        for address in world.addresses(path):
            for query in (*row.queries, "?" + "a" * 1000, "?a=" + "%F0%9F%A7%BF" * 80):
                full = address + query.format(running=world.running)
                yield full[:60], lambda full=full: fetch(world, full)
    else:
        usual = json.loads(json.dumps(row.usual).replace("{over}", world.over))
        usual |= {"position": world.position} if "position" in row.kind.__struct_fields__ else {}
        files = (
            [json.dumps({"record": text}).encode() for text in world.records]
            if name == "POST /api/studies"
            else []
        )
        for address in world.addresses(path):
            for about, body in [("a record", file) for file in files] + list(
                bodies(row.kind, usual, row.size)
            ):
                yield about, lambda address=address, body=body: post(world, address, body)


async def post(world: World, address: str, body: bytes) -> None:
    answer = await world.person.http.post(
        address, content=body, headers={"content-type": "application/json"}
    )
    assert answer.status_code < 500, (address, body[:200], answer.text)


async def fetch(world: World, address: str) -> None:
    answer = await world.person.http.get(address, headers={"accept-encoding": "gzip"})
    assert answer.status_code < 500, (address, answer.text)


async def send_command(world: World, channel: str, body: bytes) -> None:
    """Send a command and wait for the answer to a later ping: commands are handled in order."""
    place = f"tables/{world.running}" if channel == "table:" else "lobby"
    address, headers = (
        f"ws://{world.person.address}/api/{place}/socket",
        {"cookie": f"souk={world.person.cookie}"},
    )
    async with websockets.connect(address, additional_headers=headers, compression=None) as socket:
        page = Page(world.running, socket)
        if channel == "table:":
            await page.watch(None, -1)
        with contextlib.suppress(websockets.ConnectionClosed):
            await page.say(body.decode(errors="replace"))
            await page.say({"do": "ping", "id": 9})
            await page.until(lambda message: message.get("id") == 9)


# ---------------------------------------------------------------- measuring


async def cost_of(server: Server, send: Send) -> Cost:
    """Cost until the server is idle again."""
    async with httpx.AsyncClient(base_url=f"http://{server.address}", timeout=PATIENCE) as watch:
        await watch.get("/tick")
        await send()
        cost, idle = Cost(0.0, 0.0), False
        while not idle:
            spent = (await watch.get("/tick")).json()
            idle = spent["process"] < _IDLE
            cost = Cost(max(cost.loop, spent["loop"]), cost.core + spent["process"])
            await asyncio.sleep(0.01)
    return cost


async def measure(
    server: Server, rows: dict[str, Row], tell: Callable[[str, Cost, str], None]
) -> None:
    """Send every input; report the worst cost of each row and the input that caused it.

    Expensive inputs are repeated and the minimum counts, as the machine has other work too.
    """
    async with Person(server) as person, Person(server) as other:
        world = await make_world(server, person)
        await other.new_table("suleika", "me", "bot")
        for name, row in rows.items():
            assert (await person.http.get("/api/tables")).json()["tables"], (
                f"before {name}: the account has no tables left"
            )
            worst, costliest = Cost(0.0, 0.0), ""
            for about, send in tries(
                name, row, world._replace(person=other) if row.apart else world
            ):
                cost = await cost_of(server, send)
                for _ in range(0 if row.once else 2):
                    if cost.loop > worst.loop or cost.core > worst.core:
                        again = await cost_of(server, send)
                        cost = Cost(min(cost.loop, again.loop), min(cost.core, again.core))
                costliest = about if cost.core > worst.core else costliest
                worst = cost.worse(worst)
            tell(name, worst, costliest)


async def make_world(server: Server, person: Person) -> World:
    """Create tables, chat lines, records and an event, plenty of each."""
    table, _ = await person.new_table("suleika", "me", "bot", "bot", "bot")
    over, _ = await person.new_table("suleika", "me", "bot", "bot", "bot")
    async with person.page(over) as page:
        await page.play(0, random.Random(1))
    async with person.page(table) as page:
        await page.play(0, random.Random(2), moves=10)
    answer = await person.http.post(
        "/api/events", json={"name": "Games night", "terms": TERMS, "bots": 63, "level": "random"}
    )
    assert answer.status_code == 200, answer.text
    event = answer.json()["event"]
    long, files = [str(record) for record in long_records()], []
    for text in long:
        answer = await person.http.post("/api/studies", json={"record": text})
        files.append(answer.json()["id"])
        assert files[-1], answer.text
    fill(server.data, await table_with_talk(server, person))
    position = whole_random_game("bazaar", 6, {}, 1).start.to_json()
    records = [
        *long,
        *(
            record_with_data_file(text)
            for size in (MAX_CHARACTERS - 50, 64_000)
            for text in texts(size)
        ),
    ]
    return World(person, table, over, files, records, position, event)


def record_with_data_file(text: str) -> str:
    """A record with `text` as its board, and valid checksums."""
    lines = [
        line.rpartition(" #")[0].rstrip()
        for line in str(whole_random_game("basari", 3, {}, 1)).splitlines()
    ]
    place = lines.index("players: 3") + 1
    return _with_checks([*lines[:place], f"option board: {json.dumps(text)}", *lines[place:]])


async def table_with_talk(server: Server, person: Person) -> str:
    async with Person(server) as guest:
        table, invitations = await person.new_table("suleika", "me", "link")
        assert (await guest.sit(table, invitations["1"])).status_code == 200
        async with person.page(table) as page:
            for _ in range(_CHAT_LINES):
                assert (await page.ask("say", seat=0, phrase="suleika.phrases.dear"))[
                    "is"
                ] == "done"
    return table


def long_records() -> Iterator[souk.Record]:
    """Longest accepted records: players trade to and fro, and buy only to keep the game alive."""
    rng = random.Random(1)
    for players in (2, 6):
        record = souk.Record("bazaar", players=players)
        while not (now := record.position).over:
            if not now.actors:
                record.draw(rng)
                continue
            moves = now.moves(now.actors[0])
            is_quiet = (
                now.to_json()["turns_without_purchase"] < _QUIET * players
                and len(record.events) < _LONG
            )
            record.play(
                now.actors[0],
                min(rng.sample(moves, len(moves)), key=_growth) if is_quiet else rng.choice(moves),
            )
        yield record


def _growth(move: str) -> int:
    """Chips gained by a move; a player who stays below ten need not buy."""
    given, trade, received = move.removeprefix("trade ").partition(">")
    return len(received) - len(given) if trade else {"roll": 1, "buy": 20}.get(move.split()[0], 0)


def fill(data: Path, table: str) -> None:
    """Copy a table 3,000 times for its player, chat included."""
    cipher = read_key(data / "key")

    def reencrypted(seed: bytes, other: str) -> bytes:
        return cipher.encrypt(cipher.decrypt(seed, "seed", table), "seed", other)

    with contextlib.closing(sqlite3.connect(data / FILE, isolation_level=None)) as file:
        file.execute("PRAGMA busy_timeout = 5000")
        file.create_function("reencrypted", 2, reencrypted)
        file.execute("BEGIN IMMEDIATE")
        file.execute(
            """CREATE TEMP TABLE copies AS
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            SELECT printf('many%012d', i) AS id FROM n"""
        )
        for kind in ("tables", "seats", "events", "chat"):
            columns = [row[1] for row in file.execute(f"PRAGMA table_info({kind})")]
            id_column = "id" if kind == "tables" else '"table"'
            changed = {id_column.strip('"'): "copies.id", "seed": "reencrypted(seed, copies.id)"}
            values = ", ".join(changed.get(column, f'{kind}."{column}"') for column in columns)
            file.execute(
                f"INSERT INTO {kind} SELECT {values} FROM {kind}, copies "
                f"WHERE {kind}.{id_column} = ?",
                (table,),
            )
        file.execute("COMMIT")


# ---------------------------------------------------------------- report

_LOOP_MS, _CORE_MS = round(MOST_LOOP * 1000), round(MOST_CORE * 1000)
INTRO = f"""# Cost of every entry point

```console
$ python -m tests.server.support.entry_points
```

measures the most CPU time a stranger can use with each request and command, and writes this page.
The server under test holds 3,000 tables of one person, event logs of {_LONG:,} events and events
with 64 participants. `tests/server/http/test_entry_points.py` fails if an entry point has no row
here, or takes more than {_LOOP_MS} ms of the event loop or {_CORE_MS} ms of a core.

Hints and warnings also occupy a bot worker for at most a second, and analyses an analysis worker,
one job at a time per address.

| entry point | loop, ms | core, ms |
|---|---|---|
"""


def line(name: str, cost: Cost) -> str:
    return f"| `{name}` | {cost.loop * 1000:.0f} | {cost.core * 1000:.0f} |\n"


def main(names: Sequence[str]) -> None:
    lines: list[str] = []

    def tell(name: str, cost: Cost, costliest: str) -> None:
        lines.append(line(name, cost))
        print(lines[-1].rstrip(), costliest, flush=True)

    with tempfile.TemporaryDirectory() as folder, server_without_limits(Path(folder)) as server:
        asyncio.run(measure(server, {name: ROWS[name] for name in names or ROWS}, tell))
    if not names:
        PAGE.write_text(INTRO + "".join(lines))


def server_without_limits(folder: Path) -> Server:
    return Server(folder, home=ROOT, program="tests.server.support.loop_ticks", **NO_LIMITS)


if __name__ == "__main__":
    main(sys.argv[1:])
