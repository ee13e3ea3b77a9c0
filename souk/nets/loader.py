"""Reads and writes net files: one per game, with a net for each trained number of players.

Files of your own (`vizier:net=FILE`) are read in the same way and validated: integers of the right
shape, and none so large that a sum could overflow.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.core.game import Game
from souk.kernel.net_layout import (
    CEILING,
    FIRST_WIDTH,
    OUTPUTS,
    SECOND_WIDTH,
    NetArray,
    net_type,
    no_net,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

NONE = "none"  # stands for "no net" in place of a file name
FORMAT = "souk mind 1"  # nets were once called minds; part of existing files
_MOST = 2**31

Tensor = np.ndarray[Any, np.dtype[Any]]
Tensors = dict[str, Tensor]
Pedigree = dict[str, Any]


def bundled_file(game: Game) -> Path:
    """The path of the net that ships with a game."""
    return game.folder / "net.safetensors"


def net_of(game: Game, players: int, name: str = "") -> NetArray:
    """The net of a file, or the game's own if `name` is empty; an inactive one if there is none."""
    path = Path(name) if name else bundled_file(game)
    if name == NONE or (not name and not path.is_file()):
        return no_net(game.net_features.ROWS)
    return all_nets(game, path).get(players, no_net(game.net_features.ROWS))


def all_nets(game: Game, path: Path) -> dict[int, NetArray]:
    """All nets of a file, by number of players."""
    return dict(_read(game, path, path.stat().st_mtime_ns if path.is_file() else 0))


def pedigree_of(game: Game, name: str = "") -> Pedigree:
    """The training history of a file's nets, by number of players; empty without a file."""
    path = Path(name) if name else bundled_file(game)
    if name == NONE or (not name and not path.is_file()):
        return {}
    return _opened(path)[1]


def write(path: Path, game: Game, nets: "Mapping[int, NetArray]", pedigree: Pedigree) -> None:
    """Write nets and their pedigrees, by number of players. All-zero rows are left out."""
    from safetensors.numpy import save

    tensors: Tensors = {}
    for players, net in sorted(nets.items()):
        rows = np.flatnonzero(net["rows"][0].any(axis=1))
        tensors[f"{players}.numbers"] = rows.astype(np.int32)
        tensors[f"{players}.rows"] = net["rows"][0][rows]
        tensors |= {f"{players}.{field}": net[field][0] for field in _REST}
    about = {"format": FORMAT, "game": game.name, "pedigree": json.dumps(pedigree, sort_keys=True)}
    draft = path.with_suffix(".part")
    draft.write_bytes(
        save({name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}, about)
    )
    draft.replace(path)


_REST = {
    "floor": (FIRST_WIDTH,),
    "second": (FIRST_WIDTH, SECOND_WIDTH),
    "second_floor": (SECOND_WIDTH,),
    "third": (OUTPUTS, SECOND_WIDTH),
    "third_floor": (OUTPUTS,),
}


def _opened(path: Path) -> tuple[Tensors, Pedigree, str]:
    """The tensors, the pedigree and the game name of a file."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "np") as file:
            about = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise ValueError(f"net: there is no file {path}") from None
    except (SafetensorError, OSError) as error:
        raise ValueError(f"net: {path} is not a safetensors file ({error})") from None
    if about.get("format") != FORMAT:
        raise ValueError(f"net: {path} does not contain a net ({FORMAT})")
    try:
        pedigree = json.loads(about.get("pedigree", "{}"))
    except ValueError:
        raise ValueError(f"net: the pedigree of {path} cannot be read") from None
    return tensors, pedigree, about.get("game", "")


@lru_cache(16)
def _read(game: Game, path: Path, _changed: int) -> dict[int, NetArray]:
    """All nets of a file, by number of players."""
    tensors, _, name = _opened(path)
    if name != game.name:
        raise ValueError(f"net: {path} is a net for {name}, not for {game.name}")
    return {
        players: _net(game, tensors, f"{players}.", path)
        for players in game.players
        if any(tensor.startswith(f"{players}.") for tensor in tensors)
    }


def _net(game: Game, tensors: Tensors, prefix: str, path: Path) -> NetArray:
    """One net of a file, validated."""
    net = np.zeros(1, net_type(game.net_features.ROWS))
    net["awake"] = 1
    try:
        numbers, rows = tensors[prefix + "numbers"], tensors[prefix + "rows"]
        if not _fit(game, numbers, rows):
            raise ValueError(f"net: the rows of {path} do not fit the features of {game.name}")
        net["rows"][0][numbers] = rows
        for field, shape in _REST.items():
            if tensors[prefix + field].shape != shape or tensors[prefix + field].dtype != np.int32:
                raise ValueError(f"net: {field} of {path} must be {shape} whole numbers")
            net[field] = tensors[prefix + field]
    except KeyError as error:
        raise ValueError(f"net: {path} lacks {error}") from None
    if max(largest_sum(net), _largest_first(game, net)) >= _MOST:
        raise ValueError(f"net: the weights of {path} are so large that sums could overflow")
    return net


def _fit(game: Game, numbers: Tensor, rows: Tensor) -> bool:
    """Whether these are valid row numbers and rows."""
    whole = numbers.dtype == np.int32 and rows.dtype == np.int16
    shaped = numbers.ndim == 1 and rows.shape == (len(numbers), FIRST_WIDTH)
    return whole and shaped and bool(((numbers >= 0) & (numbers < game.net_features.ROWS)).all())


def _largest_first(game: Game, net: NetArray) -> int:
    """An upper bound on every sum of the first layer."""
    rows, floor = (
        max(int(net[layer].max()), -int(net[layer].min())) for layer in ("rows", "floor")
    )
    return game.net_features.MOST_SEEN * rows + floor


def largest_sum(net: NetArray) -> int:
    """An upper bound on every sum of the second and third layer."""
    second, third = (
        np.abs(net[layer][0].astype(np.int64)).sum(axis)
        for layer, axis in (("second", 0), ("third", 1))
    )
    floors = (np.abs(net[layer][0].astype(np.int64)) for layer in ("second_floor", "third_floor"))
    return max(
        int((CEILING * sums + floor).max())
        for sums, floor in zip((second, third), floors, strict=True)
    )
