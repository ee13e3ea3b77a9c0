"""What a compiled kernel is made of: a change there must be noticed, a change of words need not."""

import re
from pathlib import Path

from souk.core.cache import APART, SPEAKING, kernel_cache
from souk.games import game as find_game
from souk.lab.slots import numbers_of

PACKAGE = Path(__file__).parent.parent.parent / "souk"
SOURCES = sorted(
    [*(PACKAGE / "core").glob("*.py"), *(PACKAGE / "games").rglob("*.py"), *(PACKAGE / "bots").glob("*.py")]
)
RULES = [file for file in SOURCES if re.search(r"^@rule", file.read_text(encoding="utf-8"), re.MULTILINE)]


def test_what_only_speaks_holds_no_rule() -> None:
    assert len(RULES) > 10
    assert not [file.name for file in RULES if file.stem.endswith(SPEAKING)]


def test_no_rule_is_made_of_what_only_speaks() -> None:
    for file in RULES:
        imported = re.findall(r"^from (souk\.\S+) import", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert not [module for module in imported if module.endswith(SPEAKING)], file


def test_what_stands_apart_is_noticed_where_it_is_named() -> None:
    """A change in a game's numbers compiles its environments anew, and nothing else."""
    room = PACKAGE / "games" / "suleika"
    game = find_game("suleika")
    assert str(room / "numbers.py") in numbers_of(game).sources
    assert kernel_cache(str(room)) != kernel_cache(str(room), *numbers_of(game).sources)
    for file in RULES:
        if not file.stem.endswith(APART):
            imported = re.findall(r"^from (souk\.\S+) import", file.read_text(encoding="utf-8"), re.MULTILINE)
            assert not [module for module in imported if module.endswith(APART)], file
