"""Revealed choices: counted as the game goes on, and passed to bots with every request."""

import asyncio
import random

from souk.bots.registry import make_bot
from souk.core.revealed_choices import ChoiceCounts
from souk.games import game as find_game
from souk.server.compute.bot_pool import BotWorker
from souk.server.tables.game.game_state import GameState

SEED = bytes(range(32))


def test_a_table_notices_what_is_revealed_and_no_more() -> None:
    state, rng = GameState(find_game("basari").start(3), SEED), random.Random(3)
    state.begin()
    revealed = 0
    while revealed < 3:
        choosing = state.position.to_json()["phase"] == "choose"
        seat = rng.choice(state.position.actors)
        before = state.revealed.copy().chosen
        state.play(seat, rng.choice(state.position.moves(seat)[:9]))
        if state.secret and rng.random() < 0.4:
            state.take_back(seat)
        if state.secret or not choosing:
            assert state.revealed.chosen == before
        elif state.revealed.chosen != before:
            revealed += 1
        assert len(state.revealed.hidden) == state.hidden
    assert [sum(each.values()) for each in state.revealed.chosen] == [3, 3, 3]


def test_a_bot_is_told_what_everybody_has_seen() -> None:
    """A bot in another process chooses as one here does, with and without them."""
    found = find_game("basari")
    position, rng = found.start(4), random.Random(1)
    while len(position.actors) < 4:
        position.play(
            position.actors[0], position.moves(position.actors[0])[0]
        ) if position.actors else position.draw(rng)
    seen: list[ChoiceCounts] = [
        (),
        [{"gems": 12}, {"points": 6, "dice": 6}, {"dice": 9, "points": 3}, {"gems": 1, "dice": 11}],
    ]
    questions = [(f"trader:seed={seed}", noticed) for seed in range(12) for noticed in seen]

    async def answers() -> list[str]:
        brain = BotWorker(None)
        await brain.start()
        moves = [
            (await brain.request_move(position, 1, level, None, 60.0, noticed)).move
            for level, noticed in questions
        ]
        await brain.close()
        return moves

    here = [make_bot(level).choose(position, 1, noticed).move for level, noticed in questions]
    assert asyncio.run(answers()) == here
    assert here[::2] != here[1::2]
