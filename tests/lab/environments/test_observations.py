"""Observations and actions: actions reach exactly the legal moves; observations match the view."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import souk
from souk.core.observation_spec import places
from souk.core.position import Position
from souk.games.basari_common import rules as haggling
from souk.lab.environments.batch_cpu import layout_of
from souk.lab.environments.observation_docs import page
from tests.support.random_games import VARIANTS, random_game, variant_name

# minimum number of offers built gem by gem in a test
_OFFERS = 40


def seen(pos: Position, seat: int, draft: int = 0) -> dict[str, list[int]]:
    """A seat's observation by field."""
    numbers = layout_of(pos.game)
    out = [0] * numbers.observed
    pos.game.rules.observe(pos.seen_by(seat).state, seat, draft, out)
    return {name: out[place] for name, place in places(numbers.fields).items()}


def allowed(pos: Position, seat: int, draft: int) -> list[int]:
    mask = [0] * layout_of(pos.game).actions
    pos.game.rules.action_mask(pos.state, seat, draft, mask)
    return [action for action, may in enumerate(mask) if may]


def actor_positions(
    name: str, players: int, options: dict[str, Any], seed: int
) -> Iterator[tuple[Position, int]]:
    """Positions of a random game in which a seat is to move, with that seat."""
    for record in random_game(name, players, options, seed):
        for seat in record.position.actors:
            yield record.position, seat


def moves_by_actions(pos: Position, seat: int) -> set[int]:
    """The moves that actions make directly."""
    intents = {
        pos.game.rules.decode_action(pos.state, seat, 0, action) for action in allowed(pos, seat, 0)
    }
    return {move for move in intents if move >= 0}


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_actions_make_the_legal_moves(variant: tuple[str, int, dict[str, Any]]) -> None:
    name, players, options = variant
    for pos, seat in actor_positions(name, players, options, seed=11):
        offers = {
            pos.game.notation.read_move(pos.state, move)
            for move in pos.moves(seat)
            if move.startswith("offer")
        }
        assert moves_by_actions(pos, seat) == set(pos.move_codes(seat)) - offers


@pytest.mark.parametrize(("name", "players"), [("basari", 3), ("basari-cards", 5)])
def test_offers_are_put_together_gem_by_gem(name: str, players: int) -> None:
    rng, tried = random.Random(5), 0
    for pos, seat in actor_positions(name, players, {}, seed=3):
        offers = [move for move in pos.moves(seat) if move.startswith("offer")]
        for move in rng.sample(offers, min(2, len(offers))):
            code = pos.game.notation.read_move(pos.state, move)
            assert put_together(pos, seat, code, rng) == code
            tried += 1
    assert tried > _OFFERS


def put_together(pos: Position, seat: int, wanted: int, rng: random.Random) -> int:
    """Build an offer by legal actions, adding its gems in random order."""
    draft = 0
    while True:
        ways = {
            pos.game.rules.decode_action(pos.state, seat, draft, action)
            for action in allowed(pos, seat, draft)
        }
        if wanted in ways:
            return wanted
        drafts = [-1 - way for way in ways if way < 0]
        draft = rng.choice([more for more in drafts if within(more, wanted - haggling.OFFER)])


def within(gems: int, others: int) -> bool:
    return all(haggling.part(gems, c) <= haggling.part(others, c) for c in range(4))  # type: ignore[no-untyped-call]


@pytest.mark.parametrize("name", ["basari", "basari-cards"])
def test_no_draft_leads_nowhere(name: str) -> None:
    """Adding gems at random always leads to a legal offer."""
    rng = random.Random(8)
    for pos, seat in actor_positions(name, 4, {}, seed=9):
        way = -1
        while way < 0:
            draft = -1 - way
            way = pos.game.rules.decode_action(
                pos.state, seat, draft, rng.choice(allowed(pos, seat, draft))
            )
        assert pos.is_legal(seat, pos.game.notation.move_text(pos.state, way))


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_numbers_stay_in_their_bounds(variant: tuple[str, int, dict[str, Any]]) -> None:
    name, players, options = variant
    fields = {field.name: field for field in layout_of(souk.game(name)).fields}
    for record in random_game(name, players, options, seed=4):
        for seat in range(players):
            for field, values in seen(record.position, seat).items():
                assert fields[field].low <= min(values)
                assert max(values) <= fields[field].high


def from_seat(values: list[Any], seat: int) -> list[Any]:
    return values[seat:] + values[:seat]


@pytest.mark.parametrize(
    ("name", "players", "names"),
    [
        ("suleika", 3, {"money": "money"}),
        ("basari", 4, {"points": "points", "walked": "walked", "gems": "gems"}),
        ("basari-cards", 5, {"points": "points", "workers": "workers", "gems": "gems"}),
        ("bazaar", 6, {"points": "points", "chips": "chips", "bought": "bought"}),
    ],
)
def test_everybody_counts_from_their_own_seat(
    name: str, players: int, names: dict[str, str]
) -> None:
    for record in random_game(name, players, {}, seed=6):
        output = record.position.to_json()
        for seat in range(players):
            numbers = seen(record.position, seat)
            for field, key in names.items():
                mine = np.array(from_seat(output[key], seat)).ravel().tolist()
                assert numbers[field][: len(mine)] == mine


def test_the_market_in_numbers() -> None:
    """Suleika's observation, decoded, agrees with the position's text."""
    for record in random_game("suleika", 4, {}, seed=2):
        output = record.position.to_json()
        numbers = seen(record.position, 2)
        last = max((int(text[1:]) for row in output["board"] for text in row if text), default=0)
        for field in range(49):
            text = output["board"][6 - field % 7][field // 7]
            colour, rug = ("rybg".index(text[0]), int(text[1:])) if text else (-1, 0)
            assert numbers["colour"][field] == ((colour - 2) % 4 + 1 if text else 0)
            assert numbers["rug"][field] == (last + 1 - rug if text else 0)
        column, row = numbers["omar"]
        assert output["omar"] == {
            "at": "abcdefg"[column] + str(row + 1),
            "facing": "nesw"[numbers["facing"][0]],
        }
        assert numbers["left"] == from_seat(output["left"], 2)


@pytest.mark.parametrize(
    ("name", "choices"), [("basari", ("dice", "points", "gems")), ("basari-cards", ("A", "B", "C"))]
)
def test_numbers_do_not_tell_secrets(name: str, choices: tuple[str, ...]) -> None:
    """The others' observations do not depend on a secret choice."""
    found = 0
    for record in random_game(name, 4, {}, seed=7):
        pos = record.position
        if len(pos.actors) == 4:
            found += 1
            views = []
            for choice in choices:
                chosen = pos.copy()
                chosen.play(1, choice)
                views.append([seen(chosen, seat) for seat in (0, 2, 3)])
                assert seen(chosen, 1)["choice"][0] == choices.index(choice)
            assert views[0] == views[1] == views[2]
    assert found > 5


def test_the_page_of_observations_is_up_to_date() -> None:
    written = (Path(__file__).parents[3] / "docs" / "program" / "observations.md").read_text(
        encoding="utf-8"
    )
    assert written == page(), (
        "python -m souk.lab.environments.observation_docs > docs/program/observations.md"
    )
