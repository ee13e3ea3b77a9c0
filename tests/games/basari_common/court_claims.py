"""Claims of both Basari games counted from the position's JSON and the facts of what follows."""

import random
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import souk
from souk.analysis.explanations import as_seen
from souk.core.facts import Fact
from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.basari_common.facts import GemsTaken, HaggleEnded
from tests.support.sentences import assert_well_said

COLOURS = ("red", "yellow", "green", "blue")
MAJORITY = (14, 12, 10, 8)
HALF = 0.5  # of a mix, to say that somebody wants something

Gems = list[list[int]]
Likely = Mapping[int, Mapping[str, float]]


class Case(NamedTuple):
    """A reason, and the two moves it compares; `points` and `shown` are what is before a seat."""

    pos: Position
    seat: int
    better: str
    other: str
    likely: Likely
    reason: Reason
    points: int
    shown: list[int]

    @property
    def key(self) -> str:
        return self.reason.key

    @property
    def json(self) -> dict[str, Any]:
        return self.pos.to_json()

    @property
    def gems(self) -> Gems:
        return self.json["gems"]

    @property
    def colour(self) -> int:
        name: Message = self.reason.message.values["colour"]
        return COLOURS.index(name.key.rpartition(".")[2])

    def value(self, name: str) -> int:
        value = self.reason.message.values[name]
        return value.number if isinstance(value, Seat) else value

    def names_action(self, name: str, move: str) -> bool:
        return self.reason.message.values[name].key.endswith(f".{move}")

    def wanting(self, move: str) -> list[int]:
        return [rival for rival, mix in self.likely.items() if mix.get(move, 0) >= HALF]

    def offer(self, move: str) -> list[int]:
        """The gems of an offer, or those on the counter that are accepted."""
        if not move.startswith("offer"):
            return self.json["haggle"]["offer"] or [0] * 4
        named = {letter: int(n) for n, letter in re.findall(r"(\d+)([rygb])", move)}
        return [named.get(letter, 0) for letter in "rygb"]

    def then(self, move: str) -> Gems:
        """Everybody's gems after an action for gems, an exchange, or a haggle that ends so."""
        gems = [list(held) for held in self.gems]
        more = self.shown
        if move.startswith(("give", "take")):
            word, letters = move.split()
            more = [letters.count(c) * (-1 if word == "give" else 1) for c in "rygb"]
        if self.json["phase"] != "haggle":
            gems[self.seat] = [n + plus for n, plus in zip(gems[self.seat], more, strict=True)]
            return gems
        return self._after_haggle(move)

    def _after_haggle(self, move: str) -> Gems:
        facts: list[Fact] = []
        then, haggle = self.pos.copy(), self.json["haggle"]
        then.play(self.seat, move, facts.append)
        if move.startswith("offer"):
            rival = next(seat for seat in haggle["seats"] if seat != self.seat)
            then.play(rival, "accept", facts.append)
        ended = next(fact for fact in facts if isinstance(fact, HaggleEnded))
        gems = [list(held) for held in self.gems]
        for colour, n in enumerate(ended.gems):
            gems[ended.winner][colour] -= n
            gems[ended.loser][colour] += n
        taken = [fact for fact in facts if isinstance(fact, GemsTaken)]
        if haggle["action"] in ("gems", "C") and taken and taken[0].seat == ended.winner:
            for colour, n in enumerate(taken[0].gems):
                gems[ended.winner][colour] += n
        return gems


def holders(gems: Gems, colour: int) -> list[int]:
    """The seats with the most of a colour."""
    most = max(held[colour] for held in gems)
    return [seat for seat, held in enumerate(gems) if held[colour] == most > 0]


Claim = Callable[[Case], bool]


class Claims(dict[str, Claim]):
    """Checks by key of the reason."""

    def of(self, *keys: str) -> Callable[[Claim], Claim]:
        def add(check: Claim) -> Claim:
            self.update(dict.fromkeys(keys, check))
            return check

        return add

    def assert_true(self, case: Case) -> None:
        assert self[case.key](case), (
            case.json,
            case.seat,
            case.better,
            case.other,
            case.likely,
            case.reason,
        )


SHARED = Claims()
claim = SHARED.of


# ---------------------------------------------------------------- who else wants it


@claim("crowd", "never_lost")
def two_want_the_other(case: Case) -> bool:
    if not case.names_action("action", case.other):
        return False
    if case.key == "never_lost":
        return case.better == "D" and len(case.wanting(case.other)) >= 2
    both = [seat.number for seat in case.reason.message.values["both"]]
    return len(both) == 2 and {*both} <= {*case.wanting(case.other)}


@claim("alone")
def one_wants_the_other(case: Case) -> bool:
    named = case.names_action("action", case.better) and case.names_action("other", case.other)
    return (
        named and case.wanting(case.other) == [case.value("who")] and not case.wanting(case.better)
    )


@claim("less_contested")
def fewer_want_it(case: Case) -> bool:
    def free(move: str) -> float:
        chance = 1.0
        for mix in case.likely.values():
            chance *= 1 - mix.get(move, 0)
        return chance

    return free(case.better) > free(case.other)


@claim("block")
def leader_wants_it(case: Case) -> bool:
    who, points = case.value("who"), case.json["points"]
    return (
        case.wanting(case.better) == [who]
        and points[who] == max(points[rival] for rival in case.likely)
        and points[who] >= points[case.seat]
    )


# ---------------------------------------------------------------- majorities


@claim("lead_colour", "tie_colour", "safe_colour", "accept_lead", "accept_tie", "take_pair")
def majority_changes(case: Case) -> bool:
    seat, colour = case.seat, case.colour
    gems = case.then(case.better)
    now, then = holders(case.gems, colour), holders(gems, colour)
    values = case.reason.message.values
    if values.get("n", MAJORITY[colour]) != MAJORITY[colour]:
        return False
    if case.key == "safe_colour":
        return now == then == [seat] and gems[seat][colour] > case.gems[seat][colour]
    if case.key.endswith("tie") or case.key == "tie_colour":
        return seat in then and len(then) > 1 and (seat not in now or len(now) > len(then))
    if case.key == "take_pair" and sum(gems[seat]) - sum(case.gems[seat]) != 2:
        return False
    return then == [seat] != now


@claim("take_from")
def lead_of_a_rival_ends(case: Case) -> bool:
    colour, who = case.colour, case.value("who")
    then = holders(case.then(case.better), colour)
    return holders(case.gems, colour) == [who] and case.seat in then


@claim("near_colour")
def is_near_the_lead(case: Case) -> bool:
    gems, colour = case.then(case.better), case.colour
    most = max(held[colour] for held in gems)
    more = gems[case.seat][colour] > case.gems[case.seat][colour]
    return more and most - gems[case.seat][colour] == case.value("n") in (1, 2)


@claim("many_gems")
def counts_gems(case: Case) -> bool:
    return sum(case.then(case.better)[case.seat]) - sum(case.gems[case.seat]) == case.value("n")


def gains_nothing(case: Case, gems: Gems) -> bool:
    """Whether the seat wins or shares no majority that it did not hold as well before."""
    for colour in range(4):
        now, then = holders(case.gems, colour), holders(gems, colour)
        if case.seat in then and (case.seat not in now or len(then) < len(now)):
            return False
    return True


@claim("gems_idle", "points_more", "last_deal")
def points_against_gems(case: Case) -> bool:
    n = case.reason.message.values.get("n", case.points)
    if case.key == "last_deal" and case.json["deals"] != 2:
        return False
    idle = gains_nothing(case, case.then(case.other))
    return n == case.points and (idle or case.key == "points_more")


@claim("keep_lead", "keep_share")
def other_gives_up_a_majority(case: Case) -> bool:
    seat, colour = case.seat, case.colour
    now = holders(case.gems, colour)
    one, two = (holders(case.then(move), colour) for move in (case.better, case.other))
    alone = now == [seat] if case.key == "keep_lead" else seat in now and len(now) > 1
    return alone and seat in one and seat not in two


# ---------------------------------------------------------------- offers


@claim("accept_gems", "enough", "let_go")
def gems_are_those_offered(case: Case) -> bool:
    named = [0] * 4
    for gems in case.reason.message.values["gems"]:
        named[COLOURS.index(gems.key.rpartition(".")[2])] = gems.values["n"]
    if case.key == "let_go":
        return case.better == "pass" and named == case.offer(case.other)
    if case.key == "enough" and case.value("n") != sum(case.offer(case.other)):
        return False
    return case.better == "accept" and named == case.offer("accept")


@claim("start_lower", "raise_less")
def offers_fewer(case: Case) -> bool:
    one, two = (sum(case.offer(move)) for move in (case.better, case.other))
    opens = case.json["haggle"]["offer"] is None
    n = case.reason.message.values.get("n", one)
    return one == n < two and opens == (case.key == "start_lower")


@claim("low_colour")
def can_go_higher_with_as_many(case: Case) -> bool:
    one, two = case.offer(case.better), case.offer(case.other)
    return sum(one) == sum(two) and one < two and one[case.colour] > 0


@claim("spare_colour")
def spends_less_of_a_majority(case: Case) -> bool:
    one, two = case.offer(case.better), case.offer(case.other)
    return one[case.colour] < two[case.colour] and case.seat in holders(case.gems, case.colour)


@claim("not_to_rival", "not_level")
def rival_gets_a_majority(case: Case) -> bool:
    who = case.value("who")
    one, two = (holders(case.then(move), case.colour) for move in (case.better, case.other))
    if case.key == "not_level":
        return who in two and len(two) > 1 and who not in one
    return two == [who] != one


# ---------------------------------------------------------------- positions


def positions(game: str, players: int, dice: random.Random) -> Iterator[Position]:
    """What seats with a choice see, in random games whose haggles end soon."""
    while True:
        pos = souk.game(game).start(players=players)
        while not pos.over:
            if not pos.actors:
                pos.draw(dice)
                continue
            seat = dice.choice(pos.actors)
            moves = pos.moves(seat)[:12]
            view = as_seen(pos, seat)
            if len(moves) > 1 and dice.random() < 0.3:
                yield view
            choosing = pos.to_json()["phase"] == "choose"
            pos.play(seat, dice.choice(moves if choosing else moves[:3]))


def random_wishes(view: Position, seat: int, dice: random.Random) -> dict[int, dict[str, float]]:
    """A mix for every rival who chooses at the same time; many have a favourite."""
    wishes: dict[int, dict[str, float]] = {}
    for rival in view.actors if len(view.actors) > 1 else ():
        if rival != seat:
            shares = [dice.random() ** 4 for _ in view.moves(rival)]
            mix = zip(view.moves(rival), shares, strict=True)
            wishes[rival] = {move: share / sum(shares) for move, share in mix}
    return wishes


# ---------------------------------------------------------------- how it is said


def assert_places(case: Case) -> None:
    """A sentence points to gems, seats, cards and arches."""
    for place in case.reason.message.about:
        kind, name = place.split()
        assert kind in ("gem", "seat", "card", "arch")
        assert name in COLOURS if kind == "gem" else name.isdigit()


def assert_said(cases: list[Case]) -> None:
    for case in cases:
        assert_well_said(case.reason.message, case.pos.players)
        assert_places(case)


def one_sided(cases: list[Case]) -> Iterator[Case]:
    """Reasons that would also be given for the other move."""
    said = {(id(case.pos), case.better, case.other, case.reason.message.text()) for case in cases}
    for case in cases:
        if (id(case.pos), case.other, case.better, case.reason.message.text()) in said:
            yield case
