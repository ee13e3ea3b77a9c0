"""Basari, the card game, in a terminal: holdings, and below them the cards of this round."""

from collections.abc import Sequence
from functools import partial

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from souk.core.messages import Words
from souk.core.seat_view import SeatView
from souk.drawing.palette import BRASS, CREAM, DUSK, LAMP, SAND
from souk.drawing.terminal import SideBySide, night, player, prompt_line, to_move
from souk.games.basari_cards.board_info import CardsBox, CardsScene
from souk.games.basari_cards.notation import CardsPosition
from souk.games.basari_common.notation import GEMS
from souk.games.basari_common.terminal import Column, choices, gems, holdings, status

_CARD = 19  # card width: five with gaps between fill a picture
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
    """An action with the letter to type for it: "C Gems"."""
    return f"{action} {words(f'basari-cards.action.{action}')}"


def _columns(view: CardsView, words: Words) -> list[Column]:
    workers = [_workers(n, view.box.workers) for n in view.position.workers]
    chosen = choices(view, words, partial(action_name, words))
    return [
        (words("basari-cards.terminal.workers"), workers),
        (words("basari-cards.terminal.choice"), chosen),
    ]


def _workers(have: int, enough: int) -> Text:
    """Workers of this deal, as a row that fills up to the number ending it."""
    row = (_WORKER * min(have, enough)).ljust(enough, _NOBODY)
    return Text.assemble((row, f"bold {LAMP}" if have >= enough else CREAM), f" {have:>2}/{enough}")


def _card(card: str | None, title: Text, words: Words) -> Panel:
    """A seat's card of this round, each line with the action that brings it; workers come
    anyway.
    """
    lines: list[RenderableType] = [Text(), Text(_NOBODY.center(_CARD - 4)), Text()]
    if card is not None:
        workers, points, letters = card.split("/")
        n, shown = int(workers), [letters.lower().count(letter) for letter in GEMS]
        lines = [
            Text.assemble(
                (f"{_WORKER * n:<4} ", CREAM), words("basari-cards.terminal.workers_n", n=n)
            ),
            Text.assemble(("B    ", BRASS), words("basari-common.points", n=int(points))),
            Text.assemble(("C    ", BRASS), gems(shown)),
        ]
    style = f"{SAND} on {DUSK}"
    return Panel(
        Group(*lines), title=title, title_align="left", border_style=BRASS, style=style, width=_CARD
    )


# ---------------------------------------------------------------- current status


def _now(view: CardsView, words: Words, names: Sequence[str]) -> RenderableType:
    position, box = view.position, view.box
    deal = words(
        "basari-cards.terminal.deal_of", n=min(position.deals + 1, box.deals), last=box.deals
    )
    pile = words("basari-cards.terminal.pile", n=box.cards - len(position.seen))
    title = f"{words('basari-cards.title')} · {deal} · {pile}"
    return status(
        view, words, names, title, partial(action_name, words), partial(_asked, view, words)
    )


def _asked(view: CardsView, words: Words, who: str | None) -> Text:
    if who is None:
        actions = [action_name(words, action) for action in view.box.actions]
        return prompt_line(words("basari-cards.terminal.choose", actions=actions))
    return prompt_line(
        words(f"basari-cards.terminal.{view.position.phase}", who=who, n=view.scene.take), who
    )
