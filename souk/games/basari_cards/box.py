"""Basari, the card game: contents of the cards, and the deck as a start option."""

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from souk.core.box_data import Bounds, BoxData, BoxPart, DataFile
from souk.core.messages import Message
from souk.core.parsing import letters, read_letters, squeeze
from souk.games.basari_cards import rules
from souk.games.basari_common.box_entries import GEM_LETTERS, packed_gems, read_entries


@lru_cache(1024)
def card_text(card: int) -> str:
    """A packed card as text, such as "2/5/RYBB": workers, points, gems."""
    gems = letters(packed_gems(card), GEM_LETTERS)
    return f"{(card >> 14) + 1}/{(card >> 12 & 3) + 4}/{gems}"


@lru_cache(1024)
def read_card(text: str) -> int | None:
    """K2: the packed card a text stands for, in any case, spacing and order of gems; None
    if invalid.
    """
    match = re.fullmatch(_CARD, squeeze(text).upper())
    if match is None:
        return None
    gems = read_letters(match[3], GEM_LETTERS)
    assert gems is not None  # only these letters match
    card: int = rules.pack_card(int(match[1]), int(match[2]), *gems)
    return card


def defaults(players: int) -> dict[str, Any]:
    return {"deck": "souk"}


def workers_needed(players: int) -> int:
    """K40: workers that ensure a player reaches 15, however they are dealt."""
    return (rules.ENOUGH_WORKERS - 1) * players + 1


def check(players: int, options: dict[str, Any]) -> dict[str, Any]:
    """K2: the deck. K40: its deals must end."""
    file = DATA.from_options(options)
    workers = sum(int(card_text(card)[0]) for card in _cards(file))
    needed = workers_needed(players)
    if workers < needed:
        problem = Message(
            "basari-cards.printed.few_workers", players=players, needed=needed, workers=workers
        )
        file.wrong(CARDS.key, None, problem)
    return options


def fill(s: Any, options: dict[str, Any]) -> None:
    for number, card in enumerate(_cards(DATA.from_options(options))):
        s.deck[number] = card


def rated_from(players: int) -> int:
    """A player makes about 27 moves in a game."""
    return 5


def _cards(file: DataFile) -> list[int]:
    """K2: the 39 cards of a data file, packed."""
    return read_entries(file, CARDS, read_card, "basari-cards.printed.not_a_card", _card_twice)


def _card_twice(card: int) -> Message:
    return Message("basari-cards.printed.card_twice", card=card_text(card))


_WORKERS, POINTS, _GEMS = Bounds("workers", 1, 4), Bounds("points", 4, 7), Bounds("gems", 2, 4)
_CARD = f"{_WORKERS.figure()}/{POINTS.figure()}/{_GEMS.letters(GEM_LETTERS)}"
CARDS = BoxPart("cards", rules.CARDS, "2/5/RYBB", bounds=(_WORKERS, POINTS, _GEMS))
DATA = BoxData("deck", Path(__file__).parent, (CARDS,), _cards)
