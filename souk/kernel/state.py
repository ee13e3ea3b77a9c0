"""How interpreted rules see a state: attributes that read and write its bytes.

The bytes lie in a NumPy array of one item, with a field for everything there is to know of a position. NumPy's own scalars would be a trap here: an ``int8`` field plus one overflows where the
compiled rules do not, and mixing signs differs too. A state gives plain Python numbers instead, and refuses
to store a whole number that does not fit its field, so that interpreted rules find what compiled ones would silently cut off.

Most of what rules do is to look at single numbers again and again: whose turn it is, the phase. A `QuickState` has them at hand as plain attributes, and writes
each change through to its bytes. It is for those whose bytes nobody else changes.
"""

import struct
from collections.abc import Callable
from typing import Any, ClassVar, NamedTuple, cast

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
StateArray = np.ndarray[Any, np.dtype[np.void]]

_WHOLE = {"i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q"}
_FORMATS = _WHOLE | {"f4": "f", "f8": "d"}


class FieldPlace(NamedTuple):
    """Where a field lies in the bytes of a state."""

    begin: int
    end: int
    code: str  # its format
    shape: tuple[int, ...]

    def view(self, raw: Any) -> Any:
        """The field as a memoryview on the bytes."""
        begin, end, code, shape = self
        return raw[begin:end].cast(code, shape) if len(shape) > 1 else raw[begin:end].cast(code)

    def filled(self, value: int) -> bytes:
        """Its bytes where every number in it is this one."""
        one = struct.pack(f"={self.code}", value)
        return one * ((self.end - self.begin) // len(one))


class State:
    """One state's bytes, with an attribute for each field. Made by `state_class`."""

    dtype: ClassVar[np.dtype[np.void]]
    rules: ClassVar[Any]
    layout: ClassVar[list[tuple[Callable[[Any, Any], None], FieldPlace]]]  # what puts a field's view where it is found
    listener: Callable[[Any], object]  # who is told what happens, where somebody watches: see souk.kernel.watching
    __slots__ = ("array", "listener")

    def __init__(self, array: StateArray) -> None:
        self.array = array
        flat: Any = array.view(np.uint8).reshape(-1)
        raw: Any = memoryview(flat)
        for put, place in self.layout:
            put(self, place.view(raw))

    def copy(self) -> "State":
        """Another of the same, with bytes of its own."""
        return type(self)(self.array.copy())


class QuickState:
    """The same over bytes that are its own, with every single number at hand. Made by what `quick_state_maker` gives."""

    dtype: ClassVar[np.dtype[np.void]]
    rules: ClassVar[Any]
    numbers: ClassVar[dict[str, tuple[Callable[[Any, Any], None], Callable[[Any, int, Any], None], int]]]
    _made_over: ClassVar[Callable[[bytearray], "QuickState"]]  # makes another
    listener: Callable[[Any], object]
    raw: bytearray
    __slots__ = ("listener", "raw")

    @property
    def array(self) -> StateArray:
        """Its bytes as an array of one. Not to be written to: the numbers at hand would not change with it."""
        return np.frombuffer(self.raw, self.dtype)

    def copy(self) -> "QuickState":
        return type(self)._made_over(bytearray(self.raw))


def _set_number(state: Any, name: str, value: Any) -> None:
    """A number goes to the bytes, too, which refuse it where it does not fit."""
    try:
        put, pack_into, begin = state.numbers[name]
    except KeyError:
        if name != "listener":
            raise AttributeError(f"{name} is no single number of a state") from None
        _put_listener(state, value)
        return
    try:
        pack_into(state.raw, begin, value)
    except struct.error as error:
        raise ValueError(f"{name} cannot be {value}: {error}") from None
    put(state, int(value))


_put_listener: Callable[[Any, Any], None] = QuickState.__dict__["listener"].__set__


def _fields(dtype: np.dtype[np.void]) -> dict[str, FieldPlace]:
    """Where each field lies."""
    found = {name: dtype.fields[name][:2] for name in dtype.names or ()}  # type: ignore[index]
    return {
        name: FieldPlace(offset, offset + field.itemsize, _FORMATS[field.base.str[1:]], field.shape)
        for name, (field, offset) in found.items()
    }


def _scalar(slot: Any) -> property:
    """A single number, which is read from the bytes whenever it is asked for."""
    view = slot.__get__

    def read(state: Any) -> Any:
        return view(state)[0]

    def write(state: Any, value: float) -> None:
        view(state)[0] = value

    return property(read, write)


def state_class(dtype: np.dtype[np.void], rules: Any = None) -> type[State]:
    """The class of states of one layout; verbs called on them run `rules`. (Only positions have rules.)"""
    fields = _fields(dtype)
    slots = {name: name if place.shape else f"_{name}" for name, place in fields.items()}
    made: Any = type("State", (State,), {"dtype": dtype, "rules": rules, "__slots__": tuple(slots.values())})
    made.layout = [(made.__dict__[slots[name]].__set__, place) for name, place in fields.items()]
    for name, place in fields.items():
        if not place.shape:
            setattr(made, name, _scalar(made.__dict__[slots[name]]))
    return cast(type[State], made)


def quick_state_maker(dtype: np.dtype[np.void], rules: Any) -> Callable[[bytearray], QuickState]:
    """What makes quick states of one layout, which holds whole numbers only, over bytes that become their own."""
    fields = _fields(dtype)
    single = sorted((place, name) for name, place in fields.items() if not place.shape)
    named = {"dtype": dtype, "rules": rules, "__slots__": tuple(fields)}
    being_made: Any = type("QuickStateBeingMade", (QuickState,), named)  # its attributes are set as those of any object
    made: Any = type("QuickState", (QuickState,), named | {"__setattr__": _set_number})
    made.numbers = {
        name: (made.__dict__[name].__set__, struct.Struct(place.code).pack_into, place.begin) for place, name in single
    }
    unpack = struct.Struct(_format_of([place for place, _ in single], dtype.itemsize)).unpack
    scope = {"being_made": being_made, "made": made, "unpack": unpack}
    exec(_source_of_maker([name for _, name in single], fields), scope)
    made._made_over = staticmethod(scope["made_over"])
    return made._made_over  # type: ignore[no-any-return]


def _source_of_maker(single: list[str], fields: dict[str, FieldPlace]) -> str:
    """A function that sets all attributes of a state, written out: many thousand states are made a second."""
    views = {
        name: f"whole[{place.begin}:{place.end}].cast({place.code!r}{f', {place.shape}' if len(place.shape) > 1 else ''})"
        for name, place in fields.items()
        if place.shape
    }
    lines = [
        "def made_over(raw):",
        "state = being_made()",
        "state.raw, whole = raw, memoryview(raw)",
        f"{''.join(f'state.{name}, ' for name in single)} = unpack(raw)" if single else "pass",
        *(f"state.{name} = {view}" for name, view in views.items()),
        "state.__class__ = made",
        "return state",
    ]
    return "\n    ".join(lines)


def _format_of(places: list[FieldPlace], size: int) -> str:
    """How to read these fields of a state at once, for `struct`: whatever lies between them is passed over."""
    at, form = 0, "="
    for place in places:
        form += f"{place.begin - at}x{place.code}"
        at = place.end
    return f"{form}{size - at}x"


def forgetting(dtype: np.dtype[np.void], **values: int) -> Callable[[bytes | bytearray], bytes]:
    """What makes of a state's bytes those of a state in which some fields have these values, and all else is the same: for those who look for what they
    have worked out before, and to whom these fields make no difference."""
    fields, size = _fields(dtype), dtype.itemsize
    kept, put = bytearray(b"\xff" * size), bytearray(size)
    for name, value in values.items():
        place = fields[name]
        kept[place.begin : place.end] = bytes(place.end - place.begin)
        put[place.begin : place.end] = place.filled(value)
    mask, fill = int.from_bytes(kept, "little"), int.from_bytes(put, "little")

    def forget(raw: bytes | bytearray) -> bytes:
        return (int.from_bytes(raw, "little") & mask | fill).to_bytes(size, "little")

    return forget


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
