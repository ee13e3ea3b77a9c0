"""Studies as files, and whether what was read from one is a study."""

import json
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from souk.core.record import Record
    from souk.study.study import Step, Study

KINDS = ("move", "secret", "chance")


def save(study: "Study", path: Path, language: str = "en") -> None:
    """Write a study to a file, all of it or nothing: a page, or JSON."""
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
        from souk.study.page import page

        return page(study, language)
    raise ValueError(f"path: a study is written as .html or .json, not {path.name!r}")


def check(study: "Study") -> None:
    """ValueError names what cannot be."""
    record = _record(study)
    players = record.start.players
    for name, shares in (("start", study.start), ("seats", study.seats)):
        if len(shares) != players:
            raise ValueError(f"{name}: there must be {players}, one for each seat, not {len(shares)}")
    if len(study.steps) != len(record.events):
        raise ValueError(
            f"steps: there must be {len(record.events)}, one for every event of the record, not {len(study.steps)}"
        )
    for number, (step, event) in enumerate(zip(study.steps, record.events, strict=True)):
        _check_step(f"steps[{number}]", step, event, players)
    for number, (one, other) in enumerate(pairwise(study.steps)):
        if one.after != other.before:
            raise ValueError(f"steps[{number}].after: must be the same as steps[{number + 1}].before")


def _record(study: "Study") -> "Record":
    try:
        return study.game()
    except ValueError as error:
        raise ValueError(f"record: {error}") from None


def _check_step(name: str, step: "Step", event: tuple[int | None, str], players: int) -> None:
    from souk.study.study import MARKS

    if (step.seat, step.text) != event:
        who = "chance" if event[0] is None else f"seat {event[0]}"
        raise ValueError(f"{name}: must be what the record has there, {who} {event[1]!r}")
    for field in ("before", "after", "luck", "gifts"):
        if len(getattr(step, field)) != players:
            raise ValueError(f"{name}.{field}: there must be {players}, one for each seat")
    for field, known in (("kind", KINDS), ("mark", ("", *MARKS))):
        if getattr(step, field) not in known:
            raise ValueError(f"{name}.{field}: must be one of {', '.join(map(repr, known))}")
