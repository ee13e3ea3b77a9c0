"""The clauses of a game, read from the rules page in its room: for the command line, and for the tests that watch over them."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from souk.core.shelf import find_game

_ROW = re.compile(r"\| *([A-Z]+[0-9]+) *\| *(.*?) *\| *(.*?) *\|")


@dataclass(frozen=True)
class Clause:
    """One rule: its id, its section, what it says, and the functions that carry it out."""

    id: str
    section: str
    text: str
    code: str


def page(game: str) -> str:
    """A game's rules page, which lies in its room."""
    file = _file(game)
    if not file.is_file():
        raise ValueError(f"{find_game(game).title} has no rules page: it would be {file.parent.name}/rules.md")
    return file.read_text(encoding="utf-8")


def _file(game: str) -> Path:
    return find_game(game).room / "rules.md"


@cache
def clauses(game: str) -> tuple[Clause, ...]:
    """All clauses of a game in the order of its page."""
    section, found = "", []
    for line in page(game).splitlines():
        if line.startswith("## "):
            section = line[3:].strip()
        elif row := _ROW.fullmatch(line.strip()):
            found.append(Clause(row[1], section, row[2], row[3]))
    return tuple(found)


def panel(game: str) -> list[dict[str, str]]:
    """A game's clauses by section, as the texts of its rules panel would tell them; none where it has no rules page."""
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
    """The sections of a game's page that hold no clauses, such as its data, in Markdown."""
    sections = re.split(r"^(?=## )", page(game), flags=re.MULTILINE)[1:]
    return "".join(section for section in sections if not any(map(_ROW.fullmatch, section.splitlines())))
