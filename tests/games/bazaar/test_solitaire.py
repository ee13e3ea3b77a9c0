"""Every bot level gets the ware in Bazaar solitaire without going round in circles."""

import random
from statistics import mean

import numpy as np
import pytest

import souk
from souk.bots.bot import Bot
from souk.games.bazaar import heuristics
from tests.support.bazaar_positions import BAZAAR, position
from tests.support.marks import clause

PUZZLES = [
    ((1, 2), "WWWRR"),
    ((3, 8), "WWBGY"),
    ((10, 6), "YYYYY"),
    ((4, 9), "BBBYY"),
    ((5, 7), "WGGGG"),
    ((2, 10), "WGRRY"),
]
DEALS = 3  # sequences of dice per puzzle


def actions(bot: Bot, rates: tuple[int, int], ware: str, seed: int) -> tuple[int, int]:
    """Number of actions to the ware, and the most often any hand recurred."""
    pos, dice, hands = BAZAAR.start(1, rates=rates, ware=ware), random.Random(seed), []
    while not pos.over:
        if pos.actors:
            if BAZAAR.rules.is_quiet(pos.state):
                hands.append(int(pos.state.chips[0]))
            pos.play(0, bot.choose(pos, 0).move)
        else:
            pos.draw(dice)
    assert pos.winners == (0,), (bot.name, rates, ware, seed)
    return pos.scores[0], max(map(hands.count, hands))


@clause("Z42")
@pytest.mark.parametrize(
    ("level", "over_par", "most", "same"),
    [
        ("apprentice", 12, 80, 10),
        ("trader", 1.5, 20, 2),
        ("merchant:playouts=16", 1.5, 20, 2),
        ("vizier", 1.5, 20, 2),
    ],
)
def test_everybody_gets_the_ware(level: str, over_par: float, most: int, same: int) -> None:
    """On average about as fast as perfect play, except beginners, and seldom with a hand
    recurring.
    """
    over, again = [], 0
    for rates, ware in PUZZLES:
        par = souk.solve(rates=rates, ware=ware).actions
        for seed in range(DEALS):
            bot = souk.bot(f"{level}{',' if ':' in level else ':'}seed={seed}")
            taken, most_often = actions(bot, rates, ware, seed)
            assert taken <= most
            over.append(taken - par)
            again = max(again, most_often)
    assert -1.5 < mean(over) < over_par, over
    assert again <= same


@clause("Z42")
def test_the_outlook_alone_is_about_the_number_of_actions() -> None:
    """In random hands, within an action of the solver on average, counting the actions used."""
    par, rng, off = souk.solve(rates=(1, 2), ware="WWWRR"), random.Random(3), []
    lookup = heuristics.build_lookup(BAZAAR.start(1, rates=(1, 2), ware="WWWRR").array)
    for _ in range(60):
        letters = "".join(rng.choice("WBGRY") for _ in range(rng.randrange(9)))
        pos, values = position(letters, actions=rng.randrange(9)), [0.0]
        heuristics.evaluate(pos.state, values, lookup)
        off.append(values[0] - pos.scores[0] - par.expected(pos))
    assert abs(mean(off)) < 0.5
    assert mean(map(abs, off)) < 0.5


@clause("Z42")
def test_a_merchant_says_how_many_actions_it_expects() -> None:
    pos = position("WWWWWR")
    choice = souk.bot("merchant:playouts=16,seed=1").choose(pos, 0)
    assert choice.move == "trade WW>R"
    assert [considered_move.score for considered_move in choice.considered] == sorted(
        considered_move.score for considered_move in choice.considered
    )
    assert choice.considered[0].score == 1


@clause("Z42")
def test_who_has_worked_nothing_out_still_sees_a_price() -> None:
    """As for a stand-in before anything is compiled."""
    pos = position("WWWWWR")
    tempted = {
        move: heuristics.beginner_score(pos.state, 0, code, np.zeros(1, np.float32))
        for code, move in zip(pos.move_codes(0), pos.moves(0), strict=True)
    }
    assert max(tempted, key=lambda move: tempted[move]) == "trade WW>R"
