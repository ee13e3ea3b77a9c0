"""A tournament on disk, so that it can be resumed: its settings, and a line per finished game."""

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from souk.core.json_fields import brief
from souk.lab.play_game import GameResult
from souk.lab.table_spec import TableSpec

_FORMAT = "souk tournament 1"


def settings(table: TableSpec) -> dict[str, Any]:
    """The settings of a tournament, as stored in its folder."""
    fields: dict[str, Any] = json.loads(json.dumps(asdict(table)))
    return {"entrants" if name == "bots" else name: value for name, value in fields.items()}


def digest(table: TableSpec) -> str:
    """Six characters that identify a tournament's settings."""
    return hashlib.sha256(json.dumps(settings(table), sort_keys=True).encode()).hexdigest()[:6]


class Journal:
    """A tournament's folder: settings in `tournament.json`, finished games in `games.jsonl`."""

    def __init__(self, folder: str | os.PathLike[str], table: TableSpec) -> None:
        self.folder = Path(folder)
        self._settings, self._games = self.folder / "tournament.json", self.folder / "games.jsonl"
        if self._settings.is_file():
            self._check_same(table)
        elif self.folder.exists() and (not self.folder.is_dir() or any(self.folder.iterdir())):
            raise ValueError(f"out: {self.folder} already exists and contains no tournament")
        else:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._settings.write_text(
                json.dumps({"format": _FORMAT} | settings(table), indent=2) + "\n", "utf-8"
            )

    def _check_same(self, table: TableSpec) -> None:
        try:
            stored = json.loads(self._settings.read_text("utf-8"))
        except ValueError:
            stored = None
        if not isinstance(stored, dict) or stored.pop("format", None) != _FORMAT:
            raise ValueError(f"out: {self._settings} cannot be read as a tournament's settings")
        current = settings(table)
        changed = [name for name in current if stored.get(name) != current[name]]
        if changed:
            differences = "; ".join(
                f"{name} there {brief(stored.get(name))}, here {brief(current[name])}"
                for name in changed
            )
            raise ValueError(
                f"out: {self.folder} contains a tournament with other settings ({differences})"
            )

    def read(self) -> list[GameResult]:
        """Read the finished games.

        An incomplete last line is cut off; any other invalid line raises ValueError.
        """
        if not self._games.exists():
            return []
        raw = self._games.read_bytes()
        lines = raw.splitlines(keepends=True)
        games: dict[int, GameResult] = {}
        for number, line in enumerate(lines, 1):
            try:
                result = _read_played(line)
            except (ValueError, TypeError):
                if number < len(lines):
                    raise ValueError(f"{self._games}: line {number} is damaged") from None
                with self._games.open("r+b") as file:
                    file.truncate(len(raw) - len(line))
                break
            games.setdefault(result.game, result)
        return [games[game] for game in sorted(games)]

    def add(self, result: GameResult, record: str | None) -> None:
        """Append a game; with a record, save that too."""
        if record is not None:
            path = self.folder / "games" / f"{result.game:06}.souk"
            path.parent.mkdir(exist_ok=True)
            path.write_text(record, encoding="utf-8")
        with self._games.open("ab", buffering=0) as file:
            file.write(json.dumps(asdict(result), separators=(",", ":")).encode() + b"\n")


def _read_played(line: bytes) -> GameResult:
    data = json.loads(line)
    if not line.endswith(b"\n") or not isinstance(data, dict):
        raise ValueError("not a whole line")
    return GameResult(**data)
