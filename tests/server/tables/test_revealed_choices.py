"""What a table has seen its seats choose: counted as the game goes on, and told to the bots with every question."""

import asyncio
import random

from souk.bots.registry import named
from souk.core.noticed import Chosen
from souk.games import game as find_game
from souk.table.brains import Brain
from souk.table.course import Course

SEED = bytes(range(32))


def test_a_table_notices_what_is_revealed_and_no_more() -> None:
    course, rng = Course(find_game("basari").start(3), SEED), random.Random(3)
    course.begin()
    revealed = 0
    while revealed < 3:
        choosing = course.position.to_json()["phase"] == "choose"
        seat = rng.choice(course.position.actors)
        before = course.noticed.copy().chosen
        course.play(seat, rng.choice(course.position.moves(seat)[:9]))
        if course.secret and rng.random() < 0.4:
            course.take_back(seat)
        if course.secret or not choosing:
            assert course.noticed.chosen == before
        elif course.noticed.chosen != before:
            revealed += 1
        assert len(course.noticed.hidden) == course.hidden
    assert [sum(each.values()) for each in course.noticed.chosen] == [3, 3, 3]


def test_a_bot_is_told_what_everybody_has_seen() -> None:
    """Through the pipe to another process it chooses as it does here, with and without."""
    found = find_game("basari")
    position, rng = found.start(4), random.Random(1)
    while len(position.actors) < 4:
        position.play(position.actors[0], position.moves(position.actors[0])[0]) if position.actors else position.draw(
            rng
        )
    seen: list[Chosen] = [
        (),
        [{"gems": 12}, {"points": 6, "dice": 6}, {"dice": 9, "points": 3}, {"gems": 1, "dice": 11}],
    ]
    questions = [(f"trader:seed={seed}", noticed) for seed in range(12) for noticed in seen]

    async def answers() -> list[str]:
        brain = Brain(None)
        await brain.start()
        moves = [(await brain.ask(position, 1, level, None, 60.0, noticed)).move for level, noticed in questions]
        await brain.close()
        return moves

    here = [named(level).choose(position, 1, noticed).move for level, noticed in questions]
    assert asyncio.run(answers()) == here
    assert here[::2] != here[1::2]
