"""How interpreted rules see a record: attributes that read and write its bytes.

The record itself is NumPy's. NumPy's own scalars would be a trap here: an ``int8`` field plus one overflows where the
compiled rules do not, and mixing signs differs too. A state gives plain Python integers instead, and refuses
to store one that does not fit its field, so that interpreted rules find what compiled ones would silently cut off.
"""

from typing import Any, ClassVar

import numpy as np

RecordArray = np.ndarray[Any, np.dtype[np.void]]

_FORMATS = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}


class State:
    """One record's bytes, with an attribute for each field. Made by `state_class`."""

    dtype: ClassVar[np.dtype[np.void]]
    rules: ClassVar[Any]
    __slots__ = ("_views", "record")

    def __init__(self, record: RecordArray) -> None:
        self.record = record
        flat: Any = record.view(np.uint8).reshape(-1)
        raw: Any = memoryview(flat)
        views = []
        for name in self.dtype.names or ():
            field, offset = self.dtype.fields[name][:2]  # type: ignore[index]
            part = raw[offset : offset + field.itemsize]
            code = _FORMATS[field.base.str[1:]]
            views.append(part.cast(code, field.shape) if len(field.shape) > 1 else part.cast(code))
        self._views = views


def _scalar(index: int) -> property:
    def read(state: Any) -> Any:
        return state._views[index][0]

    def write(state: Any, value: int) -> None:
        state._views[index][0] = value

    return property(read, write)


def _array(index: int) -> property:
    return property(lambda state: state._views[index])


def state_class(dtype: np.dtype[np.void], rules: Any) -> type[State]:
    """The class of states for one record type; verbs called on them run `rules`."""
    body: dict[str, Any] = {"dtype": dtype, "rules": rules, "__slots__": ()}
    for index, name in enumerate(dtype.names or ()):
        body[name] = _array(index) if dtype.fields[name][0].shape else _scalar(index)  # type: ignore[index]
    return type("State", (State,), body)
