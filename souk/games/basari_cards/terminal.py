"""Basari, the card game, drawn in a terminal: what everybody holds, and below it the cards of this round."""

from collections.abc import Sequence
from functools import partial

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from souk.core.message import Words
from souk.core.view import SeatView
from souk.games.art.palette import BRASS, CREAM, DUSK, LAMP, SAND
from souk.games.art.terminal import SideBySide, asked, night, player, to_move
from souk.games.basari_cards.notation import CardsPosition
from souk.games.basari_cards.scene import CardsBox, CardsScene
from souk.games.haggling.notation import GEMS
from souk.games.haggling.terminal import Column, choices, gems, going_on, holdings

_CARD = 19  # columns: five of them, with a gap between, are as wide as a picture
_WORKER, _NOBODY = "♟", "·"

CardsView = SeatView[CardsPosition, CardsBox, CardsScene]


def picture(view: CardsView, names: Sequence[str], language: str) -> RenderableType:
    words, lit = Words(language, names), to_move(view)
    players = [player(seat, names, lit) for seat in range(view.players)]
    parts = [_now(view, words, names), holdings(view, words, players, _columns(view, words))]
    if not view.over:
        cards = zip(view.position.cards, players, strict=True)
        parts.append(SideBySide(*((_card(card, title, words), _CARD) for card, title in cards)))
    return night(*parts)


def action_name(words: Words, action: str) -> str:
    """An action with the letter that one types for it: "C Gems"."""
    return f"{action} {words(f'basari-cards.action.{action}')}"


def _columns(view: CardsView, words: Words) -> list[Column]:
    workers = [_workers(n, view.box.workers) for n in view.position.workers]
    chosen = choices(view, words, partial(action_name, words))
    return [(words("basari-cards.terminal.workers"), workers), (words("basari-cards.terminal.choice"), chosen)]


def _workers(have: int, enough: int) -> Text:
    """The workers of this deal, as a row that fills up to as many as end it."""
    row = (_WORKER * min(have, enough)).ljust(enough, _NOBODY)
    return Text.assemble((row, f"bold {LAMP}" if have >= enough else CREAM), f" {have:>2}/{enough}")


def _card(card: str | None, title: Text, words: Words) -> Panel:
    """The card a seat was dealt in this round, each line with the action that brings it (the workers come anyway)."""
    lines: list[RenderableType] = [Text(), Text(_NOBODY.center(_CARD - 4)), Text()]
    if card is not None:
        workers, points, letters = card.split("/")
        n, shown = int(workers), [letters.lower().count(letter) for letter in GEMS]
        lines = [
            Text.assemble((f"{_WORKER * n:<4} ", CREAM), words("basari-cards.terminal.workers_n", n=n)),
            Text.assemble(("B    ", BRASS), words("haggling.points", n=int(points))),
            Text.assemble(("C    ", BRASS), gems(shown)),
        ]
    style = f"{SAND} on {DUSK}"
    return Panel(Group(*lines), title=title, title_align="left", border_style=BRASS, style=style, width=_CARD)


# ---------------------------------------------------------------- what is going on


def _now(view: CardsView, words: Words, names: Sequence[str]) -> RenderableType:
    position, box = view.position, view.box
    deal = words("basari-cards.terminal.deal_of", n=min(position.deals + 1, box.deals), last=box.deals)
    pile = words("basari-cards.terminal.pile", n=box.cards - len(position.seen))
    title = f"{words('basari-cards.title')} · {deal} · {pile}"
    return going_on(view, words, names, title, partial(action_name, words), partial(_asked, view, words))


def _asked(view: CardsView, words: Words, who: str | None) -> Text:
    if who is None:
        actions = [action_name(words, action) for action in view.box.actions]
        return asked(words("basari-cards.terminal.choose", actions=actions))
    return asked(words(f"basari-cards.terminal.{view.position.phase}", who=who, n=view.scene.take), who)
