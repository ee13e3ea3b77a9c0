"""Minds in files: written and read again, and refused with a clear message where something is wrong with them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import souk
from souk.kernel.mind_shape import FIRST, SECOND
from souk.minds import shelf
from tests.minds.random_minds import random_file, random_mind

GAME = souk.game("suleika")
ABOUT = {"format": shelf.FORMAT, "game": "suleika", "pedigree": "{}"}
Tensors = dict[str, np.ndarray[Any, Any]]


def test_written_and_read_again_it_is_the_same(tmp_path: Path) -> None:
    file, minds = tmp_path / "mind.safetensors", {players: random_mind(GAME, players) for players in (2, 4)}
    shelf.write(file, GAME, minds, {"4": {"games": 12}})
    for players, mind in minds.items():
        assert shelf.mind_of(GAME, players, str(file)).tobytes() == mind.tobytes()
    assert shelf.pedigree_of(GAME, str(file)) == {"4": {"games": 12}}
    assert not shelf.mind_of(GAME, 3, str(file))["awake"].any()  # nobody has taught it that
    assert sorted(shelf.all_minds(GAME, file)) == [2, 4]


def test_rows_that_say_nothing_are_left_out(tmp_path: Path) -> None:
    file, mind = tmp_path / "mind.safetensors", random_mind(GAME)
    mind["rows"][0, 10:] = 0
    mind["rows"][0, 3] = 0
    shelf.write(file, GAME, {4: mind}, {})
    kept = load_file(file)
    assert kept["4.numbers"].tolist() == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    assert kept["4.rows"].shape == (9, FIRST)
    assert shelf.mind_of(GAME, 4, str(file)).tobytes() == mind.tobytes()


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    file = random_file(tmp_path, GAME)
    first = shelf.mind_of(GAME, 4, str(file)).tobytes()
    shelf.write(file, GAME, {4: random_mind(GAME, 99)}, {})
    assert shelf.mind_of(GAME, 4, str(file)).tobytes() == random_mind(GAME, 99).tobytes() != first


def changed(tensors: Tensors, **others: Any) -> None:
    tensors |= {f"4.{name}": np.asarray(value) for name, value in others.items()}


WRONG: dict[str, tuple[Callable[[Tensors], Any], str]] = {
    "rows of another width": (lambda t: changed(t, rows=t["4.rows"][:, :-1].copy()), "the rows of .* do not fit what suleika shows"),
    "rows that are no whole numbers": (lambda t: changed(t, rows=t["4.rows"].astype(np.float32)), "the rows of .* do not fit"),
    "numbers that are no whole numbers": (lambda t: changed(t, numbers=t["4.numbers"].astype(np.float32)), "the rows of .* do not fit"),
    "fewer numbers than rows": (lambda t: changed(t, numbers=t["4.numbers"][:-1].copy()), "the rows of .* do not fit"),
    "a number too high": (lambda t: changed(t, numbers=t["4.numbers"] + 1), "the rows of .* do not fit"),
    "a number below 0": (lambda t: changed(t, numbers=t["4.numbers"] - 1), "the rows of .* do not fit"),
    "a layer of another shape": (lambda t: changed(t, second=t["4.second"].T.copy()), rf"second of .* must be \({FIRST}, {SECOND}\) whole numbers"),
    "a layer of another type": (lambda t: changed(t, third=t["4.third"].astype(np.int64)), "third of .* must be .* whole numbers"),
    "a first sum that could overflow": (lambda t: changed(t, floor=np.full(FIRST, 2**31 - 1, np.int32)), "so large that sums could overflow"),
    "a second sum that could overflow": (lambda t: changed(t, second=t["4.second"] * 1000), "so large that sums could overflow"),
    "a third sum that could overflow": (lambda t: changed(t, third=t["4.third"] * 1000), "so large that sums could overflow"),
    "no numbers": (lambda t: t.pop("4.numbers"), "lacks '4.numbers'"),
    "no rows": (lambda t: t.pop("4.rows"), "lacks '4.rows'"),
    "no floor": (lambda t: t.pop("4.floor"), "lacks '4.floor'"),
    "no third layer": (lambda t: t.pop("4.third"), "lacks '4.third'"),
}  # fmt: skip


@pytest.mark.parametrize("wrong", WRONG)
def test_what_does_not_fit_is_refused(wrong: str, tmp_path: Path) -> None:
    change, message = WRONG[wrong]
    mind, file = random_mind(GAME), tmp_path / "mind.safetensors"
    mind["rows"][0, :-1, 0] = 1  # so that all rows say something
    shelf.write(file, GAME, {4: mind}, {})
    tensors = load_file(file)
    shelf.mind_of(GAME, 4, str(file))
    change(tensors)
    other = tmp_path / "wrong.safetensors"
    save_file(tensors, other, ABOUT)
    with pytest.raises(ValueError, match=f"^mind: .*{message}"):
        shelf.mind_of(GAME, 4, str(other))


def test_what_is_no_mind_of_this_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="^mind: there is no file /no/such/file"):
        shelf.mind_of(GAME, 4, "/no/such/file")
    text = tmp_path / "text"
    text.write_text("souk", encoding="utf-8")
    for path in (text, tmp_path):
        with pytest.raises(ValueError, match="^mind: .* is no file of safetensors"):
            shelf.mind_of(GAME, 4, str(path))
    save_file({"4.floor": np.zeros(FIRST, np.int32)}, tmp_path / "bare")
    with pytest.raises(ValueError, match=r"^mind: .*bare holds no mind \(souk mind 1\)"):
        shelf.mind_of(GAME, 4, str(tmp_path / "bare"))
    with pytest.raises(ValueError, match=r"^mind: .* is a mind for suleika, not for bazaar"):
        shelf.mind_of(souk.game("bazaar"), 4, str(random_file(tmp_path, GAME)))
    save_file({"4.floor": np.zeros(FIRST, np.int32)}, tmp_path / "told", ABOUT | {"pedigree": "told"})
    with pytest.raises(ValueError, match=r"^mind: the pedigree of .*told cannot be read"):
        shelf.pedigree_of(GAME, str(tmp_path / "told"))
