"""Basari, the card game: decks and options."""

import itertools
import json
import random
from pathlib import Path
from typing import Any

import pytest

from souk.games.basari_cards.box import workers_needed
from tests.support.basari_cards_positions import DECK, GAME, at
from tests.support.marks import clause
from tests.support.play import play_on


def deck_file(folder: Path, cards: list[str], about: str = 'about = "a test"') -> str:
    path = folder / "mine.toml"
    path.write_text(about + "\ncards = [\n" + "".join(f'  "{card}",\n' for card in cards) + "]\n")
    return str(path)


@clause("K2")
def test_another_deck_can_be_named_by_its_path(tmp_path: Path) -> None:
    deck = deck_file(tmp_path, ["4/7/brrr", *DECK[1:]])
    pos = GAME.start(players=3, deck=deck)
    assert list(pos.chances()) == ["4/7/RRRB", *DECK[1:]]
    assert '"4/7/brrr"' in pos.options["deck"]
    assert GAME.from_json(pos.to_json()) == pos
    assert pos != GAME.start(players=3)
    assert GAME.about_box(pos.options) == "a test"


@clause("K2")
@pytest.mark.parametrize(
    ("cards", "line", "problem"),
    [
        (["5/5/RR", *DECK[1:]], 3, "is not a card"),
        ([*DECK[:2], "1/8/RR", *DECK[3:]], 5, "is not a card"),
        ([*DECK[:2], "1/5/R", *DECK[3:]], 5, "is not a card"),
        ([*DECK[:2], "1/5/RRRRR", *DECK[3:]], 5, "is not a card"),
        ([*DECK[:2], "1/5/RX", *DECK[3:]], 5, "is not a card"),
        ([*DECK[:38], "1/5/BBYR"], 41, "twice"),
        (DECK[:38], 2, "must have 39 entries, not 38"),
        ([*DECK, "4/7/RRRB"], 2, "must have 39 entries, not 40"),
    ],
)
def test_a_bad_deck_is_refused_with_its_line(
    tmp_path: Path, cards: list[str], line: int, problem: str
) -> None:
    with pytest.raises(ValueError, match=f"^deck: mine.toml, line {line}: .*{problem}"):
        GAME.start(players=3, deck=deck_file(tmp_path, cards))


def test_a_deck_file_needs_its_keys(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^deck: mine.toml, line 1: unknown key"):
        GAME.start(players=3, deck=deck_file(tmp_path, DECK, 'abuot = "a test"'))
    with pytest.raises(ValueError, match=r"^deck: mine.toml, .*without about"):
        GAME.start(players=3, deck=deck_file(tmp_path, DECK, ""))


@pytest.mark.parametrize("deck", ["", "nowhere", "no/such.toml", None, 7, ["souk"]])
def test_a_deck_that_is_not_there_is_refused(deck: Any) -> None:
    with pytest.raises(ValueError, match=r"^deck: "):
        GAME.start(players=3, deck=deck)


@pytest.mark.parametrize(
    "options",
    [{"players": 2}, {"players": 6}, {"players": 3, "board": "souk"}, {"players": 3, "first": 1}],
)
def test_options_that_make_no_sense_are_refused_by_name(options: dict[str, Any]) -> None:
    name = next(iter(options.keys() - {"players"}), "players")
    with pytest.raises(ValueError, match=f"^{name}: "):
        GAME.start(**options)


@clause("K40")
def test_a_deck_with_too_few_workers_is_refused_since_a_deal_would_not_end(tmp_path: Path) -> None:
    gems = ["RR", "RY", "RG", "RB", "YY", "YG", "YB", "GG", "GB", "BB"]
    deck = deck_file(
        tmp_path, [f"1/{points}/{pair}" for points in (4, 5, 6, 7) for pair in gems][:39]
    )
    with pytest.raises(
        ValueError, match="^deck: mine.toml, line 2: with 3 players a deck needs 43 workers, not 39"
    ):
        GAME.start(players=3, deck=deck)


def scarce_deck(players: int, seed: int) -> str:
    """A data file of cards with just enough workers for deals to end."""
    rng = random.Random(seed)
    gems = ["".join(pair) for pair in itertools.combinations_with_replacement("RYGB", 2)]
    faces = rng.sample([f"{points}/{pair}" for points in (4, 5, 6, 7) for pair in gems], 39)
    workers = [1] * 39
    while sum(workers) < workers_needed(players):
        workers[rng.choice([k for k in range(39) if workers[k] < 4])] += 1
    return 'about = "a test"\ncards = ' + json.dumps(
        [f"{n}/{face}" for n, face in zip(workers, faces, strict=True)]
    )


@clause("K40")
@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("seed", range(5))
def test_no_position_of_a_game_with_a_scarce_deck_is_taken_for_endless(
    players: int, seed: int
) -> None:
    for pos in play_on(GAME.start(players=players, deck=scarce_deck(players, seed)), seed):
        assert GAME.from_json(pos.to_json()) == pos


@clause("K40")
@pytest.mark.parametrize("seed", range(20))
def test_a_deal_that_is_taken_ends_and_with_a_worker_less_it_is_refused(seed: int) -> None:
    """Workers are spread evenly, so that nobody has 15 for as long as possible."""
    rng = random.Random(seed)
    players = rng.choice([3, 4, 5])
    seen = rng.sample(DECK, rng.randint(30, 39))
    unseen = sum(int(card[0]) for card in DECK if card not in seen)
    held = workers_needed(players) - unseen
    workers = [(held + seat) // players for seat in range(players)]
    if max(workers) < 15:
        fewer = [*workers[:-1], workers[-1] - 1]
        with pytest.raises(
            ValueError, match=f"^seen: this deal might never end: {held - 1} workers are held"
        ):
            at(players=players, seen=seen, workers=fewer)
    path = play_on(at(players=players, seen=seen, workers=workers), seed)
    assert any(pos.to_json()["deals"] == 1 for pos in itertools.islice(path, 2000))
