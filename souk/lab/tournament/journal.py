"""A tournament on disk, so that it can be taken up again: what is played, and a line for every finished game."""

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from souk.core.fields import brief
from souk.lab.playing import Played
from souk.lab.table_spec import TableSpec

_FORMAT = "souk tournament 1"


def settings(table: TableSpec) -> dict[str, Any]:
    """What decides a tournament, as its folder holds it."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(table)))
    return {"entrants" if name == "bots" else name: value for name, value in plain.items()}


def digest(table: TableSpec) -> str:
    """A few letters that differ for different tournaments."""
    return hashlib.sha256(json.dumps(settings(table), sort_keys=True).encode()).hexdigest()[:6]


class Journal:
    """A tournament's folder: `tournament.json` holds the settings, `games.jsonl` a line for every finished game."""

    def __init__(self, folder: str | os.PathLike[str], table: TableSpec) -> None:
        self.folder = Path(folder)
        self._settings, self._games = self.folder / "tournament.json", self.folder / "games.jsonl"
        if self._settings.is_file():
            self._check_same(table)
        elif self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise ValueError(f"out: {self.folder} is there already and holds no tournament")
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._settings.write_text(json.dumps({"format": _FORMAT} | settings(table), indent=2) + "\n", "utf-8")

    def _check_same(self, table: TableSpec) -> None:
        try:
            there = json.loads(self._settings.read_text("utf-8"))
        except ValueError:
            there = None
        if not isinstance(there, dict) or there.pop("format", None) != _FORMAT:
            raise ValueError(f"out: {self._settings} cannot be read as a tournament's settings")
        here = settings(table)
        other = [name for name in here if there.get(name) != here[name]]
        if other:
            told = "; ".join(f"{name} there {brief(there.get(name))}, here {brief(here[name])}" for name in other)
            raise ValueError(f"out: {self.folder} holds a tournament with other settings ({told})")

    def read(self) -> list[Played]:
        """The finished games. A last line that was not written to its end is cut off; any other that makes no sense is refused."""
        if not self._games.exists():
            return []
        raw = self._games.read_bytes()
        lines = raw.splitlines(keepends=True)
        found: dict[int, Played] = {}
        for number, line in enumerate(lines, 1):
            try:
                played = _read_played(line)
            except (ValueError, TypeError):
                if number < len(lines):
                    raise ValueError(f"{self._games}: line {number} is damaged") from None
                with self._games.open("r+b") as file:
                    file.truncate(len(raw) - len(line))
                break
            found.setdefault(played.game, played)
        return [found[game] for game in sorted(found)]

    def add(self, played: Played, record: str | None) -> None:
        """Write a game down; with its record, where that is to be kept."""
        if record is not None:
            kept = self.folder / "games" / f"{played.game:06}.souk"
            kept.parent.mkdir(exist_ok=True)
            kept.write_text(record, encoding="utf-8")
        with self._games.open("ab", buffering=0) as file:
            file.write(json.dumps(asdict(played), separators=(",", ":")).encode() + b"\n")


def _read_played(line: bytes) -> Played:
    data = json.loads(line)
    if not line.endswith(b"\n") or not isinstance(data, dict):
        raise ValueError("not a whole line")
    return Played(**data)
