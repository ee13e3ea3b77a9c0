"""Basari, the card game, drawn in a terminal: what everybody holds, and below it the cards of this round."""

from typing import Any

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from souk.games.art.palette import BRASS, CREAM, DUSK, LAMP, SAND
from souk.games.art.terminal import asked, heading, night, player, side_by_side, to_move
from souk.games.basari_cards import GAME, rules
from souk.games.basari_cards.notation import ACTIONS
from souk.games.haggling import rules as haggling
from souk.games.haggling.terminal import Column, choice, counter, gems, holdings, scoring_now, stop_and_raise

_CARD = 19  # columns: five of them, with a gap between, are as wide as a picture
_WORKER, _NOBODY = "♟", "·"
_MEANINGS = ("A a card more", "B points", "C gems", "D an exchange of gems")


def picture(s: Any, names: list[str], language: str) -> RenderableType:  # noqa: ARG001
    lit = to_move(s, rules)
    scoring = [0] * s.players if s.phase == rules.OVER else scoring_now(s, rules.end_deal)
    players = [player(seat, names, lit) for seat in range(s.players)]
    parts = [_now(s, names), holdings(s, players, scoring, _columns(s))]
    if s.phase != rules.OVER:
        parts.append(side_by_side(*((_card(s, seat, title), _CARD) for seat, title in enumerate(players))))
    return night(*parts)


def _columns(s: Any) -> list[Column]:
    seats = range(s.players)
    chosen = [choice(s, seat, ACTIONS, s.phase == rules.CHOOSE) for seat in seats]
    return [("workers", [_workers(s, seat) for seat in seats]), ("choice", chosen)]


def _workers(s: Any, seat: int) -> Text:
    """The workers of this deal, as a row that fills up to as many as end it."""
    have = s.workers[seat]
    row = _WORKER * min(have, rules.ENOUGH_WORKERS)
    style = f"bold {LAMP}" if have >= rules.ENOUGH_WORKERS else CREAM
    return Text.assemble((row.ljust(rules.ENOUGH_WORKERS, _NOBODY), style), f" {have:>2}/{rules.ENOUGH_WORKERS}")


def _card(s: Any, seat: int, title: Text) -> Panel:
    """The card a seat was dealt in this round, each line with the action that brings it (the workers come anyway)."""
    card = s.card[seat]
    lines: list[RenderableType] = [Text(), Text(_NOBODY.center(_CARD - 4)), Text()]
    if card != haggling.NONE:
        workers = rules.workers_on(s, card)
        shown = [rules.gems_on(s, card, colour) for colour in range(haggling.COLOURS)]
        lines = [
            Text.assemble((f"{_WORKER * workers:<4}", CREAM), f" {workers} worker{'s' * (workers > 1)}"),
            Text.assemble(("B   ", BRASS), (f" {rules.points_on(s, card)} ", f"bold {CREAM}"), "points"),
            Text.assemble(("C    ", BRASS), gems(shown)),
        ]
    style = f"{SAND} on {DUSK}"
    return Panel(Group(*lines), title=title, title_align="left", border_style=BRASS, style=style, width=_CARD)


# ---------------------------------------------------------------- what is going on


def _now(s: Any, names: list[str]) -> RenderableType:
    deal = min(s.deals + 1, rules.DEALS)
    title = f"{GAME.title} · deal {deal} of {rules.DEALS} · {int(rules.pile(s)).bit_count()} cards in the pile"
    if s.phase == rules.HAGGLE:
        wanted = _MEANINGS[s.action].partition(" ")[2]
        title += f" · the counter: for {ACTIONS[s.action]}, {wanted}"
        return heading(title, counter(s, names, stop_and_raise(s, rules)))
    return heading(title, _asked(s, names), Text())


def _asked(s: Any, names: list[str]) -> Text:
    if s.phase == rules.CHOOSE:
        return asked("All choose in secret:", ", ".join(_MEANINGS[: rules.actions(s)]) + ".")
    if s.phase == rules.OVER:
        return asked("", "The game is over.")
    tasks = {
        rules.DEAL: "is dealt a card.",
        rules.DRAW: "has A, and draws a card for its workers.",
        rules.GIVE: "is alone on D, and returns a gem to the supply first.",
        rules.TAKE: f"has D, and takes {'two gems' if rules.gems_to_take(s) > 1 else 'a gem'} from the supply.",
    }
    return asked(names[s.turn], tasks[s.phase])
