"""The rule clauses of a game, parsed from `rules.md` in its package."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from souk.core.game_registry import find_game

_ROW = re.compile(r"\| *([A-Z]+[0-9]+) *\| *(.*?) *\| *(.*?) *\|")


@dataclass(frozen=True)
class Clause:
    """A rule: its id, section, text, and the functions that implement it."""

    id: str
    section: str
    text: str
    code: str


def page(game: str) -> str:
    """The Markdown of a game's rules page."""
    file = _file(game)
    if not file.is_file():
        raise ValueError(
            f"{find_game(game).title} has no rules page: it would be {file.parent.name}/rules.md"
        )
    return file.read_text(encoding="utf-8")


def _file(game: str) -> Path:
    return find_game(game).folder / "rules.md"


@cache
def clauses(game: str) -> tuple[Clause, ...]:
    """All clauses of a game, in page order."""
    section, rows = "", []
    for line in page(game).splitlines():
        if line.startswith("## "):
            section = line[3:].strip()
        elif row := _ROW.fullmatch(line.strip()):
            rows.append(Clause(row[1], section, row[2], row[3]))
    return tuple(rows)


def panel(game: str) -> list[dict[str, str]]:
    """A game's clauses by section, in the form of a rules panel; empty without a rules page."""
    if not _file(game).is_file():
        return []
    sections: dict[str, list[Clause]] = {}
    for clause in clauses(game):
        sections.setdefault(clause.section, []).append(clause)
    return [
        {
            "title": title,
            "clauses": " ".join(clause.id for clause in within),
            "text": "\n\n".join(clause.text.replace("`", "") for clause in within),
        }
        for title, within in sections.items()
    ]


def other_sections(game: str) -> str:
    """The Markdown of the sections that contain no clauses, for example the game data."""
    sections = re.split(r"^(?=## )", page(game), flags=re.MULTILINE)[1:]
    return "".join(
        section for section in sections if not any(map(_ROW.fullmatch, section.splitlines()))
    )
