"""Reading and writing studies, with validation."""

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from souk.analysis.study import Step, Study
    from souk.core.record import Record

KINDS = ("move", "secret", "chance")


def save(study: "Study", path: Path, language: str = "en") -> None:
    """Write a study to a file atomically, as a page or as JSON."""
    text = _text(study, path, language)
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_text(text, encoding="utf-8")
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _text(study: "Study", path: Path, language: str) -> str:
    if path.suffix == ".json":
        return json.dumps(study.to_json())
    if path.suffix == ".html":
        from souk.analysis.html import page

        return page(study, language)
    raise ValueError(f"path: a study is written as .html or .json, not {path.name!r}")


def check(study: "Study") -> None:
    """Raise ValueError naming the field that is invalid."""
    record = _record(study)
    players = record.start.players
    for name, shares in (("start", study.start), ("seats", study.seats)):
        if len(shares) != players:
            raise ValueError(
                f"{name}: there must be {players}, one for each seat, not {len(shares)}"
            )
    if len(study.steps) != len(record.events):
        raise ValueError(
            f"steps: there must be {len(record.events)}, one for every event of the record, "
            f"not {len(study.steps)}"
        )
    for number, (step, event) in enumerate(zip(study.steps, record.events, strict=True)):
        _check_step(f"steps[{number}]", step, event, players)
    for number, (one, other) in enumerate(pairwise(study.steps)):
        if one.after != other.before:
            raise ValueError(
                f"steps[{number}].after: must be the same as steps[{number + 1}].before"
            )


def _record(study: "Study") -> "Record":
    try:
        return study.game()
    except ValueError as error:
        raise ValueError(f"record: {error}") from None


def _check_step(name: str, step: "Step", event: tuple[int | None, str], players: int) -> None:
    from souk.analysis.study import MARKS

    if (step.seat, step.text) != event:
        who = "chance" if event[0] is None else f"seat {event[0]}"
        raise ValueError(f"{name}: must be what the record has there, {who} {event[1]!r}")
    for field in ("before", "after", "luck", "gifts"):
        if len(getattr(step, field)) != players:
            raise ValueError(f"{name}.{field}: there must be {players}, one for each seat")
    for field, allowed in (("kind", KINDS), ("mark", ("", *MARKS))):
        if getattr(step, field) not in allowed:
            raise ValueError(f"{name}.{field}: must be one of {', '.join(map(repr, allowed))}")
