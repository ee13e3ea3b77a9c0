"""Net files: reading, writing, and the messages for invalid files."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

import souk
from souk.kernel.net_layout import FIRST_WIDTH, SECOND_WIDTH
from souk.nets import loader as shelf
from tests.support.random_nets import random_file, random_net

GAME = souk.game("suleika")
ABOUT = {"format": shelf.FORMAT, "game": "suleika", "pedigree": "{}"}
Tensors = dict[str, np.ndarray[Any, Any]]


def test_a_net_survives_writing_and_reading(tmp_path: Path) -> None:
    file = tmp_path / "net.safetensors"
    nets = {players: random_net(GAME, players) for players in (2, 4)}
    shelf.write(file, GAME, nets, {"4": {"games": 12}})
    for players, net in nets.items():
        assert shelf.net_of(GAME, players, str(file)).tobytes() == net.tobytes()
    assert shelf.pedigree_of(GAME, str(file)) == {"4": {"games": 12}}
    assert not shelf.net_of(GAME, 3, str(file))["awake"].any()  # not trained for three players
    assert sorted(shelf.all_nets(GAME, file)) == [2, 4]


def test_all_zero_rows_are_left_out(tmp_path: Path) -> None:
    file, net = tmp_path / "net.safetensors", random_net(GAME)
    net["rows"][0, 10:] = 0
    net["rows"][0, 3] = 0
    shelf.write(file, GAME, {4: net}, {})
    kept = load_file(file)
    assert kept["4.numbers"].tolist() == [0, 1, 2, 4, 5, 6, 7, 8, 9]
    assert kept["4.rows"].shape == (9, FIRST_WIDTH)
    assert shelf.net_of(GAME, 4, str(file)).tobytes() == net.tobytes()


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = random_file(tmp_path, GAME)
    first = shelf.net_of(GAME, 4, str(file)).tobytes()
    shelf.write(file, GAME, {4: random_net(GAME, 99)}, {})
    assert shelf.net_of(GAME, 4, str(file)).tobytes() == random_net(GAME, 99).tobytes() != first


def changed(tensors: Tensors, **others: Any) -> None:
    tensors |= {f"4.{name}": np.asarray(value) for name, value in others.items()}


WRONG: dict[str, tuple[Callable[[Tensors], Any], str]] = {
    "rows of another width": (
        lambda t: changed(t, rows=t["4.rows"][:, :-1].copy()),
        "the rows of .* do not fit the features of suleika",
    ),
    "rows that are no whole numbers": (
        lambda t: changed(t, rows=t["4.rows"].astype(np.float32)),
        "the rows of .* do not fit",
    ),
    "numbers that are no whole numbers": (
        lambda t: changed(t, numbers=t["4.numbers"].astype(np.float32)),
        "the rows of .* do not fit",
    ),
    "fewer numbers than rows": (
        lambda t: changed(t, numbers=t["4.numbers"][:-1].copy()),
        "the rows of .* do not fit",
    ),
    "a number too high": (
        lambda t: changed(t, numbers=t["4.numbers"] + 1),
        "the rows of .* do not fit",
    ),
    "a number below 0": (
        lambda t: changed(t, numbers=t["4.numbers"] - 1),
        "the rows of .* do not fit",
    ),
    "a layer of another shape": (
        lambda t: changed(t, second=t["4.second"].T.copy()),
        rf"second of .* must be \({FIRST_WIDTH}, {SECOND_WIDTH}\) whole numbers",
    ),
    "a layer of another type": (
        lambda t: changed(t, third=t["4.third"].astype(np.int64)),
        "third of .* must be .* whole numbers",
    ),
    "a first sum that could overflow": (
        lambda t: changed(t, floor=np.full(FIRST_WIDTH, 2**31 - 1, np.int32)),
        "so large that sums could overflow",
    ),
    "a second sum that could overflow": (
        lambda t: changed(t, second=t["4.second"] * 1000),
        "so large that sums could overflow",
    ),
    "a third sum that could overflow": (
        lambda t: changed(t, third=t["4.third"] * 1000),
        "so large that sums could overflow",
    ),
    "no numbers": (lambda t: t.pop("4.numbers"), "lacks '4.numbers'"),
    "no rows": (lambda t: t.pop("4.rows"), "lacks '4.rows'"),
    "no floor": (lambda t: t.pop("4.floor"), "lacks '4.floor'"),
    "no third layer": (lambda t: t.pop("4.third"), "lacks '4.third'"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_an_invalid_net_is_refused(wrong: str, tmp_path: Path) -> None:
    change, message = WRONG[wrong]
    net, file = random_net(GAME), tmp_path / "net.safetensors"
    net["rows"][0, :-1, 0] = 1  # no row is all zero
    shelf.write(file, GAME, {4: net}, {})
    tensors = load_file(file)
    shelf.net_of(GAME, 4, str(file))
    change(tensors)
    other = tmp_path / "wrong.safetensors"
    save_file(tensors, other, ABOUT)
    with pytest.raises(ValueError, match=f"^net: .*{message}"):
        shelf.net_of(GAME, 4, str(other))


def test_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="^net: there is no file /no/such/file"):
        shelf.net_of(GAME, 4, "/no/such/file")
    text = tmp_path / "text"
    text.write_text("souk", encoding="utf-8")
    for path in (text, tmp_path):
        with pytest.raises(ValueError, match="^net: .* is not a safetensors file"):
            shelf.net_of(GAME, 4, str(path))
    save_file({"4.floor": np.zeros(FIRST_WIDTH, np.int32)}, tmp_path / "bare")
    with pytest.raises(ValueError, match=r"^net: .*bare does not contain a net \(souk mind 1\)"):
        shelf.net_of(GAME, 4, str(tmp_path / "bare"))
    with pytest.raises(ValueError, match=r"^net: .* is a net for suleika, not for bazaar"):
        shelf.net_of(souk.game("bazaar"), 4, str(random_file(tmp_path, GAME)))
    save_file(
        {"4.floor": np.zeros(FIRST_WIDTH, np.int32)},
        tmp_path / "told",
        ABOUT | {"pedigree": "told"},
    )
    with pytest.raises(ValueError, match=r"^net: the pedigree of .*told cannot be read"):
        shelf.pedigree_of(GAME, str(tmp_path / "told"))
