"""A recorded game as a slide show for notebooks: step by button, timeline or arrow keys.

HTML and CSS only (each step is a radio button), so it also works in notebooks rendered without a
kernel. Shapes shared by several positions are stored once.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from html import escape
from itertools import count, islice
from typing import Any

from souk.core.facts import Fact
from souk.core.messages import sentence
from souk.core.record import Record
from souk.core.seat_view import SeatView
from souk.drawing.palette import BRASS, FAINT, LAMP, LINE, NIGHT, TEXT
from souk.drawing.svg_document import MARK, SANS, WIDTH, Sheet, named, tag
from souk.drawing.table_svg import player_names

MOST = 400  # events drawn
_SHOWN = count()  # makes ids unique when a record appears twice on a page

_STYLE = f"""
.souk-steps{{display:grid;max-width:{WIDTH}px;padding:8px;border-radius:16px;
 background:{NIGHT};color:{TEXT};
 font:15px/1.4 {SANS}}}
.souk-steps input{{grid-row:1;appearance:none;margin:0;height:16px;
 background:{LINE};cursor:pointer}}
.souk-steps input:hover{{background:{LAMP}}}
.souk-steps input:checked{{background:{LAMP};transform:scale(2.5,1.3)}}
.souk-steps section{{grid-row:2;grid-column:1/-1;display:none;padding-top:8px}}
.souk-steps input:checked+section{{display:block}}
.souk-steps p{{display:flex;gap:8px;align-items:center;min-height:44px;margin:0 0 6px;color:{TEXT}}}
.souk-steps small{{color:{FAINT};white-space:nowrap}}
.souk-steps label{{padding:2px 12px;border:1px solid {BRASS};border-radius:9px;cursor:pointer}}
.souk-steps svg{{display:block;max-width:100%;height:auto}}
"""


Draw = Callable[[SeatView[Any, Any, Any], Sequence[str], Sequence[Fact]], Sheet]


def step_through(record: Record, draw: Draw) -> str:
    """The record as HTML, as a spectator sees it."""
    views = [SeatView.of(position, -1) for position in islice(record.positions(), MOST + 1)]
    names = player_names(views[0], record.names)
    happened = [[], *islice(record.facts(), MOST)]
    past: list[Fact] = []
    sheets, captions = [], []
    for view, facts in zip(views, happened, strict=True):
        past += facts
        sheets.append(draw(view, names, past))
        captions.append(sentence(record.game.describe(facts), names))
    if len(record.events) > MOST:
        captions[-1] += f" (The first {MOST} of {len(record.events)} events are drawn.)"
    shapes = SharedShapes(sheets)
    prefix = f"s{hashlib.sha256(str(record).encode()).hexdigest()[:6]}-{next(_SHOWN)}-"
    steps = "".join(_step(k, captions, shapes.drawn(sheet)) for k, sheet in enumerate(sheets))
    whole = tag("style", _STYLE) + shapes.defs + steps
    columns = f"grid-template-columns:repeat({len(sheets)},1fr)"
    return named(f'<div class="souk-steps" style="{columns}">{whole}</div>', prefix)


class SharedShapes:
    """Shapes shared by several sheets: symbols, and pieces that occur more than once."""

    def __init__(self, sheets: list[Sheet]) -> None:
        counts = Counter(piece for sheet in sheets for piece in sheet.pieces)
        self.ids = {
            piece: f"{MARK}p{k}" for k, piece in enumerate(p for p, n in counts.items() if n > 1)
        }
        symbols: dict[str, str] = {}
        for sheet in sheets:
            symbols |= sheet.symbols
        pieces = "".join(tag("g", piece, id=name) for piece, name in self.ids.items())
        content = tag("defs", "".join(symbols.values()) + pieces)
        self.defs = tag(
            "svg", content, width=0, height=0, style="position:absolute", aria_hidden="true"
        )

    def drawn(self, sheet: Sheet) -> str:
        body = sheet.body
        for piece in sheet.pieces:
            if piece in self.ids:
                body = body.replace(piece, tag("use", href=f"#{self.ids[piece]}"))
        return sheet.framed(WIDTH, body)


def _step(k: int, captions: list[str], drawing: str) -> str:
    """One step: its radio button, back and forward buttons, caption and position."""
    checked = " checked" * (k == 0)
    attributes = f'name="{MARK}step" id="{MARK}s{k}" aria-label="{k}"{checked}'
    button = f'<input type="radio" {attributes}>'
    back, on = (
        f'<label for="{MARK}s{to}" aria-hidden="true">{sign}</label>'
        for to, sign in ((max(0, k - 1), "◀"), (k + 1, "▶"))
    )
    step = f"{k} / {len(captions) - 1}"
    caption = f"<p>{back}{on}<small>{step}</small><span>{escape(captions[k])}</span></p>"
    return f"{button}<section>{caption}{drawing}</section>"
