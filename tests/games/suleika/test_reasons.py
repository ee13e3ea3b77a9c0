"""Every sentence about two moves is true of the position, counted again another way."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import pytest

import souk
from souk.core.messages import Message, Seat, Words, languages
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.suleika.explanations import compare
from tests.games.suleika import board_claims as board

SEED = 37
NAMES = ["Karim", "Amina", "Bilal", "Dunya"]
VARIANTS = [(4, {}), (3, {}), (2, {}), (2, {"turn_at_end": True})]
POSITIONS = 50  # of each variant
# Claims about all that may follow take longest to count, so only so many of each are.
SLOW = {"way_trap", "safe", "send_past", "way_pass_on", "way_larger", "way_grow"}
MOST_SLOW = 8
WORDS = 16


class Case(NamedTuple):
    """A reason, and the two moves it compares."""

    pos: Position
    seat: int
    better: str
    other: str
    reason: Reason

    @property
    def key(self) -> str:
        return self.reason.message.key.rpartition(".")[2]

    def value(self, name: str) -> int:
        value = self.reason.message.values[name]
        return value.number if isinstance(value, Seat) else value


def positions(players: int, options: dict[str, Any], dice: random.Random) -> Iterator[Position]:
    """Positions with a choice, from random games."""
    while True:
        pos = souk.game("suleika").start(players, **options)
        while not pos.over:
            if not pos.actors:
                pos.draw(dice)
                continue
            seat = pos.actors[0]
            ending = sum(map(_rugs, pos.to_json()["left"])) <= 2
            if len(pos.moves(seat)) > 1 and (ending or dice.random() < 0.15):
                yield pos.copy()
            pos.play(seat, dice.choice(pos.moves(seat)))


def _rugs(left: int | list[int]) -> int:
    return sum(left) if isinstance(left, list) else left


@cache
def cases() -> list[Case]:
    dice, collected = random.Random(SEED), []
    print("seed", SEED)
    for players, options in VARIANTS:
        source = positions(players, options, dice)
        for _ in range(POSITIONS):
            pos = next(source)
            seat = pos.actors[0]
            one, other = dice.sample(pos.moves(seat), 2)
            for pair in ((one, other), (other, one)):
                collected += [
                    Case(pos, seat, *pair, reason) for reason in compare(pos, seat, *pair)
                ]
    return collected


# ---------------------------------------------------------------- claims


Claim = Callable[[Case], bool]
CLAIMS: dict[str, Claim] = {}


def claim(*keys: str) -> Callable[[Claim], Claim]:
    def add(check: Claim) -> Claim:
        CLAIMS.update(dict.fromkeys(keys, check))
        return check

    return add


def both_walks(case: Case) -> tuple[list[board.Roll], list[board.Roll]]:
    one, other = (board.walks(case.pos, case.seat, move) for move in (case.better, case.other))
    return one, other


def free(walk: list[board.Roll]) -> int:
    return 6 - board.sixths(board.paying(walk))


@claim("way_free", "way_safer", "way_never")
def way_is_free(case: Case) -> bool:
    one, other = map(free, both_walks(case))
    if case.key == "way_free":
        dearest = max(roll.paid for roll in both_walks(case)[1])
        return (one, dearest) == (6, case.value("n")) and other < 6
    return (one, other) == (case.value("n"), 0 if case.key == "way_never" else case.value("m"))


@claim("way_worst")
def worst_is_less(case: Case) -> bool:
    one, other = both_walks(case)
    most = max(roll.paid for roll in other)
    payees = {roll.to for roll in other if roll.paid == most}
    return (
        max(roll.paid for roll in one) == case.value("n") < case.value("m") == most
        and case.value("who") in payees
    )


@claim("way_cheaper", "way_less")
def way_is_cheaper(case: Case) -> bool:
    one, other = both_walks(case)
    named = case.key == "way_less" or board.paying(other, case.value("who"))
    return bool(named) and board.mean(one) < board.mean(other)


@claim("way_payee", "way_rival")
def pays_the_leader_less_often(case: Case) -> bool:
    one, other = (board.sixths(board.paying(walk, case.value("who"))) for walk in both_walks(case))
    return one < other and (case.key == "way_payee") == board.leads(
        case.pos, case.value("who"), case.seat
    )


@claim("way_home")
def stops_at_home_more_often(case: Case) -> bool:
    letter, fields = board.laid_letter(case.pos, case.seat), board.visible(case.pos)
    one, other = (
        board.sixths([roll for roll in walk if fields.get(roll.at) == letter])
        for walk in both_walks(case)
    )
    return one > other


@claim("way_grow")
def joins_more_often(case: Case) -> bool:
    letter = board.laid_letter(case.pos, case.seat)
    counts = [
        board.sixths([roll for roll in walk if board.can_join(roll, letter)])
        for walk in both_walks(case)
    ]
    return counts == [case.value("n"), case.value("m")] and counts[0] > counts[1]


@claim("way_larger")
def makes_a_larger_carpet(case: Case) -> bool:
    one, other = (
        sum(roll.chance * board.largest_area(roll) for roll in walk) for walk in both_walks(case)
    )
    return one > other


@claim("way_cut", "way_reach")
def can_cover(case: Case) -> bool:
    one, other = (
        board.sixths([roll for roll in walk if board.can_hide(roll, case.value("who"))])
        for walk in both_walks(case)
    )
    if case.key == "way_cut":
        return one > 0
    return (one, other) == (case.value("n"), case.value("m")) and one > other


@claim("way_trap")
def can_trap(case: Case) -> bool:
    one, other = (
        sum(roll.chance * board.best_trap(roll, case.seat) for roll in walk)
        for walk in both_walks(case)
    )
    return one > other


@claim("way_pass_on")
def next_player_pays_more(case: Case) -> bool:
    def of_next(roll: board.Roll) -> float:
        json = roll.then.to_json()
        json |= {"phase": "turn", "turn": case.value("who")}
        then = souk.game("suleika").from_json(json)
        return sum(map(board.mean, board.next_walks(then))) / len(board.next_walks(then))

    one, other = (sum(roll.chance * of_next(roll) for roll in walk) for walk in both_walks(case))
    return one > other


@claim("send_dear", "send_worst", "send_more")
def sent_where_it_costs(case: Case) -> bool:
    one, other = both_walks(case)
    if case.key == "send_dear":
        return (6 - free(one), 6 - free(other)) == (case.value("n"), case.value("m"))
    if case.key == "send_worst":
        most = [max((roll.paid for roll in walk), default=0) for walk in (one, other)]
        return most == [case.value("n"), case.value("m")] and most[0] > most[1]
    return board.mean(one, case.seat) > board.mean(other, case.seat)


@claim("send_past")
def sent_where_less_is_lost(case: Case) -> bool:
    one, other = (board.harm(walk, case.seat) for walk in both_walks(case))
    return one < other


@claim("send_off")
def sent_away_from_home(case: Case) -> bool:
    fields, own = board.visible(case.pos), board.letters(case.pos, case.value("who"))
    return any(fields.get(roll.at, " ") in own for roll in both_walks(case)[1])


@claim("last_rug", "last_shown", "last_hides")
def last_rug_counts(case: Case) -> bool:
    values = case.reason.message.values
    then = board.after(case.pos, case.seat, case.better)
    if not then.over:
        return False
    hides = board.laid(case.pos, case.seat, case.better).hides
    shown = board.halves(then, case.seat) - board.halves(case.pos, case.seat)
    return values.get("n", 0) == shown and (
        "m" not in values or hides.count(case.value("who")) == values["m"]
    )


@claim("join", "join_of")
def carpet_is_larger(case: Case) -> bool:
    one, other = (board.laid(case.pos, case.seat, move).area for move in (case.better, case.other))
    return (one, other) == (case.value("n"), case.value("m")) and one > other


@claim("join_two", "join_two_of")
def carpets_are_joined(case: Case) -> bool:
    fact = board.laid(case.pos, case.seat, case.better)
    then = board.after(case.pos, case.seat, case.better)
    joined = next(
        carpet
        for carpet in board.carpets(board.visible(then), fact.colour)
        if fact.fields[0] in carpet
    ) - set(fact.fields)
    old = board.carpets(board.visible(case.pos), fact.colour)
    return fact.area == case.value("n") and sum(bool(carpet & joined) for carpet in old) == 2


@claim("keep_whole", "keep_size")
def other_place_harms_my_carpet(case: Case) -> bool:
    then = board.after(case.pos, case.seat, case.other)
    if case.key == "keep_whole":
        return board.worst_split(case.pos, then, case.seat) > 1
    return case.seat in board.laid(case.pos, case.seat, case.other).hides


@claim("keep_own")
def other_place_hides_my_squares(case: Case) -> bool:
    one, other = (
        board.laid(case.pos, case.seat, move).hides.count(case.seat)
        for move in (case.better, case.other)
    )
    return one < other == case.value("n")


def ways_to_me(case: Case, move: str) -> list[int]:
    """For every way of the next player, how many of six rolls pay me."""
    then = board.after(case.pos, case.seat, move)
    return [board.sixths(board.paying(walk, case.seat)) for walk in board.next_walks(then)]


@claim("trap", "trap_all", "trap_more")
def lies_across_ways(case: Case) -> bool:
    one, other = (ways_to_me(case, move) for move in (case.better, case.other))
    if case.key == "trap_more":
        return sum(one) > sum(other)
    crossed = sum(map(bool, one))
    wanted = 3 if case.key == "trap_all" else case.value("n")
    return len(one) == 3 and crossed == wanted > sum(map(bool, other))


@claim("aim")
def can_be_sent_where_it_costs(case: Case) -> bool:
    one, other = (
        max(
            board.mean(walk, case.seat)
            for walk in board.next_walks(board.after(case.pos, case.seat, move))
        )
        for move in (case.better, case.other)
    )
    return one > other


@claim("cut", "cut_of", "cut_up")
def carpet_is_cut(case: Case) -> bool:
    then = board.after(case.pos, case.seat, case.better)
    wanted = case.reason.message.values.get("n", 2)
    return board.worst_split(case.pos, then, case.value("who")) == wanted


@claim("shrink", "hide", "hide_leader", "hide_rival", "hide_both")
def squares_are_hidden(case: Case) -> bool:
    hides, who = board.laid(case.pos, case.seat, case.better).hides, case.value("who")
    if case.key == "shrink":
        return who in hides
    if case.key == "hide_both":
        return sorted(hides) == sorted((who, case.value("other")))
    leads = board.leads(case.pos, who, case.seat)
    named = {"hide": True, "hide_leader": leads, "hide_rival": not leads}[case.key]
    return named and hides.count(who) == case.value("n")


@claim("starve")
def rival_gets_less(case: Case) -> bool:
    one, other = (
        board.mean_of_next(board.after(case.pos, case.seat, move), case.value("who"))
        for move in (case.better, case.other)
    )
    return one < other


@claim("safe")
def less_can_be_covered(case: Case) -> bool:
    one, other = (
        sum(board.harm(walk, case.seat) for walk in board.next_walks(then))
        for then in (board.after(case.pos, case.seat, move) for move in (case.better, case.other))
    )
    return one < other


@claim("edge")
def is_exposed_less(case: Case) -> bool:
    one, other = (
        board.placements(board.laid(case.pos, case.seat, move).fields)
        for move in (case.better, case.other)
    )
    return other - one >= 12


# ---------------------------------------------------------------- tests


def test_every_claim_is_true_of_the_position() -> None:
    seen: Counter[str] = Counter()
    for case in cases():
        seen[case.key] += 1
        if case.key in SLOW and seen[case.key] > MOST_SLOW:
            continue
        assert CLAIMS[case.key](case), (
            case.pos.to_json(),
            case.seat,
            case.better,
            case.other,
            case.reason.message.text(NAMES),
        )
    print(seen)
    assert set(CLAIMS) - set(seen) <= RARE


# Met in too few random positions to be demanded of this seed.
RARE = {"way_less", "send_worst", "send_more", "cut_up", "keep_whole", "keep_size", "last_hides"}


@pytest.mark.parametrize("language", languages())
def test_sentences_are_short_and_speak_to_the_listener(language: str) -> None:
    for case in cases():
        message, players = case.reason.message, case.pos.players
        seats = [value for value in message.values.values() if isinstance(value, Seat)]
        text = Words(language, NAMES).say(message)
        assert "%" not in text
        assert "{" not in text
        for you in range(players):
            spoken = Words(language, NAMES, you=you).say(message)
            assert NAMES[you] not in spoken
            assert len(spoken.split()) <= WORDS, spoken
            assert sum(name in spoken for name in NAMES) <= 2
            assert (spoken == text) == (Seat(you) not in seats), (spoken, text)


def test_no_sentence_speaks_for_both_moves() -> None:
    by_pair: dict[tuple[int, int, str, str], set[str]] = {}
    for case in cases():
        by_pair.setdefault((id(case.pos), case.seat, case.better, case.other), set()).add(
            case.reason.message.text(NAMES)
        )
    for (pos, seat, better, other), texts in by_pair.items():
        assert not texts & by_pair.get((pos, seat, other, better), set())


def test_places_are_fields_of_the_board() -> None:
    named = [case for case in cases() if case.reason.message.about]
    assert len(named) > len(cases()) / 2
    for case in named:
        for place in case.reason.message.about:
            kind, field = place.split()
            assert kind == "field"
            assert field in {a + b for a in board.COLUMNS for b in "1234567"}


def test_a_joined_carpet_is_outlined_and_counted() -> None:
    """The marks of a cut are the pieces that remain; those of a join the whole new carpet."""
    for case in cases():
        about = [place.split()[1] for place in case.reason.message.about]
        then = board.visible(board.after(case.pos, case.seat, case.better))
        if case.key in ("join", "join_of", "join_two", "join_two_of"):
            assert len(about) == case.value("n")
        if case.key in ("cut", "cut_of"):
            letter = then[about[0]]
            assert len(board.carpets(dict.fromkeys(about, letter), letter)) == 2


def test_moves_that_do_the_same_have_no_reasons() -> None:
    pos = souk.game("suleika").start(4)
    assert compare(pos, 0, "left", "left") == []
    pos.play(0, "straight")
    pos.resolve("1")
    assert compare(pos, 0, "rug c5 c4", "rug c5 c4") == []


def test_a_message_names_its_rival() -> None:
    """Blue cuts a red carpet of three in two; the other place touches nothing."""
    pos = souk.game("suleika").start(4)
    board_rows = [["" for _ in range(7)] for _ in range(7)]
    for column, rug in enumerate(("r1", "r1", "r2", "r3", "r3")):
        board_rows[3][column + 1] = rug
    pos = souk.game("suleika").from_json(
        pos.to_json()
        | {
            "board": board_rows,
            "turn": 2,
            "phase": "rug",
            "left": [9, 12, 12, 12],
            "omar": {"at": "d6", "facing": "n"},
        }
    )
    cuts = [
        reason.message
        for reason in compare(pos, 2, "rug d5 d4", "rug d7 e7")
        if reason.key == "cut"
    ]
    expected = Message("suleika.why.cut", who=Seat(0)).at(
        "field b4", "field c4", "field e4", "field f4"
    )
    assert cuts == [expected]
