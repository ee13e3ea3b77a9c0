"""Draws the three pictures of docs/house.md: the rooms, the arrows between them, and the walk of a move.

    python docs/draw_house.py

Rooms and arrows are read off the source, so the pictures are true when they are drawn; a test says when they no longer are.
"""

import ast
import textwrap
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOUK = HERE.parent / "souk"
ROOMS = ("kernel", "core", "games", "minds", "bots", "study", "lab", "table", "cli")  # from the ground up

NIGHT, PANEL, LINE, BRASS, LAMP, TEXT, FAINT = (
    *("#14122b", "#1e1a3d", "#8d6d33", "#d9a441", "#ffcf7d", "#f6ecd6", "#c3b8cf"),
)
FONT = "font-family=\"system-ui,'DejaVu Sans',Arial,sans-serif\""

# A move from the browser and back: where, and what is done there.
WALK = """
web/src/games/<game>/Board.svelte | a field is pressed: the board names one of the moves it was given
web/src/lib/table.svelte.ts | sends it with the number of the last event it knows
souk/table/wires.py | a frame becomes a text, one command after the other
souk/table/sockets.py | the text becomes a command, within the limits
souk/table/croupier.py | is this the seat's owner? then the table is asked
souk/table/table.py | under the table's lock: does the page know all that matters?
souk/table/course.py | the move, then the dice and cards that follow from it
souk/core/position.py | the move is read and judged, once
souk/kernel/watching.py | the rules run, and witnesses tell what they do
souk/games/<game>/facts.py | who walked where, who paid whom: facts
souk/games/<game>/telling.py | facts become messages for the log
souk/table/writing.py | written and synced, together with whatever else waits
souk/table/sockets.py | only now: whoever moved is told that it is kept
souk/table/happenings.py | the move and what came up at once become one message
souk/table/views.py | what each seat may see of it, and its moves
web/src/games/<game>/Board.svelte | shows the facts one after the other, then the new view
"""


def svg(width: int, height: int, title: str, body: str) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" {FONT}><title>{escape(title)}</title>'
    ground = f'<rect width="{width}" height="{height}" rx="18" fill="{NIGHT}"/>'
    arrow = (
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerUnits="userSpaceOnUse" markerWidth="11" markerHeight="11" orient="auto-start-reverse">'
        f'<path d="M0 0L10 5L0 10z" fill="{BRASS}"/></marker></defs>'
    )
    return f"{head}{arrow}{ground}{body}</svg>\n"


def text(x: float, y: float, words: str, size: int, colour: str, **more: str) -> str:
    look = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in more.items())
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}"{look}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, colour: str = BRASS) -> str:
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="10" fill="{PANEL}" stroke="{colour}" stroke-width="1.5"/>'


# ---------------------------------------------------------------- what is there


def about(path: Path) -> str:
    """The first sentence of a module's docstring."""
    found = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(found.split()).partition(". ")[0].rstrip(".").replace("`", "")


def modules(room: str) -> list[str]:
    """What lies in a room: its modules, and the rooms within it."""
    folder = SOUK / room
    files = [path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")]
    return sorted(files) + sorted(f"{path.name}/" for path in folder.iterdir() if (path / "__init__.py").is_file())


def arrows() -> set[tuple[str, str]]:
    """Which room imports from which."""
    found = set()
    for room in ROOMS:
        for path in (SOUK / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("souk."):
                    found.add((room, node.module.split(".")[1]))
    return {(room, to) for room, to in found if to in ROOMS and to != room}


def steps() -> list[tuple[str, str]]:
    """Where a move comes by, and what is done with it there."""
    return [(place, what) for place, _, what in (line.partition(" | ") for line in WALK.strip().splitlines())]


# ---------------------------------------------------------------- the pictures


def rooms() -> str:
    width, y, parts = 1000, 20.0, []
    for room in reversed(ROOMS):
        rows = textwrap.wrap(" · ".join(modules(room)), 118, break_on_hyphens=False)
        height = 58 + 22 * len(rows)
        parts.append(box(20, y, width - 40, height))
        parts.append(text(38, y + 32, f"souk/{room}", 22, LAMP, font_weight="bold"))
        parts.append(text(205, y + 31, about(SOUK / room / "__init__.py"), 15, TEXT))
        parts += [text(38, y + 60 + 22 * k, row, 14, FAINT) for k, row in enumerate(rows)]
        y += height + 12
    return svg(width, int(y + 8), "The rooms of the house", "".join(parts))


def arrows_picture() -> str:
    """Stairs: whoever is higher up imports from those below. Each line leaves a room downwards, and turns where it leads."""
    across, down, half, parts = 112, 74, 50, []
    places = {room: (80 + across * k, 56 + down * k) for k, room in enumerate(reversed(ROOMS))}
    for start, end in sorted(arrows()):
        (x, y), (i, j) = places[start], places[end]
        line = f'd="M{x} {y + 24}V{j}H{i - half}" fill="none" stroke="{BRASS}" stroke-width="2" marker-end="url(#tip)"'
        parts.append(f'<path {line}/><circle cx="{x}" cy="{j}" r="6" fill="{LAMP}"/>')
    for room, (x, y) in places.items():
        parts.append(box(x - half, y - 24, 2 * half, 48, LAMP))
        parts.append(text(x, y + 7, room, 20, TEXT, text_anchor="middle", font_weight="bold"))
    width, height = places["kernel"]
    return svg(width + 80, height + 56, "Which room imports from which", "".join(parts))


def walk() -> str:
    width, parts = 1000, []
    for k, (place, what) in enumerate(steps()):
        y = 20 + 54 * k
        parts.append(
            box(20, y, width - 40, 44, LAMP if place.startswith("web/") else BRASS if "/table/" in place else LINE)
        )
        parts.append(text(36, y + 28, str(k + 1), 17, LAMP, font_weight="bold"))
        parts.append(text(76, y + 28, place, 15, TEXT, font_weight="bold"))
        parts.append(text(416, y + 28, what, 15, FAINT))
    return svg(width, 30 + 54 * (k + 1), "The walk of a move", "".join(parts))


PICTURES = {"house-rooms.svg": rooms, "house-arrows.svg": arrows_picture, "house-walk.svg": walk}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / "images" / name).write_text(draw(), encoding="utf-8")
