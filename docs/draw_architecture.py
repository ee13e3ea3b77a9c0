"""Draws the pictures of docs/contribute/architecture.md: packages, imports, the path of a move.

    python docs/draw_architecture.py

Packages and imports are read from the source; tests/repo/test_docs.py fails if a picture is stale.
"""

import ast
import textwrap
from html import escape
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOUK = HERE.parent / "souk"
# From the bottom layer up.
PACKAGES = (
    "kernel",
    "core",
    "drawing",
    "games",
    "nets",
    "bots",
    "analysis",
    "lab",
    "server",
    "cli",
)

NIGHT, PANEL, LINE, BRASS, LAMP, TEXT, FAINT = (
    *("#14122b", "#1e1a3d", "#8d6d33", "#d9a441", "#ffcf7d", "#f6ecd6", "#c3b8cf"),
)
FONT = "font-family=\"system-ui,'DejaVu Sans',Arial,sans-serif\""

# A move from the browser and back: file, and what it does.
MOVE = """
web/src/games/<game>/Board.svelte | click on a square: picks one of the moves the server offered
web/src/state/table.svelte.ts | sends it with the number of the last event it knows
souk/server/net/websocket.py | parses frames into messages, one after the other
souk/server/net/table_socket.py | decodes the command and applies rate limits
souk/server/tables/commands.py | checks that the sender owns the seat
souk/server/tables/table.py | takes the table's lock; refuses the move if the page was out of date
souk/server/tables/game/game_state.py | plays the move, then draws the dice and cards that follow
souk/core/position.py | parses the move and checks that it is legal, once
souk/kernel/tracing.py | runs the rules with tracers that report facts
souk/games/<game>/facts.py | the facts: who walked where, who paid whom
souk/games/<game>/messages.py | turns facts into messages for the log
souk/server/storage/writer.py | group commit: writes and syncs the event
souk/server/net/table_socket.py | acknowledges the move to its sender
souk/server/tables/game/game_events.py | bundles the move and the dice into one message
souk/server/tables/game/views.py | builds each seat's view and legal moves
web/src/games/<game>/Board.svelte | animates the facts in order, then shows the new view
"""


def svg(width: int, height: int, title: str, body: str) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
    head += f"{FONT}><title>{escape(title)}</title>"
    background = f'<rect width="{width}" height="{height}" rx="18" fill="{NIGHT}"/>'
    marker = (
        '<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" '
        'markerUnits="userSpaceOnUse" markerWidth="11" markerHeight="11" '
        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{BRASS}"/></marker></defs>'
    )
    return f"{head}{marker}{background}{body}</svg>\n"


def text(x: float, y: float, words: str, size: int, colour: str, **attributes: str) -> str:
    more = "".join(f' {key.replace("_", "-")}="{value}"' for key, value in attributes.items())
    at = f'x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}"'
    return f"<text {at}{more}>{escape(words)}</text>"


def box(x: float, y: float, width: float, height: float, colour: str = BRASS) -> str:
    size = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
    return f'<rect {size} rx="10" fill="{PANEL}" stroke="{colour}" stroke-width="1.5"/>'


# ---------------------------------------------------------------- read from the source


def contents(package: str) -> list[str]:
    """The modules of a package, then its subpackages."""
    folder = SOUK / package
    modules = [path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")]
    subpackages = (path.name for path in folder.iterdir() if (path / "__init__.py").is_file())
    return sorted(modules) + sorted(f"{name}/" for name in subpackages)


def imports() -> set[tuple[str, str]]:
    """Pairs of packages of which the first imports from the second."""
    pairs = set()
    for package in PACKAGES:
        for path in (SOUK / package).rglob("*.py"):
            if "docs_site" in path.parts:  # built, with copies of the examples in it
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                module = node.module if isinstance(node, ast.ImportFrom) else None
                if module and module.startswith("souk."):
                    pairs.add((package, module.split(".")[1]))
    return {(start, end) for start, end in pairs if end in PACKAGES and end != start}


def steps() -> list[tuple[str, str]]:
    """The path of a move: file, and what it does."""
    lines = (line.partition(" | ") for line in MOVE.strip().splitlines())
    return [(file, what) for file, _, what in lines]


# ---------------------------------------------------------------- the pictures


def packages_picture() -> str:
    width, y, parts = 1000, 20.0, []
    for package in reversed(PACKAGES):
        rows = textwrap.wrap(" · ".join(contents(package)), 112, break_on_hyphens=False)
        height = 20 + 22 * len(rows)
        parts.append(box(20, y, width - 40, height))
        parts.append(text(38, y + 27, package, 20, LAMP, font_weight="bold"))
        parts += [
            text(150, y + 26 + 22 * k, row.strip(" ·"), 14, FAINT) for k, row in enumerate(rows)
        ]
        y += height + 10
    return svg(width, int(y + 10), "Packages and their modules", "".join(parts))


def imports_picture() -> str:
    """Packages on a diagonal, the top layer first: each line leads down to an imported package."""
    across, down, half, parts = 108, 70, 50, []
    places = {name: (80 + across * k, 56 + down * k) for k, name in enumerate(reversed(PACKAGES))}
    for start, end in sorted(imports()):
        (x, y), (i, j) = places[start], places[end]
        line = f'd="M{x} {y + 24}V{j}H{i - half}" fill="none" stroke="{BRASS}" stroke-width="2"'
        parts.append(f'<path {line} marker-end="url(#tip)"/>')
        parts.append(f'<circle cx="{x}" cy="{j}" r="6" fill="{LAMP}"/>')
    for name, (x, y) in places.items():
        parts.append(box(x - half, y - 24, 2 * half, 48, LAMP))
        parts.append(text(x, y + 7, name, 19, TEXT, text_anchor="middle", font_weight="bold"))
    width, height = places["kernel"]
    return svg(width + 80, height + 56, "Which package imports from which", "".join(parts))


def move_picture() -> str:
    width, parts = 1000, []
    for k, (file, what) in enumerate(steps()):
        y = 20 + 54 * k
        colour = (
            LAMP if file.startswith("web/") else BRASS if file.startswith("souk/server/") else LINE
        )
        parts.append(box(20, y, width - 40, 44, colour))
        parts.append(text(36, y + 28, str(k + 1), 17, LAMP, font_weight="bold"))
        parts.append(text(76, y + 28, file, 15, TEXT, font_weight="bold"))
        parts.append(text(440, y + 28, what, 15, FAINT))
    return svg(width, 30 + 54 * (k + 1), "The path of a move", "".join(parts))


PICTURES = {
    "architecture-packages.svg": packages_picture,
    "architecture-imports.svg": imports_picture,
    "architecture-move.svg": move_picture,
}

if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (HERE / "images" / name).write_text(draw(), encoding="utf-8")
