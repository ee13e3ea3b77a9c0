"""What a compiled kernel is made of: a change there must be noticed, however far away; a change of words need not."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import souk
from souk.bots.kernels.search import think
from souk.games.suleika import insight, rules
from souk.kernel import bits, cache, ingredients
from souk.kernel.playouts import play_range
from souk.kernel.rule import rule

PACKAGE = Path(__file__).parents[2] / "souk"
SULEIKA = souk.game("suleika")


def defined(name: str, source: str, **scope: Any) -> Any:
    """A rule of that source."""
    exec(source, scope)
    return rule(scope[name])


def digest_anew(entry: Any) -> str:
    """Rules are looked at once in a process; here they change."""
    ingredients._globals.cache_clear()
    ingredients._lines.cache_clear()
    return ingredients.digest(SULEIKA, entry)


@pytest.fixture(autouse=True)
def _look_again() -> Iterator[None]:
    yield
    digest_anew(play_range)


def test_a_kernel_reaches_the_rules_behind_the_verbs() -> None:
    names = {f"{each.__module__}.{each.__name__}" for each in ingredients.reached(SULEIKA, think)}
    assert "souk.games.suleika.rules.pay_owner" in names  # through the verb `resolve`
    assert "souk.games.suleika.insight.toll" in names
    assert "souk.kernel.bits.count" in names
    assert not any("basari" in name or "numbers" in name for name in names)
    random_play = {each.__module__ for each in ingredients.reached(SULEIKA, play_range)}
    assert "souk.games.suleika.insight" not in random_play


def test_a_rule_far_away_makes_another_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest_anew(think)
    other = defined("count", "def count(found):\n    return 0\n")
    for module in (bits, rules, insight):
        monkeypatch.setattr(module, "count", other)
    assert digest_anew(think) != before


@pytest.mark.parametrize(
    ("name", "value"), [("NOISE", 0.25), ("STOPS", insight.STOPS + 1), ("LAY", 7)], ids=("number", "table", "index")
)
def test_a_constant_makes_another_kernel(name: str, value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    before, random_play = digest_anew(think), digest_anew(play_range)
    monkeypatch.setattr(insight, name, value)
    assert digest_anew(think) != before
    assert digest_anew(play_range) == random_play  # which knows nothing of insight


def test_words_make_no_other_kernel() -> None:
    """A docstring, a comment, a line further down: the same machine code."""
    plain = defined("double", "def double(n):\n    return 2 * n\n")
    told = defined("double", '\n\n# Why.\ndef double(n):\n    """Twice."""\n    return 2 * n  # that is it\n')
    other = defined("double", "def double(n):\n    return 3 * n\n")
    assert ingredients._content(plain.__code__) == ingredients._content(told.__code__)
    assert ingredients._content(plain.__code__) != ingredients._content(other.__code__)


def test_a_rule_may_not_use_what_cannot_be_frozen() -> None:
    wrong = defined("wrong", "def wrong(s):\n    return known[s]\n", known={"red": 1})
    with pytest.raises(TypeError, match="the rule wrong uses known, a dict: rules use rules and constants only"):
        ingredients._lines(wrong)


def test_versions_and_the_record_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = ingredients.digest(SULEIKA, play_range)
    monkeypatch.setattr(ingredients.importlib.metadata, "version", lambda package: "another")
    assert ingredients.digest(SULEIKA, play_range) != before


def test_every_kernel_has_a_folder_of_its_own() -> None:
    """Numba does not lock a folder's index: two processes saving different kernels there at once could be given each other's."""
    folders = {
        cache.kernel_folder(souk.game(name), entry) for name in ("suleika", "bazaar") for entry in (think, play_range)
    }
    assert len(folders) == 4


def test_old_kernels_are_dropped(tmp_path: Path) -> None:
    old, young = tmp_path / "old", tmp_path / "young"
    for folder in (old, young):
        folder.mkdir()
        (folder / "kernel.nbc").touch()
    os.utime(old, (0, 0))
    cache._clear_old.__wrapped__(tmp_path)
    assert not old.exists()
    assert young.exists()


PLAY = """
import souk
from souk.kernel.cache import is_ready
from souk.kernel.playouts import play_range
found = is_ready(souk.game("suleika"), play_range)
print(found, souk.simulate("suleika", 2, games=500, seed=1, threads=1).scores.sum(axis=0).tolist())
"""


def test_a_stale_kernel_is_never_run(tmp_path: Path) -> None:
    """In a copy of the package one digit of a rule far away is changed, and its file's time and size are as before. (Python itself would then take
    what it compiled before, so that is not copied of this one.)"""
    shutil.copytree(PACKAGE, tmp_path / "souk", ignore=shutil.ignore_patterns("site", "*.pyc.*", "chance.*.pyc"))
    environment = dict(
        os.environ, XDG_CACHE_HOME=str(tmp_path / "cache"), PYTHONPATH=str(tmp_path), PYTHONDONTWRITEBYTECODE="1"
    )

    def play() -> list[str]:
        command = [sys.executable, "-c", PLAY]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout.split(" ", 1)

    first, again = play(), play()
    assert (first[0], again[0]) == ("False", "True")
    assert first[1] == again[1]
    far = tmp_path / "souk" / "kernel" / "chance.py"
    times, text = far.stat(), far.read_text(encoding="utf-8")
    far.write_text(text.replace("0xD1B54A32D192ED03", "0xD1B54A32D192ED05"), encoding="utf-8")
    os.utime(far, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert far.stat().st_size == times.st_size
    other = play()
    assert other[0] == "False"
    assert other[1] != first[1]
