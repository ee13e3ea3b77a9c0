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


class Finding:
    """Everybody who looks for people, in the order in which they came: each person once."""

    def __init__(self, settings: Settings, reception: Reception, foyer: Foyer, now: Callable[[], float]) -> None:
        self._settings, self._reception, self._foyer, self._now = settings, reception, foyer, now
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
        self._tell(*([before.wanted] if before else []), seeker.wanted)
        await self.look()

    def stop(self, player: bytes) -> None:
        if player in self._seating:
            raise Refuse("found_already", 409)
        if seeker := self._waiting.pop(player, None):
            self._foyer.tell(player, LookingNow(None))
            self._tell(seeker.wanted)

    def page_closed(self, player: bytes) -> None:
        """After the grace, nobody looks who has no page open. Until then nobody is brought together with them either."""
        if player in self._waiting and not self._foyer.has(player):
            self._tell(self._waiting[player].wanted)
            asyncio.get_running_loop().call_later(self._settings.grace + _MOMENT, self._give_up, player)

    def _give_up(self, player: bytes) -> None:
        if not self._foyer.has(player):
            self._waiting.pop(player, None)

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
        return _Seeker(player, name, commitment, _Sought(wish.game, wish.players, wish.clock), until)

    def _those_who_want(self, wanted: _Sought) -> list[_Seeker]:
        """Those who are there, the first first."""
        return [each for each in self._waiting.values() if each.wanted == wanted and self._foyer.has(each.player)]

    def _tell(self, *changed: _Sought) -> None:
        """Those who wait for the same hear how many they are."""
        for wanted in dict.fromkeys(changed):
            for seeker in self._those_who_want(wanted):
                self._foyer.tell(seeker.player, LookingNow(self.looking(seeker.player)))

    # ------------------------------------------------------------ bringing together

    async def look(self) -> None:
        """Make a table for all who are enough by now, or have waited for as long as they wanted."""
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
