"""Commit subjects since the last release: `area: Imperative summary`, at most 72 characters."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SINCE = "796b823"  # the last commit before this form, for as long as there is no release tag
SUBJECT = re.compile(r"[a-z][a-z0-9-]*(?:, [a-z][a-z0-9-]*)*: [A-Z].*[^.]")
LONGEST = 72
NOT_IMPERATIVE = re.compile(r": (?:The|A|An|What|Whoever|How|Where|Now|Added|Fixed|Changed)\b")


def git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip()


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="a source distribution has no history")
def test_commit_subjects_keep_the_form() -> None:
    since = git("describe", "--tags", "--abbrev=0") or SINCE
    subjects = git("log", "--no-merges", "--format=%s", f"{since}..HEAD").splitlines()
    wrong = [subject for subject in subjects if problem(subject)]
    assert not wrong, [f"{subject}: {problem(subject)}" for subject in wrong]


def problem(subject: str) -> str:
    if len(subject) > LONGEST:
        return f"{len(subject)} characters, at most {LONGEST}"
    if not SUBJECT.fullmatch(subject) or NOT_IMPERATIVE.search(subject):
        return "must be `area: Imperative summary`"
    return ""


@pytest.mark.parametrize(
    ("subject", "is_fine"),
    [
        ("suleika: Share area search between evaluate and features", True),
        ("What a walk costs stands once", False),
        ("server: fix it", False),
        ("server: The wait is fixed", False),
        ("server: Fixed the wait", False),
        ("tests: Wait for states where a pace or progress is asked for.", False),
        (f"server: {'X' * 70}", False),
    ],
)
def test_the_form_is_recognised(subject: str, is_fine: bool) -> None:
    assert (problem(subject) == "") == is_fine
