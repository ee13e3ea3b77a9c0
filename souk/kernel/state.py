"""States as interpreted rules see them: attributes that read and write bytes.

A state is a NumPy record holding everything about a position. Its attributes give plain Python
numbers, because NumPy scalars behave differently from compiled code: an ``int8`` plus one
overflows, and signs mix differently. Storing a number that does not fit its field raises, where
compiled code would truncate silently.

Rules mostly read scalars such as the turn or phase. `FastState` caches these as plain attributes
and writes changes through; nothing else may write to its bytes.
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
    """Location and format of a field within a state."""

    begin: int
    end: int
    code: str  # for `struct` and memoryview
    shape: tuple[int, ...]

    def view(self, raw: Any) -> Any:
        """The field as a memoryview of the bytes."""
        begin, end, code, shape = self
        return raw[begin:end].cast(code, shape) if len(shape) > 1 else raw[begin:end].cast(code)

    def filled(self, value: int) -> bytes:
        """The field's bytes with every number set to `value`."""
        number = struct.pack(f"={self.code}", value)
        return number * ((self.end - self.begin) // len(number))


class State:
    """A state's bytes with an attribute for each field. Subclasses come from `state_class`."""

    dtype: ClassVar[np.dtype[np.void]]
    rules: ClassVar[Any]
    # Slot setters with the fields whose views they store.
    layout: ClassVar[list[tuple[Callable[[Any, Any], None], FieldPlace]]]
    # Receives facts from traced rules: souk.kernel.tracing.
    listener: Callable[[Any], object]
    __slots__ = ("array", "listener")

    def __init__(self, array: StateArray) -> None:
        self.array = array
        flat: Any = array.view(np.uint8).reshape(-1)
        raw: Any = memoryview(flat)
        for set_slot, place in self.layout:
            set_slot(self, place.view(raw))

    def copy(self) -> "State":
        """A copy with its own bytes."""
        return type(self)(self.array.copy())


class FastState:
    """A state that owns its bytes and caches scalars. Made by `fast_state_factory`."""

    dtype: ClassVar[np.dtype[np.void]]
    rules: ClassVar[Any]
    numbers: ClassVar[
        dict[str, tuple[Callable[[Any, Any], None], Callable[[Any, int, Any], None], int]]
    ]
    _over: ClassVar[Callable[[bytearray], "FastState"]]  # makes a state over given bytes
    listener: Callable[[Any], object]
    raw: bytearray
    __slots__ = ("listener", "raw")

    @property
    def array(self) -> StateArray:
        """Its bytes as a one-item array. Read-only: writing would bypass the cached scalars."""
        return np.frombuffer(self.raw, self.dtype)

    def copy(self) -> "FastState":
        return type(self)._over(bytearray(self.raw))


def _set_number(state: Any, name: str, value: Any) -> None:
    """Set a scalar and write it through to the bytes; raise if it does not fit."""
    try:
        set_slot, pack_into, begin = state.numbers[name]
    except KeyError:
        if name != "listener":
            raise AttributeError(f"{name} is not a scalar field of a state") from None
        _set_listener(state, value)
        return
    try:
        pack_into(state.raw, begin, value)
    except struct.error as error:
        raise ValueError(f"{name} cannot be {value}: {error}") from None
    set_slot(state, int(value))


_set_listener: Callable[[Any, Any], None] = FastState.__dict__["listener"].__set__


def _fields(dtype: np.dtype[np.void]) -> dict[str, FieldPlace]:
    """Locations of all fields by name."""
    offsets = {name: dtype.fields[name][:2] for name in dtype.names or ()}  # type: ignore[index]
    return {
        name: FieldPlace(offset, offset + field.itemsize, _FORMATS[field.base.str[1:]], field.shape)
        for name, (field, offset) in offsets.items()
    }


def _scalar(slot: Any) -> property:
    """A property that reads and writes a scalar in the bytes."""
    view = slot.__get__

    def read(state: Any) -> Any:
        return view(state)[0]

    def write(state: Any, value: float) -> None:
        view(state)[0] = value

    return property(read, write)


def state_class(dtype: np.dtype[np.void], rules: Any = None) -> type[State]:
    """Make the class of states of one layout; game ops called on them run `rules`.

    Workspaces are states, too, but have no rules.
    """
    fields = _fields(dtype)
    slots = {name: name if place.shape else f"_{name}" for name, place in fields.items()}
    made: Any = type(
        "State", (State,), {"dtype": dtype, "rules": rules, "__slots__": tuple(slots.values())}
    )
    made.layout = [(made.__dict__[slots[name]].__set__, place) for name, place in fields.items()]
    for name, place in fields.items():
        if not place.shape:
            setattr(made, name, _scalar(made.__dict__[slots[name]]))
    return cast(type[State], made)


def fast_state_factory(dtype: np.dtype[np.void], rules: Any) -> Callable[[bytearray], FastState]:
    """Make the function that wraps bytes in a `FastState`; the layout must be all integers."""
    fields = _fields(dtype)
    single = sorted((place, name) for name, place in fields.items() if not place.shape)
    named = {"dtype": dtype, "rules": rules, "__slots__": tuple(fields)}
    # Without __setattr__, so that initial values are not written through.
    unfinished: Any = type("UnfinishedFastState", (FastState,), named)
    made: Any = type("FastState", (FastState,), named | {"__setattr__": _set_number})
    made.numbers = {
        name: (made.__dict__[name].__set__, struct.Struct(place.code).pack_into, place.begin)
        for place, name in single
    }
    unpack = struct.Struct(_struct_format([place for place, _ in single], dtype.itemsize)).unpack
    scope = {"unfinished": unfinished, "made": made, "unpack": unpack}
    exec(_factory_source([name for _, name in single], fields), scope)
    made._over = staticmethod(scope["make_state"])
    return made._over  # type: ignore[no-any-return]


def _factory_source(single: list[str], fields: dict[str, FieldPlace]) -> str:
    """Source of a function that sets all attributes of a state.

    Unrolled, because it runs many thousand times a second.
    """
    views = {
        name: f"view[{place.begin}:{place.end}].cast({_cast_arguments(place)})"
        for name, place in fields.items()
        if place.shape
    }
    lines = [
        "def make_state(raw):",
        "state = unfinished()",
        "state.raw, view = raw, memoryview(raw)",
        f"{''.join(f'state.{name}, ' for name in single)} = unpack(raw)" if single else "pass",
        *(f"state.{name} = {view}" for name, view in views.items()),
        "state.__class__ = made",
        "return state",
    ]
    return "\n    ".join(lines)


def _cast_arguments(place: FieldPlace) -> str:
    return f"{place.code!r}, {place.shape}" if len(place.shape) > 1 else repr(place.code)


def _struct_format(places: list[FieldPlace], size: int) -> str:
    """The `struct` format that reads these fields of a state and skips the rest."""
    end, form = 0, "="
    for place in places:
        form += f"{place.begin - end}x{place.code}"
        end = place.end
    return f"{form}{size - end}x"


def field_overwriter(
    dtype: np.dtype[np.void], **values: int
) -> Callable[[bytes | bytearray], bytes]:
    """Make a function that overwrites some fields of a state's bytes.

    Useful for cache keys that ignore these fields.
    """
    fields, size = _fields(dtype), dtype.itemsize
    mask_bytes, fill_bytes = bytearray(b"\xff" * size), bytearray(size)
    for name, value in values.items():
        place = fields[name]
        mask_bytes[place.begin : place.end] = bytes(place.end - place.begin)
        fill_bytes[place.begin : place.end] = place.filled(value)
    mask, fill = int.from_bytes(mask_bytes, "little"), int.from_bytes(fill_bytes, "little")

    def overwrite(raw: bytes | bytearray) -> bytes:
        return (int.from_bytes(raw, "little") & mask | fill).to_bytes(size, "little")

    return overwrite


class States:
    """An array of states for interpreted rules. Assigning an item copies the bytes."""

    def __init__(self, array: StateArray, view: type[State]) -> None:
        self.array = array
        self._view = view
        self._states: dict[int, State] = {}

    def __len__(self) -> int:
        return len(self.array)

    def __getitem__(self, k: int) -> State:
        if k not in self._states:
            self._states[k] = self._view(self.array[k : k + 1])
        return self._states[k]

    def __setitem__(self, k: int, state: State) -> None:
        self.array[k] = state.array[0]
