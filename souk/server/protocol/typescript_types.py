"""Renders Python types as TypeScript: Structs as interfaces, Literals as unions."""

import ast
import inspect
import json
import os
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec
from msgspec.structs import FieldInfo

from souk.core.facts import Fact
from souk.server.protocol.table import GameSpecific, Told

Struct = type[msgspec.Struct]

_PLAIN = {
    int: "number",
    float: "number",
    str: "string",
    bool: "boolean",
    type(None): "null",
    Any: "unknown",
}
_PLAIN |= {msgspec.Struct: "object", Fact: "{ is: string }"}  # where any of them may stand
_BETTER = {
    Told: "[string, Record<string, unknown>, string[]?]"
}  # which a list of Python's cannot say
_UNIONS = (Union, UnionType, Literal)
OF_GAME = "OfGame"  # all that is a game's own
_PARAMETER = f"<G extends {OF_GAME} = {OF_GAME}>"  # of types that hold any of it


class Declared(NamedTuple):
    """The name of a type and the file that declares it."""

    name: str
    path: Path


class TypeFile:
    """A TypeScript file. `known` maps all types to their declarations."""

    def __init__(self, path: Path, known: Mapping[Any, Declared]) -> None:
        self.path, self.known = path, known
        self.parts: list[str] = []
        self.sources: dict[str, None] = {}
        self.imports: dict[Path, set[str]] = {}

    def text(self) -> str:
        head = (
            "// Written by `python -m souk.server.protocol.typescript` "
            f"from {', '.join(self.sources)}: change it there.\n"
        )
        imports = [self._import(path) for path in sorted(self.imports)]
        return "\n".join([head, *imports, *([""] if imports else []), *self.parts])

    def _import(self, path: Path) -> str:
        where = Path(os.path.relpath(path, self.path.parent)).with_suffix("").as_posix()
        where = where if where.startswith(".") else f"./{where}"
        return f'import type {{ {", ".join(sorted(self.imports[path]))} }} from "{where}";'

    # ------------------------------------------------------------ what is declared

    def add_constants(self, module: ModuleType, names: Iterable[str]) -> None:
        self.parts.append(
            "\n".join(f"export const {name} = {getattr(module, name)};" for name in names) + "\n"
        )

    def add_alias(self, name: str, meaning: Any) -> None:
        about = f"/** {meaning.__metadata__[0]} */\n" if get_origin(meaning) is Annotated else ""
        self.parts.append(
            f"{about}export type {name} = {_BETTER.get(meaning) or self._unnamed(meaning)};\n"
        )

    def add_union(self, name: str, members: Sequence[Any]) -> None:
        whole = f"export type {name}{_PARAMETER if any(map(is_generic, members)) else ''} ="
        self.parts.append(
            "\n".join([whole, *(f"  | {self.written(member)}" for member in members)]) + ";\n"
        )

    def add_parts(self, about: str, name: str, parts: Mapping[str, str]) -> None:
        """Add an interface with the types that a game defines."""
        lines = [f"  {part}: {written};" for part, written in parts.items()]
        self.parts.append(
            "\n".join([f"/** {about} */", f"export interface {name} {{", *lines, "}"]) + "\n"
        )

    def add_struct(self, struct: Struct, besides: Sequence[Struct] = (), **fixed: str) -> None:
        """Add a Struct. `besides`: further base types; `fixed`: fields with constant values."""
        self.sources[f"{struct.__module__.replace('.', '/')}.py"] = None
        in_order = struct.__struct_config__.array_like
        lines = [self._tuple(struct)] if in_order else self._interface(struct, besides, fixed)
        self.parts.append("\n".join([*_about(struct), *lines]) + "\n")

    def _tuple(self, struct: Struct) -> str:
        """A Struct encoded as an array."""
        places = [
            f"{field.name}: {self.written(field.type)}" for field in msgspec.structs.fields(struct)
        ]
        return f"export type {struct.__name__} = [{', '.join(places)}];"

    def _interface(
        self, struct: Struct, besides: Sequence[Struct], fixed: Mapping[str, str]
    ) -> list[str]:
        config = struct.__struct_config__
        tag = {config.tag_field: config.tag} if config.tag is not None else {}
        lines = [f'  {name}: "{value}";' for name, value in (tag | dict(fixed)).items()]
        lines += [line for field in self._own_fields(struct) for line in self._field(struct, field)]
        bases = [self.written(base) for base in (*besides, *struct.__bases__) if base in self.known]
        if not lines and not bases:
            return [f"export type {struct.__name__} = object;"]
        name = struct.__name__
        if is_generic(struct):
            self.written(OF_GAME)
            name += _PARAMETER
        return [
            f"export interface {name}{' extends ' if bases else ''}{', '.join(bases)} {{",
            *lines,
            "}",
        ]

    def _own_fields(self, struct: Struct) -> list[FieldInfo]:
        """Fields that a Struct declares itself, or inherits from a base without a type here."""
        extended = [base for base in struct.__bases__ if base in self.known]
        taken_over = {field.name for base in extended for field in msgspec.structs.fields(base)}
        own = inspect.get_annotations(struct)
        return [
            field
            for field in msgspec.structs.fields(struct)
            if field.name in own or field.name not in taken_over
        ]

    def _field(self, struct: Struct, field: FieldInfo) -> list[str]:
        config, comment = struct.__struct_config__, _comments(struct).get(field.name)
        left_out = (
            config.omit_defaults and not field.required
        )  # by the server, where it is the default
        optional = left_out or msgspec.UnsetType in get_args(field.type)
        optional = optional or (config.forbid_unknown_fields and not field.required)
        never = (
            (msgspec.UnsetType, type(None))
            if left_out and field.default is None
            else (msgspec.UnsetType,)
        )
        about = [f"  /** {_in_typescript(comment)} */"] if comment else []
        return [
            *about,
            f"  {field.encode_name}{'?' if optional else ''}: {self.written(field.type, never)};",
        ]

    # ------------------------------------------------------------ types

    def written(self, meaning: Any, never: Sequence[type] = ()) -> str:
        """A type by its name, where it has one. `never` are those of a union that do not travel."""
        if part := own_part(meaning):
            return f'G["{part}"]'
        if meaning not in self.known:
            return self._unnamed(meaning, never)
        name, home = self.known[meaning]
        if home != self.path:
            self.imports.setdefault(home, set()).add(name)
        return f"{name}<G>" if is_generic(meaning) else name

    def _unnamed(self, meaning: Any, never: Sequence[type] = ()) -> str:
        if meaning in _PLAIN:
            return _PLAIN[meaning]
        origin, parts = get_origin(meaning), get_args(meaning)
        if origin is Annotated:
            return self.written(parts[0])
        if origin is Literal:
            return " | ".join(map(json.dumps, parts))
        if origin is tuple and parts[1:] == (...,):
            return self.written(list[parts[0]])  # type: ignore[valid-type]
        inner = [self.written(part) for part in parts if part not in never]
        if origin is list:
            bare = parts[0] not in self.known and get_origin(parts[0]) in _UNIONS
            return f"({inner[0]})[]" if bare else f"{inner[0]}[]"
        if origin is tuple:
            return f"[{', '.join(inner)}]"
        if origin is dict:
            return f"Record<{', '.join(inner)}>"
        if origin in _UNIONS:
            return " | ".join(inner)
        raise TypeError(f"no TypeScript for {meaning!r}")


# ---------------------------------------------------------------- what is a game's own


def own_part(meaning: Any) -> str | None:
    """The part of a game that a type stands for, or None."""
    return next(
        (
            mark.part
            for mark in getattr(meaning, "__metadata__", ())
            if isinstance(mark, GameSpecific)
        ),
        None,
    )


def is_generic(meaning: Any) -> bool:
    """Whether a type contains types of a game."""
    if isinstance(meaning, type) and issubclass(meaning, msgspec.Struct):
        return any(is_generic(field.type) for field in msgspec.structs.fields(meaning))
    return own_part(meaning) is not None or any(map(is_generic, get_args(meaning)))


# ---------------------------------------------------------------- what the source says


def _about(struct: Struct) -> list[str]:
    """Its docstring."""
    about = " ".join((struct.__dict__.get("__doc__") or "").split())
    return [f"/** {_in_typescript(about)} */"] if about else []


@cache
def _comments(struct: Struct) -> dict[str, str]:
    """The comments of fields: above a field, or behind it on the same line."""
    source = textwrap.dedent(inspect.getsource(struct))
    lines, [tree] = source.splitlines(), ast.parse(source).body
    assert isinstance(tree, ast.ClassDef)
    comments = {}
    for field in tree.body:
        if not isinstance(field, ast.AnnAssign):
            continue
        _, mark, behind = lines[(field.end_lineno or 1) - 1].rpartition("  # ")
        above: list[str] = []
        for line in reversed(lines[: field.lineno - 1]):
            if not line.strip().startswith("# "):
                break
            above.insert(0, line.strip().removeprefix("# "))
        if mark or above:
            comments[ast.unparse(field.target)] = behind if mark else " ".join(above)
    return comments


def _in_typescript(text: str) -> str:
    return re.sub(r"\bNone\b", "null", text)
