"""Who looks for people to play with. Nothing of it is kept: whoever closes the page looks for nobody any longer.

Those who want the same game, number of players and clock wait together. As soon as they are enough, or somebody among them has waited for as long
as they wanted to wait for people, a table is made for them like any other, and all of them are taken there.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from souk.games import game as find_game
from souk.games import names as game_names
from souk.table.foyer import Foyer
from souk.table.logs import note
from souk.table.meeting_protocol import ClockChoice, Find, FoundPeople, Looking, LookingNow
from souk.table.neighbours import Neighbours
from souk.table.news import Word
from souk.table.protocol import ClockTerms
from souk.table.reception import Reception
from souk.table.refusals import Refuse
from souk.table.seating import bot_name, checked_digits, named_like_nobody, usual_level
from souk.table.settings import Settings
from souk.table.store import SeatRow

CLOCKS: dict[str, ClockTerms] = {
    "move": ClockTerms("move", 60.0),
    "game": ClockTerms("game", 900.0, 10.0, returns=False),
}
LONGEST_PATIENCE = 3600  # seconds
_SECONDS_TO_COME_BACK = 10.0  # to the lobby, where a process has ended
_MOMENT = 0.01  # seconds, so that nobody's grace lacks a millisecond


class _Sought(NamedTuple):
    """What those have in common who are brought together."""

    game: str
    players: int
    clock: ClockChoice


class _Seeker(NamedTuple):
    player: bytes
    name: str
    commitment: str
    wanted: _Sought
    until: float | None  # when bots fill up, by the house's time; None: never
    since: float = 0.0  # by the house's time
    process: str = ""  # where their page is, if not here
    here: bool = True  # whether they have a page open there


class Seeking(Word, tag="seeking"):
    """Somebody looks for people at this process; `here`: whether they have a page open."""

    player: bytes
    name: str
    commitment: str
    wanted: _Sought
    until: float | None
    since: float
    here: bool


class SeeksNoMore(Word, tag="seeks_no_more"):
    player: bytes


class FoundFor(Word, tag="found"):
    """A table was made for people who looked for others."""

    players: list[bytes]
    table: str


class Finding:
    """Everybody who looks for people, in the order in which they came: each person once. All processes know all of them; one brings them together."""

    def __init__(
        self,
        settings: Settings,
        reception: Reception,
        foyer: Foyer,
        now: Callable[[], float],
        neighbours: Neighbours,
    ) -> None:
        self._settings, self._reception, self._foyer, self._now = settings, reception, foyer, now
        self._news = neighbours.news
        self._news.hear(Seeking, self._heard)
        self._news.hear(SeeksNoMore, lambda sender, word: self._seeks_no_more(sender, word.player))
        self._news.hear(FoundFor, lambda _sender, word: self._found(word))
        neighbours.newcomer.append(self._say_all)
        neighbours.when_gone(self._lost)
        self._waiting: dict[bytes, _Seeker] = {}
        self._seating: set[bytes] = set()  # for whom a table is being made
        self._one_at_a_time = asyncio.Lock()

    def by_game(self) -> Counter[str]:
        """How many look for people."""
        return Counter(seeker.wanted.game for seeker in self._waiting.values())

    def looking(self, player: bytes) -> Looking | None:
        seeker = self._waiting.get(player)
        if seeker is None:
            return None
        bots_in = None if seeker.until is None else max(0.0, seeker.until - self._now())
        return Looking(*seeker.wanted, len(self._those_who_want(seeker.wanted)), bots_in)

    # ------------------------------------------------------------ coming and going

    async def find(self, player: bytes, address: str, wish: Find) -> None:
        """Somebody looks for people, from now on for this. Every search counts as a table that is asked for."""
        seeker = self._checked(player, wish)
        if player in self._seating:
            raise Refuse("found_already", 409)
        await self._reception.count(address)
        before = self._waiting.pop(player, None)
        self._waiting[player] = seeker
        self._say(seeker)
        self._tell(*([before.wanted] if before else []), seeker.wanted)
        await self.look()

    def stop(self, player: bytes) -> None:
        if player in self._seating:
            raise Refuse("found_already", 409)
        if seeker := self._waiting.pop(player, None):
            self._news.say(SeeksNoMore(player))
            self._foyer.tell(player, LookingNow(None))
            self._tell(seeker.wanted)

    def page_closed(self, player: bytes) -> None:
        """After the grace, nobody looks who has no page open. Until then nobody is brought together with them either."""
        if self._is_own(player) and not self._foyer.has(player):
            self._say(self._waiting[player])
            self._tell(self._waiting[player].wanted)
            asyncio.get_running_loop().call_later(self._settings.grace + _MOMENT, self._give_up, player)

    def _give_up(self, player: bytes) -> None:
        if self._is_own(player) and not self._foyer.has(player):
            del self._waiting[player]
            self._news.say(SeeksNoMore(player))

    def adopt(self, player: bytes) -> None:
        """Somebody has opened the lobby who looked for people at a process that has ended, or that their page has left: they go on looking."""
        seeker = self._waiting.get(player)
        if seeker is not None and seeker.process and not seeker.here:
            self._waiting[player] = seeker._replace(process="", here=True)
        if self._is_own(player):
            self._say(self._waiting[player])

    def _is_own(self, player: bytes) -> bool:
        return player in self._waiting and not self._waiting[player].process

    # ------------------------------------------------------------ at other processes

    def _say(self, seeker: _Seeker) -> None:
        self._news.say(Seeking(*seeker[:6], self._foyer.has(seeker.player)))

    def _say_all(self) -> None:
        for seeker in self._waiting.values():
            if not seeker.process:
                self._say(seeker)

    def _heard(self, sender: str, word: Seeking) -> None:
        fields = word.player, word.name, word.commitment, word.wanted, word.until, word.since
        before = self._waiting.get(word.player)
        self._waiting[word.player] = _Seeker(*fields, sender, word.here)
        self._tell(*([before.wanted] if before else []), word.wanted)

    def _seeks_no_more(self, sender: str, player: bytes) -> None:
        seeker = self._waiting.get(player)
        if seeker is not None and seeker.process in (sender, ""):
            del self._waiting[player]
            self._foyer.tell(player, LookingNow(None))
            self._tell(seeker.wanted)

    def _found(self, word: FoundFor) -> None:
        seekers = [self._waiting.pop(player) for player in word.players if player in self._waiting]
        for player in word.players:
            self._foyer.tell(player, FoundPeople(word.table))
        self._tell(*(seeker.wanted for seeker in seekers))

    def _lost(self, process: str) -> None:
        """A process has ended: those who looked for people there may come back at another."""
        for seeker in [each for each in self._waiting.values() if each.process == process]:
            self._waiting[seeker.player] = seeker._replace(here=False)
            asyncio.get_running_loop().call_later(_SECONDS_TO_COME_BACK, self._drop_lost, seeker.player, process)

    def _drop_lost(self, player: bytes, process: str) -> None:
        seeker = self._waiting.get(player)
        if seeker is not None and seeker.process == process and not seeker.here:
            del self._waiting[player]

    def _checked(self, player: bytes, wish: Find) -> _Seeker:
        if not self._settings.public_lobby:
            raise Refuse("not_public", 409)
        if not player:
            raise Refuse("no_cookie", 403)
        if wish.game not in game_names():
            raise Refuse("game_unknown")
        possible = [number for number in find_game(wish.game).players if number > 1]
        if wish.players not in possible:
            raise Refuse("players_wrong", possible=", ".join(map(str, possible)))
        if not 0 <= wish.patience <= LONGEST_PATIENCE:
            raise Refuse("patience_wrong", most=LONGEST_PATIENCE)
        commitment = checked_digits(wish.commitment) if wish.commitment else ""
        name = self._reception.checked_name(wish.name)
        until = self._now() + wish.patience if wish.patience else None
        wanted = _Sought(wish.game, wish.players, wish.clock)
        return _Seeker(player, name, commitment, wanted, until, self._now())

    def _those_who_want(self, wanted: _Sought) -> list[_Seeker]:
        """Those who are there, the first first."""
        there = [
            each
            for each in self._waiting.values()
            if each.wanted == wanted and (each.here if each.process else self._foyer.has(each.player))
        ]
        return sorted(there, key=lambda each: each.since)

    def _tell(self, *changed: _Sought) -> None:
        """Those who wait for the same hear how many they are."""
        for wanted in dict.fromkeys(changed):
            for seeker in self._those_who_want(wanted):
                self._foyer.tell(seeker.player, LookingNow(self.looking(seeker.player)))

    # ------------------------------------------------------------ bringing together

    async def look(self) -> None:
        """Make a table for all who are enough by now, or have waited for as long as they wanted; at one of the processes."""
        if not self._news.first:
            return
        async with self._one_at_a_time:
            for wanted in dict.fromkeys(seeker.wanted for seeker in self._waiting.values()):
                while group := self._ready(self._those_who_want(wanted), wanted.players):
                    if not await self._seat(wanted, group):
                        return  # nothing can be written now; then with the next look

    def _ready(self, there: Sequence[_Seeker], players: int) -> Sequence[_Seeker]:
        """Who is to play now. Bots come only to those who have not asked for people alone; of these all who wait, as company is better now than later."""
        if len(there) >= players:
            return there[:players]
        patient = [seeker for seeker in there if seeker.until is not None]
        due = any(seeker.until is not None and seeker.until <= self._now() for seeker in patient)
        return patient if due else ()

    async def _seat(self, wanted: _Sought, group: Sequence[_Seeker]) -> bool:
        people = {seeker.player for seeker in group}
        self._seating |= people
        for player in people:
            del self._waiting[player]
        rows, shares = self._places(wanted, group)
        try:
            table = await self._reception.for_strangers(wanted.game, rows, shares, CLOCKS.get(wanted.clock))
        except Refuse:
            self._waiting = {seeker.player: seeker for seeker in group} | self._waiting
            return False
        finally:
            self._seating -= people
        note("found", table=table, people=len(people), bots=wanted.players - len(people))
        self._news.say(FoundFor(sorted(people), table))
        for player in people:
            self._foyer.tell(player, FoundPeople(table))
        self._tell(wanted)
        return True

    def _places(self, wanted: _Sought, group: Sequence[_Seeker]) -> tuple[list[SeatRow], dict[int, str]]:
        """Who sits where is drawn by lot; and who has a share in the dice."""
        seats, taken = random.SystemRandom().sample(range(wanted.players), len(group)), [""][:0]
        rows: dict[int, SeatRow] = {}
        for seat, seeker in zip(seats, group, strict=True):
            taken.append(named_like_nobody(seeker.name, taken))
            rows[seat] = SeatRow(seat, "person", taken[-1], player=seeker.player)
        level = usual_level(self._settings.levels)
        for seat in range(wanted.players):
            if seat not in rows:
                taken.append(bot_name(seat, taken))
                rows[seat] = SeatRow(seat, "bot", taken[-1], level)
        shares = {seat: seeker.commitment for seat, seeker in zip(seats, group, strict=True) if seeker.commitment}
        return [rows[seat] for seat in sorted(rows)], dict(sorted(shares.items()))
