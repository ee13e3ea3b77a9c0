"""The Bazaar solitaire solver: values checked by the rules, by simulation and by one-action
lookahead.
"""

import random

import pytest

import souk
from tests.support.marks import clause

BAZAAR = souk.game("bazaar")


def standing(rates: tuple[int, int], ware: str, chips: list[int]) -> souk.Position:
    """The player on turn with these chips."""
    json = BAZAAR.start(players=1, rates=rates, ware=ware).to_json()
    return BAZAAR.from_json(json | {"chips": [chips], "bank": [20 - held for held in chips]})


def random_chips(rng: random.Random) -> list[int]:
    chips = [0] * 5
    for _ in range(rng.randrange(11)):
        chips[rng.randrange(5)] += 1
    return chips


@clause("Z42")
@pytest.mark.parametrize(
    ("rates", "ware"), [((1, 2), "WWWRR"), ((3, 8), "WWBGY"), ((10, 6), "YYYYY")]
)
def test_no_change_of_a_single_action_improves_the_value(rates: tuple[int, int], ware: str) -> None:
    par, rng = souk.solve(rates=rates, ware=ware), random.Random(f"{rates} {ware}")
    for _ in range(120):
        pos = standing(rates, ware, random_chips(rng))
        ahead = []
        for move in pos.moves(0):
            after = pos.copy()
            after.play(0, move)
            ahead.append((1 + par.expected(after), move))
        assert par.expected(pos) == pytest.approx(min(ahead)[0], abs=1e-9), pos.to_json()
        assert {move: value for value, move in ahead}[par.best(pos)] == pytest.approx(
            par.expected(pos), abs=1e-9
        )


@clause("Z42")
def test_playing_the_best_moves_takes_as_many_actions_as_it_says() -> None:
    """The mean of 150 games is within four standard errors of the value."""
    par, rng, used = souk.solve(rates=(1, 2), ware="WWWRR"), random.Random(17), []
    for _ in range(150):
        pos = BAZAAR.start(players=1, rates=(1, 2), ware="WWWRR")
        while not pos.over:
            if pos.actors:
                pos.play(0, par.best(pos))
            else:
                pos.draw(rng)
        assert pos.winners == (0,)
        used.append(pos.scores[0])
    mean = sum(used) / len(used)
    error = (sum((n - mean) ** 2 for n in used) / len(used) / (len(used) - 1)) ** 0.5
    assert abs(mean - par.actions) < 4 * error, (mean, par.actions, error)


@clause("Z42")
def test_one_trade_from_the_ware() -> None:
    par = souk.solve(rates=(1, 2), ware="WWWRR")
    pos = standing((1, 2), "WWWRR", [5, 0, 0, 1, 0])
    assert par.expected(pos) == 1
    assert par.best(pos) == "trade WW>R"
    pos.play(0, "trade WW>R")
    assert par.expected(pos) == 0
    assert par.best(pos) == "buy 1"
    pos.play(0, "done")  # the worst move
    assert par.expected(pos) > 1


@clause("Z42")
def test_every_phase_has_a_value_and_every_choice_a_best_move() -> None:
    par = souk.solve(rates=(1, 2), ware="WWWRR")
    pos = standing((1, 2), "WWWRR", [2, 2, 2, 2, 2])
    before = par.expected(pos)
    pos.play(0, "roll")
    assert par.expected(pos) + 1 >= before
    with pytest.raises(ValueError, match="a die is due"):
        par.best(pos)
    pos.resolve("choice")
    pos.play(0, par.best(pos))
    assert pos.to_json()["phase"] == "return"
    assert par.best(pos).startswith("return ")


def test_the_order_of_the_rate_cards_does_not_matter() -> None:
    one, other = souk.solve(rates=(1, 2), ware="WWWRR"), souk.solve(rates=[2, 1], ware="rrwww")
    assert one.actions == pytest.approx(other.actions, abs=1e-9)
    assert souk.solve(rates=(1, 2), ware="WWWRR") is one


@pytest.mark.parametrize(
    ("rates", "ware", "field"),
    [
        (None, "WWWRR", "rates"),
        ((1, 1), "WWWRR", "rates"),
        ((1, 11), "WWWRR", "rates"),
        ((1, 2), None, "ware"),
        ((1, 2), "WWWWWW", "ware"),
    ],
)
def test_puzzles_without_sense(rates: object, ware: object, field: str) -> None:
    with pytest.raises(ValueError, match=f"^{field}: "):
        souk.solve(rates=rates, ware=ware)


def test_positions_of_another_puzzle_are_refused() -> None:
    par = souk.solve(rates=(1, 2), ware="WWWRR")
    others = [
        BAZAAR.start(players=1, rates=(1, 3), ware="WWWRR"),
        BAZAAR.start(players=1, rates=(1, 2), ware="YYYYY"),
        BAZAAR.start(players=2, rates=(1, 2), first=0),
        souk.game("suleika").start(players=2),
    ]
    for pos in others:
        for ask in (par.best, par.expected):
            with pytest.raises(ValueError, match="not a position of the puzzle"):
                ask(pos)
