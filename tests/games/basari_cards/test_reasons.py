"""Every sentence about two moves is true of the position, counted again from JSON and facts."""

import random
from collections import Counter
from functools import cache

from souk.core.position import Position
from souk.games.basari_cards.explanations import compare
from tests.games.basari_common import court_claims as court
from tests.games.basari_common.court_claims import Case, Claims
from tests.support.basari_cards_positions import DECK
from tests.support.sentences import assert_named_apart

SEED = 37
POSITIONS = 110  # with three, four and five players
ENOUGH = 15


def card(pos: Position, seat: int) -> tuple[int, list[int]]:
    """The points and gems of a seat's card, as the supply has them."""
    json = pos.to_json()
    text = json["cards"][seat]
    if text is None:
        return 0, [0] * 4
    _, points, gems = text.split("/")
    return int(points), [min(gems.count(c), n) for c, n in zip("RYGB", json["supply"], strict=True)]


def found(pos: Position, better: str, other: str, likely: court.Likely) -> list[Case]:
    seat = pos.actors[0]
    reasons = compare(pos, seat, better, other, likely)
    before = card(pos, seat)
    return [Case(pos, seat, better, other, likely, reason, *before) for reason in reasons]


@cache
def cases() -> list[Case]:
    dice, collected = random.Random(SEED), []
    print("seed", SEED)
    for players in (3, 4, 5):
        source = court.positions("basari-cards", players, dice)
        for _ in range(POSITIONS):
            pos = next(source)
            likely = court.random_wishes(pos, pos.actors[0], dice)
            one, other = dice.sample(pos.moves(pos.actors[0])[:20], 2)
            for pair in ((one, other), (other, one)):
                collected += found(pos, *pair, likely)
    return collected


# ---------------------------------------------------------------- claims


CLAIMS = Claims(court.SHARED)


def pile(case: Case) -> list[int]:
    """The workers of all cards that may come next."""
    seen = case.json["seen"]
    return [int(text[0]) for text in DECK if text not in seen]


@CLAIMS.of("fifteen", "fifteen_sure", "no_fifteen", "points_card")
def cards_bring_enough(case: Case) -> bool:
    workers, cards = case.json["workers"][case.seat], pile(case)
    enough = sum(workers + n >= ENOUGH for n in cards)
    if case.key == "fifteen":
        return (enough, len(cards)) == (case.value("n"), case.value("m")) and workers < ENOUGH
    if case.key == "fifteen_sure":
        return enough == len(cards) > 0
    n = case.reason.message.values.get("n", case.points)
    return enough == 0 and n == case.points


@CLAIMS.of("fifteen_done", "catch_up", "no_pile", "deal_ends")
def counts_workers(case: Case) -> bool:
    workers = case.json["workers"]
    if case.key == "no_pile":
        return not pile(case)
    if case.key == "deal_ends":
        who = case.value("who")
        return who != case.seat and workers[who] + 4 >= ENOUGH
    left = ENOUGH - workers[case.seat]
    return left <= 0 if case.key == "fifteen_done" else left == case.value("n") > 0


@CLAIMS.of("give_spare")
def nothing_is_lost(case: Case) -> bool:
    gems = case.then(case.better)
    given = gems[case.seat][case.colour] == case.gems[case.seat][case.colour] - 1
    held = [case.seat in court.holders(one, case.colour) for one in (case.gems, gems)]
    return given and held == [False, False]


@CLAIMS.of("give_lead", "give_share")
def other_gem_is_needed(case: Case) -> bool:
    seat, colour = case.seat, case.colour
    now = court.holders(case.gems, colour)
    one, two = (court.holders(case.then(move), colour) for move in (case.better, case.other))
    if case.key == "give_lead":
        return now == one == [seat] != two
    return seat in now and len(now) > 1 and one == now and seat not in two


@CLAIMS.of("exchange_lead")
def exchange_can_lead(case: Case) -> bool:
    gems, colour = case.gems, case.colour
    others = [held[colour] for seat, held in enumerate(gems) if seat != case.seat]
    mine = gems[case.seat]
    spare = sum(mine) - mine[colour]
    enough = spare > 0 and case.json["supply"][colour] >= 2
    return case.better == "D" and enough and mine[colour] <= max(others) < mine[colour] + 2


# ---------------------------------------------------------------- tests


def test_every_claim_is_true_of_the_position() -> None:
    for case in cases():
        CLAIMS.assert_true(case)
    seen = Counter(case.key for case in cases())
    print(seen)
    assert len(seen) >= 25


def test_sentences_are_short_and_speak_to_the_listener() -> None:
    court.assert_said(cases())


def test_no_sentence_speaks_for_both_moves() -> None:
    assert list(court.one_sided(cases())) == []


def test_the_exchange_is_explained_in_both_steps() -> None:
    phases = {case.json["phase"] for case in cases()}
    assert phases >= {"choose", "haggle", "give", "take"}


def test_every_move_has_a_name() -> None:
    source = court.positions("basari-cards", 5, random.Random(3))
    for _ in range(60):
        assert_named_apart(next(source))
