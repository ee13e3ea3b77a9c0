"""Constructed positions, reachable or not: games from there end, and can be saved and
loaded throughout.
"""

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import souk
from souk.core.record import BadRecord, record_text
from souk.server.protocol.errors import RequestRefused
from souk.server.tables.setup.branches import read_position
from tests.support import basari_cards_positions as cards
from tests.support import basari_positions as basari
from tests.support import bazaar_positions as bazaar
from tests.support.made_up import made_up
from tests.support.random_games import VARIANTS, variant_name

SEEDS = range(6)


def most_events(name: str, players: int) -> int:
    """Upper bound of a game's events, allowing 25 per haggle (random players stop with
    probability 1/2).
    """
    if name == "suleika":
        return 4 * 48 + 4  # S30: a card, a direction, a roll and a rug each
    if name == "basari":
        return (
            84 * (2 * players + 3 * 25) + 100
        )  # B30, B35: everybody walks at least an arch in a round
    if name == "basari-cards":
        return 3 * 39 * (2 * players + 3 * 25) + 100  # K10, K40: every round deals a card at least
    if players == 1:
        return 200 * 4 + 20  # Z32
    return 21 * 50 * players * 5 + 100  # Z30, Z32: 20 wares, and as many turns before each


def play_random(record: souk.Record, seed: int) -> Iterator[souk.Position]:
    """Play a random game to its end; yields the position after each event."""
    game, rng = record.game, random.Random(seed)
    while not (now := record.position).over:
        if now.actors:
            seat = rng.choice(now.actors)
            code = game.rules.random_move(now.state, seat, rng.getrandbits(64), [0] * game.widest)
            record.play(seat, game.notation.move_text(now.state, code))
        else:
            record.draw(rng)
        yield record.position


def check_to_the_end(start: souk.Position, seed: int, folder: Path) -> None:
    """A random game ends, and can be read at every event, from JSON and as a record."""
    game, record = start.game, souk.Record(start.game, start=start)
    for now in play_random(record, seed):
        assert game.from_json(json.loads(json.dumps(now.to_json()))) == now
        assert len(record.events) < most_events(game.name, start.players)
    record.save(folder / "game.souk")
    assert souk.load(folder / "game.souk") == record


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_accepted_can_be_played_to_its_end_and_loaded_all_the_way(
    variant: tuple[str, int, dict[str, Any]], seed: int, tmp_path: Path
) -> None:
    check_to_the_end(made_up(*variant, seed), seed, tmp_path)


# ---------------------------------------------------------------- refused positions


def market(players: int = 4, **changes: Any) -> dict[str, Any]:
    """Suleika with its first fields covered: `halves` from a7 on, row by row."""
    halves = iter(changes.pop("halves", []))
    board = [[next(halves, "") for _ in range(7)] for _ in range(7)]
    return souk.game("suleika").start(players=players).to_json() | {"board": board} | changes


ENDLESS = cards.data(seen=cards.DECK)  # the pile is empty, and nobody has a worker
START = {"phase": "start", "turn": 3, "figures": [5, 5, 9, None], "discs": [5, 5, 9, None]}
BIDDING = {"phase": "buy", "points": [9999, 0], "left": [5, 1, 1, 1]}
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    (
        "a deal without an end",
        ENDLESS,
        "seen: this deal might never end: 0 workers are held and 0 are on unseen cards",
    ),
    # Values that one more event would make too high to be read.
    ("a rug's number", market(halves=["r999"], left=[1] * 4), "board: 'r999' on a7 is not"),
    (
        "points",
        basari.at(points=[9999, 0, 0, 0]),
        "points: 9999 is too high here: play may still add up to",
    ),
    (
        "arches",
        basari.at(phase="walk", turn=0, walked=[9999, 0, 0, 0]),
        "walked: 9999 is not a whole number from 0 to",
    ),
    (
        "points on cards",
        cards.data(points=[9999, 0, 0]),
        "points: 9999 is too high here: play may still add up to",
    ),
    (
        "workers",
        cards.data(workers=[999, 0, 0]),
        "workers: 999 is too high here: play may still add up to 98",
    ),
    (
        "points for wares",
        bazaar.at("WWWRR", "", **BIDDING),
        "points: 9999 is too high here: play may still add up to 96",
    ),
    (
        "quiet turns",
        bazaar.at("", turns_without_purchase=9999),
        "turns_without_purchase: 9999 is not a whole number",
    ),
    (
        "many quiet turns",
        bazaar.at("", turns_without_purchase=800),
        "turns_without_purchase: 800 is too high here",
    ),
    # More than the box contains.
    (
        "rugs of a colour",
        market(3, halves=[f"r{n}" for n in range(1, 25)], left=[12, 9, 0]),
        "left: 24 of 15 red rugs",
    ),
    (
        "one rug too many",
        market(halves=["r1"], left=[12, 11, 12, 12]),
        "left: 1 of 12 red rugs can be seen, so at most 11",
    ),
    (
        "hidden rugs",
        market(halves=["r9"], left=[10] * 4),
        "left: rug 9 of 48 lies on the market, so at most 39",
    ),
    (
        "wares",
        bazaar.at(*[""] * 6, bought=[20] * 6, left=[5, 0, 5, 5]),
        "bought: of 20 wares 15 are still in the stalls",
    ),
    (
        "one ware too many",
        bazaar.at("", "", bought=[1, 0]),
        "bought: of 20 wares 20 are still in the stalls, so at most 0",
    ),
    (
        "the only ware",
        bazaar.at("", phase="over", bought=[1], left=[1]),
        "bought: of 1 wares 1 are still in the stalls",
    ),
]


@pytest.mark.parametrize(
    ("data", "problem"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_no_way_leads_in_for_a_position_that_does_not_hold(
    data: dict[str, Any], problem: str
) -> None:
    """As JSON, as the start of a record in a file, and as the start of a table."""
    game = souk.game(data["game"])
    with pytest.raises(ValueError, match=f"^{re.escape(problem)}"):
        game.from_json(data)
    with pytest.raises(RequestRefused):
        read_position(game, data)
    start = game.start(players=data["players"])
    headers = souk.Record(game, start=start, date="2026-01-01").headers | {"position": data}
    with pytest.raises(BadRecord, match=rf"^line \d+: {re.escape(problem)}"):
        souk.Record.parse(record_text(headers, [], "end: unfinished"))


# Unreachable forms with nothing wrong in themselves.
ACCEPTED: list[tuple[str, dict[str, Any]]] = [
    ("rugs left unevenly", market(left=[1, 12, 0, 7])),
    ("fewer rugs than there are", market(2, left=[[0, 1], [2, 0]])),
    ("over with rugs left", market(phase="over", turn=None)),
    ("over with no scoring", basari.at(phase="over")),
    ("two discs on an arch", basari.at(**START)),
    ("a walk that does not lead from disc to figure", basari.at(walked=[27, 3, 0, 1])),
    ("wares that nobody has", bazaar.at("", "", left=[2, 2, 2, 2])),
]


@pytest.mark.parametrize("data", [case[1] for case in ACCEPTED], ids=[case[0] for case in ACCEPTED])
def test_positions_are_not_asked_how_they_came_about(data: dict[str, Any], tmp_path: Path) -> None:
    check_to_the_end(souk.game(data["game"]).from_json(data), 1, tmp_path)
