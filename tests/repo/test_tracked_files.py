"""Tracked files name no path of a developer's machine and no package index."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_tracked_files_name_no_machine() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    files = (
        [ROOT / line for line in listed.stdout.splitlines()]
        if listed.returncode == 0
        else list(ROOT.glob("souk/**/*.py"))
    )
    places = re.compile("(^|[^a-zA-Z0-9_.])/" + "(work|farm|root)/|pypi" + r"\.org|/simple" + "/")
    for file in files:
        if file.suffix in {".py", ".md", ".toml", ".lock", ".txt", ""} and file.is_file():
            match = places.search(file.read_text(encoding="utf-8"))
            assert match is None, f"{file.relative_to(ROOT)}: {match and match[0]}"
