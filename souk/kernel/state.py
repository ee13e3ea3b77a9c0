"""How interpreted rules see a state: attributes that read and write its bytes.

The bytes lie in a NumPy array of one item, with a field for everything there is to know of a position. NumPy's own scalars would be a trap here: an ``int8`` field plus one overflows where the
compiled rules do not, and mixing signs differs too. A state gives plain Python numbers instead, and refuses
to store a whole number that does not fit its field, so that interpreted rules find what compiled ones would silently cut off.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
StateArray = np.ndarray[Any, np.dtype[np.void]]

_WHOLE = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}
_FORMATS = _WHOLE | {"f4": "f", "f8": "d"}


class State:
    """One state's bytes, with an attribute for each field. Made by `state_class`."""

    dtype: ClassVar[np.dtype[np.void]]
    rules: ClassVar[Any]
    layout: ClassVar[list[tuple[int, int, str, tuple[int, ...]]]]  # of each field: from, to, format, shape
    listener: Callable[[Any], object]  # who is told what happens, where somebody watches: see souk.kernel.watching
    __slots__ = ("_views", "array", "listener")

    def __init__(self, array: StateArray) -> None:
        self.array = array
        flat: Any = array.view(np.uint8).reshape(-1)
        raw: Any = memoryview(flat)
        self._views = [
            raw[begin:end].cast(code, shape) if len(shape) > 1 else raw[begin:end].cast(code)
            for begin, end, code, shape in self.layout
        ]


def _field_layout(field: np.dtype[Any], offset: int) -> tuple[int, int, str, tuple[int, ...]]:
    return offset, offset + field.itemsize, _FORMATS[field.base.str[1:]], field.shape


def _scalar(index: int) -> property:
    def read(state: Any) -> Any:
        return state._views[index][0]

    def write(state: Any, value: float) -> None:
        state._views[index][0] = value

    return property(read, write)


def _array(index: int) -> property:
    return property(lambda state: state._views[index])


def state_class(dtype: np.dtype[np.void], rules: Any = None) -> type[State]:
    """The class of states of one layout; verbs called on them run `rules`. (Only positions have rules.)"""
    fields = [(name, *dtype.fields[name][:2]) for name in dtype.names or ()]  # type: ignore[index]
    layout = [_field_layout(field, offset) for _, field, offset in fields]
    body: dict[str, Any] = {"dtype": dtype, "rules": rules, "layout": layout, "__slots__": ()}
    for index, (name, field, _) in enumerate(fields):
        body[name] = _array(index) if field.shape else _scalar(index)
    return type("State", (State,), body)


class States:
    """An array of states as interpreted rules see it: an item is a state, and to assign one is to copy its bytes."""

    def __init__(self, array: StateArray, view: type[State]) -> None:
        self.array = array
        self._view = view
        self._seen: dict[int, State] = {}

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, k: int) -> State:
        if k not in self._seen:
            self._seen[k] = self._view(self.array[k : k + 1])
        return self._seen[k]

    def __setitem__(self, k: int, state: State) -> None:
        self.array[k] = state.array[0]
