"""Cache keys: any change to a reachable rule changes them; comments do not."""

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
from souk.games.suleika import heuristics, rules
from souk.kernel import bitset, cache, cache_key
from souk.kernel.playouts import play_range
from souk.kernel.rule import rule

PACKAGE = Path(__file__).parents[2] / "souk"
SULEIKA = souk.game("suleika")


def defined(name: str, source: str, **scope: Any) -> Any:
    """A rule from source code."""
    exec(source, scope)
    return rule(scope[name])


def digest_anew(entry: Any) -> str:
    """The digest without caching: here rules change."""
    cache_key._globals.cache_clear()
    cache_key._lines.cache_clear()
    return cache_key.digest(SULEIKA, entry)


@pytest.fixture(autouse=True)
def _clear_caches() -> Iterator[None]:
    yield
    digest_anew(play_range)


def test_a_kernel_reaches_the_rules_behind_game_ops() -> None:
    names = {
        f"{rule.__module__}.{rule.__name__}" for rule in cache_key.reachable_rules(SULEIKA, think)
    }
    assert "souk.games.suleika.rules.pay_owner" in names  # through the game op `resolve`
    assert "souk.games.suleika.heuristics.toll" in names
    assert "souk.kernel.bitset.count" in names
    assert not any("basari" in name or "observations" in name for name in names)
    random_play = {rule.__module__ for rule in cache_key.reachable_rules(SULEIKA, play_range)}
    assert "souk.games.suleika.heuristics" not in random_play


def test_a_rule_far_away_makes_another_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    before = digest_anew(think)
    other = defined("count", "def count(found):\n    return 0\n")
    for module in (bitset, rules, heuristics):
        monkeypatch.setattr(module, "count", other)
    assert digest_anew(think) != before


@pytest.mark.parametrize(
    ("name", "value"),
    [("NOISE", 0.25), ("STOPS", heuristics.STOPS + 1), ("LAY", 7)],
    ids=("number", "table", "index"),
)
def test_a_constant_makes_another_kernel(
    name: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, random_play = digest_anew(think), digest_anew(play_range)
    monkeypatch.setattr(heuristics, name, value)
    assert digest_anew(think) != before
    assert digest_anew(play_range) == random_play  # does not use heuristics


def test_comments_do_not_change_the_key() -> None:
    """Docstrings, comments and line numbers do not affect machine code."""
    plain = defined("double", "def double(n):\n    return 2 * n\n")
    documented = defined(
        "double", '\n\n# Why.\ndef double(n):\n    """Twice."""\n    return 2 * n  # that is it\n'
    )
    other = defined("double", "def double(n):\n    return 3 * n\n")
    assert cache_key._bytecode(plain.__code__) == cache_key._bytecode(documented.__code__)
    assert cache_key._bytecode(plain.__code__) != cache_key._bytecode(other.__code__)


def test_a_rule_may_not_use_what_cannot_be_frozen() -> None:
    wrong = defined("wrong", "def wrong(s):\n    return known[s]\n", known={"red": 1})
    with pytest.raises(
        TypeError, match="the rule wrong uses known, a dict: rules use rules and constants only"
    ):
        cache_key._lines(wrong)


def test_versions_and_the_record_count(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache_key.digest(SULEIKA, play_range)
    monkeypatch.setattr(cache_key.importlib.metadata, "version", lambda package: "another")
    assert cache_key.digest(SULEIKA, play_range) != before


def test_every_kernel_has_a_folder_of_its_own() -> None:
    """Numba does not lock a folder's index: kernels sharing one could get mixed up."""
    folders = {
        cache.kernel_folder(souk.game(name), entry)
        for name in ("suleika", "bazaar")
        for entry in (think, play_range)
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
ready = is_ready(souk.game("suleika"), play_range)
print(ready, souk.simulate("suleika", 2, games=500, seed=1, threads=1).scores.sum(axis=0).tolist())
"""


def test_a_stale_kernel_is_never_run(tmp_path: Path) -> None:
    """Change one digit of a remote rule in a copy of the package, keeping the file's time and size.

    The copy has no .pyc of that file: Python itself would use it.
    """
    shutil.copytree(
        PACKAGE, tmp_path / "souk", ignore=shutil.ignore_patterns("site", "*.pyc.*", "rng.*.pyc")
    )
    environment = dict(
        os.environ,
        XDG_CACHE_HOME=str(tmp_path / "cache"),
        PYTHONPATH=str(tmp_path),
        PYTHONDONTWRITEBYTECODE="1",
    )

    def play() -> list[str]:
        command = [sys.executable, "-c", PLAY]
        return subprocess.run(
            command, env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
        ).stdout.split(" ", 1)

    first, again = play(), play()
    assert (first[0], again[0]) == ("False", "True")
    assert first[1] == again[1]
    far = tmp_path / "souk" / "kernel" / "rng.py"
    times, text = far.stat(), far.read_text(encoding="utf-8")
    far.write_text(text.replace("0xD1B54A32D192ED03", "0xD1B54A32D192ED05"), encoding="utf-8")
    os.utime(far, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert far.stat().st_size == times.st_size
    other = play()
    assert other[0] == "False"
    assert other[1] != first[1]
