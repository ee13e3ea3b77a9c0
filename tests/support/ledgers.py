"""Ledgers: reconstruct the table from a game's facts alone, given only the first position."""

from copy import deepcopy
from typing import Any

import souk
from souk.core.facts import Fact
from souk.games.basari.facts import DiscPlaced, FigureWalked, LapScored, OpenerFound, ScoringBegan
from souk.games.basari_cards.facts import CardTurnedUp, DealEnded, GemsReturned, WorkersScored
from souk.games.basari_common.facts import (
    GemsTaken,
    HaggleCalled,
    HaggleEnded,
    MajorityScored,
    Offered,
    PointsScored,
)
from souk.games.bazaar.facts import (
    ChipReturned,
    ChipTaken,
    RateDrawn,
    Rolled,
    Sold,
    Traded,
    WareTurnedUp,
)
from souk.games.suleika.facts import Laid, OmarTurned, OmarWalked, Paid, RugCameUp
from tests.support.bazaar_positions import hand
from tests.support.random_games import steps


class Ledger:
    """`table` holds some fields of a position's JSON, as the facts so far say they are."""

    FIELDS: tuple[str, ...] = ()

    def __init__(self, start: dict[str, Any]) -> None:
        self.table = {name: deepcopy(start[name]) for name in self.FIELDS}
        self.players = start["players"]

    def note(self, fact: Fact) -> None:
        raise NotImplementedError


class SuleikaLedger(Ledger):
    FIELDS = ("omar", "board", "money", "left", "rug")

    def __init__(self, start: dict[str, Any]) -> None:
        super().__init__(start)
        self.laid = 0

    def note(self, fact: Fact) -> None:
        table = self.table
        match fact:
            case RugCameUp(_, rug):
                table["rug"] = rug
            case OmarTurned(_, _, faces):
                table["omar"]["facing"] = faces
            case OmarWalked(_, _, _, faces, way, at):
                balconies = [step[2] for step in way.split() if len(step) == 3]
                table["omar"] = {"at": at, "facing": [faces, *balconies][-1]}
            case Paid(seat, to, _, paid):
                table["money"][seat] -= paid
                table["money"][to] += paid
            case Laid():
                self.lay(fact)

    def lay(self, fact: Laid) -> None:
        self.laid += 1
        for field in fact.fields:
            self.table["board"][7 - int(field[1])]["abcdefg".index(field[0])] = (
                f"{fact.colour}{self.laid}"
            )
        left = self.table["left"]
        if self.players == 2:
            left[fact.seat]["rybg".index(fact.colour) % 2] -= 1
            self.table["rug"] = None
        else:
            left[fact.seat] -= 1


class HagglingLedger(Ledger):
    """What both Basari games share."""

    FIELDS = ("points", "gems", "supply", "haggle")

    def note(self, fact: Fact) -> None:
        match fact:
            case PointsScored(seat, points):
                self.table["points"][seat] += points
            case GemsTaken(seat, gems):
                self.move(gems, to=seat)
            case HaggleEnded(_, winner, loser, gems):
                self.move(gems, of=winner)
                self.move(gems, to=loser)
                self.table["haggle"] = None
            case MajorityScored(colour, seats, points, back):
                for seat, n in zip(seats, back, strict=True):
                    self.table["points"][seat] += points
                    self.move([n if index == colour else 0 for index in range(4)], of=seat)
            case HaggleCalled() | Offered() | OpenerFound():
                self.haggle(fact)

    def haggle(self, fact: HaggleCalled | Offered | OpenerFound) -> None:
        now = self.table["haggle"]
        match fact:
            case HaggleCalled(action, seats, opener):
                now = {
                    "action": action,
                    "seats": seats,
                    "turn": opener,
                    "offer": None,
                    "offerer": None,
                }
            case Offered(seat, gems):
                [other] = set(now["seats"]) - {seat}
                now |= {"turn": other, "offer": gems, "offerer": seat}
            case OpenerFound(seat):
                [other] = set(now["seats"]) - {seat}
                now |= {"seats": [seat, other], "turn": seat}
        self.table["haggle"] = now

    def move(self, gems: list[int], to: int | None = None, of: int | None = None) -> None:
        """Gems from the supply, or back to it."""
        for colour, n in enumerate(gems):
            if to is not None:
                self.table["gems"][to][colour] += n
            if of is not None:
                self.table["gems"][of][colour] -= n
            self.table["supply"][colour] += n if to is None else -n


class BasariLedger(HagglingLedger):
    FIELDS = (*HagglingLedger.FIELDS, "figures", "discs", "walked", "scorings")

    def note(self, fact: Fact) -> None:
        table = self.table
        match fact:
            case DiscPlaced(seat, arch):
                table["discs"][seat] = table["figures"][seat] = arch
            case FigureWalked(seat, die, path):
                table["figures"][seat] = path[-1]
                table["walked"][seat] += die
            case ScoringBegan(number):
                table["scorings"] = number
                table["discs"], table["walked"] = list(table["figures"]), [0] * self.players
            case LapScored(seat, points):
                table["points"][seat] += points
            case _:
                super().note(fact)


class CardsLedger(HagglingLedger):
    FIELDS = (*HagglingLedger.FIELDS, "workers", "deals", "seen")

    def note(self, fact: Fact) -> None:
        table = self.table
        match fact:
            case CardTurnedUp(seat, card, workers):
                table["workers"][seat] += workers
                table["seen"].append(card)
            case GemsReturned(seat, gems):
                self.move(gems, of=seat)
            case DealEnded(number):
                table["deals"], table["seen"], table["workers"] = number, [], [0] * self.players
            case WorkersScored(seat, points):
                table["points"][seat] += points
            case _:
                super().note(fact)


class BazaarLedger(Ledger):
    FIELDS = ("chips", "bank", "points", "bought", "rates", "stalls", "seen")

    def __init__(self, start: dict[str, Any]) -> None:
        super().__init__(start)
        if self.players == 1:
            self.table["actions"] = 0

    def note(self, fact: Fact) -> None:
        table = self.table
        match fact:
            case RateDrawn(card):
                table["rates"].append(card)
            case WareTurnedUp(stall, ware):
                table["stalls"][stall - 1]["top"] = ware
                table["seen"].append(ware)
            case ChipTaken(seat, chip):
                self.move(seat, gets=chip)
            case ChipReturned(seat, chip):
                self.move(seat, gives=chip)
            case Sold(seat, stall, ware, points=points):
                self.move(seat, gives=ware)
                table["points"][seat] += points
                table["bought"][seat] += 1
                table["stalls"][stall - 1] = {
                    "top": None,
                    "left": table["stalls"][stall - 1]["left"] - 1,
                }
            case Rolled() | Traded():
                self.act(fact)

    def act(self, fact: Rolled | Traded) -> None:
        if self.players == 1:
            self.table["actions"] += 1
        if isinstance(fact, Traded):
            self.move(fact.seat, fact.gives, fact.gets)

    def move(self, seat: int, gives: str = "", gets: str = "") -> None:
        """Chips to and from the bank."""
        for colour, (given, got) in enumerate(zip(hand(gives), hand(gets), strict=True)):
            self.table["chips"][seat][colour] += got - given
            self.table["bank"][colour] -= got - given


LEDGERS: dict[str, type[Ledger]] = {
    "suleika": SuleikaLedger,
    "basari": BasariLedger,
    "basari-cards": CardsLedger,
    "bazaar": BazaarLedger,
}


def check_facts(record: souk.Record) -> None:
    """Check everything on the table after every event against the start and the facts."""
    ledger = LEDGERS[record.game.name](record.start.to_json())
    for step in steps(record):
        for fact in step.facts:
            ledger.note(fact)
        now = step.after.to_json()
        for name, expected in ledger.table.items():
            # Seen cards are listed in deck order, not in the order they come up.
            cards_seen = record.game.name == "basari-cards" and name == "seen"
            both = (sorted(expected), sorted(now[name])) if cards_seen else (expected, now[name])
            assert both[0] == both[1], f"{name} after {step.seat} {step.text}: {step.facts}"
