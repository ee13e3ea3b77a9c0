"""Minds in their files: one for each game, in its room, with a net for every number of players that has learned, and their pedigree.

A file of somebody's own (`vizier:mind=FILE`) is read in the same way. What does not fit the game is refused when it is read: whole numbers of the right
shape, and none so large that a sum could overflow.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.core.game import Game
from souk.kernel.mind_shape import CEILING, FIRST, OUTPUTS, SECOND, MindArray, mind_type, no_mind

if TYPE_CHECKING:
    from collections.abc import Mapping

NONE = "none"  # the name of no mind at all
FORMAT = "souk mind 1"
_MOST = 2**31

Tensor = np.ndarray[Any, np.dtype[Any]]
Tensors = dict[str, Tensor]
Pedigree = dict[str, Any]


def own_file(game: Game) -> Path:
    """Where a game keeps its mind."""
    return game.room / "mind.safetensors"


def mind_of(game: Game, players: int, name: str = "") -> MindArray:
    """The mind by this name: a file's, or (without a name) the game's own. A sleeping one where there is none for so many players."""
    path = Path(name) if name else own_file(game)
    if name == NONE or (not name and not path.is_file()):
        return no_mind(game.mind.ROWS)
    return all_minds(game, path).get(players, no_mind(game.mind.ROWS))


def all_minds(game: Game, path: Path) -> dict[int, MindArray]:
    """All minds of a file, by number of players."""
    return dict(_read(game, path, path.stat().st_mtime_ns if path.is_file() else 0))


def pedigree_of(game: Game, name: str = "") -> Pedigree:
    """What is known of how a mind came about, by number of players; empty where there is none."""
    path = Path(name) if name else own_file(game)
    if name == NONE or (not name and not path.is_file()):
        return {}
    return _opened(path)[1]


def write(path: Path, game: Game, minds: "Mapping[int, MindArray]", pedigree: Pedigree) -> None:
    """Keep minds by number of players, with the pedigree of each. Rows that say nothing are left out."""
    from safetensors.numpy import save

    tensors: Tensors = {}
    for players, mind in sorted(minds.items()):
        rows = np.flatnonzero(mind["rows"][0].any(axis=1))
        tensors[f"{players}.numbers"] = rows.astype(np.int32)
        tensors[f"{players}.rows"] = mind["rows"][0][rows]
        tensors |= {f"{players}.{field}": mind[field][0] for field in _REST}
    about = {"format": FORMAT, "game": game.name, "pedigree": json.dumps(pedigree, sort_keys=True)}
    aside = path.with_suffix(".part")
    aside.write_bytes(save({name: np.ascontiguousarray(each) for name, each in tensors.items()}, about))
    aside.replace(path)


_REST = {
    "floor": (FIRST,),
    "second": (FIRST, SECOND),
    "second_floor": (SECOND,),
    "third": (OUTPUTS, SECOND),
    "third_floor": (OUTPUTS,),
}


def _opened(path: Path) -> tuple[Tensors, Pedigree, str]:
    """What is in a file: its tensors, its pedigree, and the game it is for."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, "np") as file:
            about = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except FileNotFoundError:
        raise ValueError(f"mind: there is no file {path}") from None
    except (SafetensorError, OSError) as error:
        raise ValueError(f"mind: {path} is no file of safetensors ({error})") from None
    if about.get("format") != FORMAT:
        raise ValueError(f"mind: {path} holds no mind ({FORMAT})")
    try:
        pedigree = json.loads(about.get("pedigree", "{}"))
    except ValueError:
        raise ValueError(f"mind: the pedigree of {path} cannot be read") from None
    return tensors, pedigree, about.get("game", "")


@lru_cache(16)
def _read(game: Game, path: Path, _changed: int) -> dict[int, MindArray]:
    """All minds of a file, by number of players."""
    tensors, _, name = _opened(path)
    if name != game.name:
        raise ValueError(f"mind: {path} is a mind for {name}, not for {game.name}")
    found = {}
    for players in game.players:
        if any(tensor.startswith(f"{players}.") for tensor in tensors):
            found[players] = _mind(game, tensors, f"{players}.", path)
    return found


def _mind(game: Game, tensors: Tensors, prefix: str, path: Path) -> MindArray:
    """One of the minds of a file, checked."""
    mind = np.zeros(1, mind_type(game.mind.ROWS))
    mind["awake"] = 1
    try:
        numbers, rows = tensors[prefix + "numbers"], tensors[prefix + "rows"]
        if not _fit(game, numbers, rows):
            raise ValueError(f"mind: the rows of {path} do not fit what {game.name} shows")
        mind["rows"][0][numbers] = rows
        for field, shape in _REST.items():
            if tensors[prefix + field].shape != shape or tensors[prefix + field].dtype != np.int32:
                raise ValueError(f"mind: {field} of {path} must be {shape} whole numbers")
            mind[field] = tensors[prefix + field]
    except KeyError as error:
        raise ValueError(f"mind: {path} lacks {error}") from None
    if max(largest_sum(mind), _largest_first(game, mind)) >= _MOST:
        raise ValueError(f"mind: the weights of {path} are so large that sums could overflow")
    return mind


def _fit(game: Game, numbers: Tensor, rows: Tensor) -> bool:
    """Whether these can be the rows with these numbers."""
    whole = numbers.dtype == np.int32 and rows.dtype == np.int16
    shaped = numbers.ndim == 1 and rows.shape == (len(numbers), FIRST)
    return whole and shaped and bool(((numbers >= 0) & (numbers < game.mind.ROWS)).all())


def _largest_first(game: Game, mind: MindArray) -> int:
    """No sum of the first layer can become larger."""
    rows, floor = (max(int(mind[layer].max()), -int(mind[layer].min())) for layer in ("rows", "floor"))
    return game.mind.MOST_SEEN * rows + floor


def largest_sum(mind: MindArray) -> int:
    """No sum of the second or third layer can become larger."""
    second, third = (np.abs(mind[layer][0].astype(np.int64)).sum(axis) for layer, axis in (("second", 0), ("third", 1)))
    floors = (np.abs(mind[layer][0].astype(np.int64)) for layer in ("second_floor", "third_floor"))
    return max(int((CEILING * sums + floor).max()) for sums, floor in zip((second, third), floors, strict=True))
