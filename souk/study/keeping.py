"""Studies as files."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from souk.study.study import Study


def save(study: "Study", path: Path) -> None:
    """Write a study to a file."""
    path.write_text(json.dumps(study.to_json()), encoding="utf-8")
