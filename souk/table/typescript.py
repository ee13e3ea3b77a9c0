"""Writes web/src/protocol.ts from souk/table/protocol.py: `python -m souk.table.typescript`."""

import inspect
import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect as shape

from souk.table import protocol

TARGET = Path(__file__).parents[2] / "web" / "src" / "protocol.ts"

_HEAD = "// Written by `python -m souk.table.typescript` from souk/table/protocol.py: change it there.\n"
_FIELD = re.compile(r"^    (\w+): .*?  # (.*)$")
_PLAIN = {shape.IntType: "number", shape.FloatType: "number", shape.StrType: "string", shape.BoolType: "boolean"}
_PLAIN |= {shape.NoneType: "null", shape.AnyType: "any"}
_UNIONS = ("Command", "Message")


def typescript() -> str:
    """The protocol as TypeScript."""
    structs = [each for each in vars(protocol).values() if isinstance(each, type) and issubclass(each, msgspec.Struct)]
    constants = [f"export const {name} = {getattr(protocol, name)};" for name in ("VERSION", "NOBODY")]
    told = "/** A message as JSON: [key, values]. */\nexport type Told = [string, Record<string, any>];\n"
    unions = [_union(name) for name in _UNIONS]
    return "\n".join([_HEAD, *constants, "", told, *map(_interface, structs), *unions])


def _interface(struct: type[msgspec.Struct]) -> str:
    config, about = struct.__struct_config__, struct.__dict__.get("__doc__") or ""
    comments = _comments(struct)
    info = shape.type_info(struct)
    assert isinstance(info, shape.StructType)
    lines = [f"/** {about} */"] if about else []
    lines.append(f"export interface {struct.__name__} {{")
    if config.tag is not None:
        lines.append(f'  {config.tag_field}: "{config.tag}";')
    may_lack = config.omit_defaults or config.forbid_unknown_fields
    for field in info.fields:
        lines += [f"  /** {comments[field.name]} */"] if field.name in comments else []
        optional = "?" if may_lack and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_told_or_type(struct, field)};")
    return "\n".join([*lines, "}", ""])


def _told_or_type(struct: type[msgspec.Struct], field: shape.Field) -> str:
    """Told is a name for a list, which the inspection no longer knows; the annotation does."""
    written = struct.__annotations__[field.name]
    names = {protocol.Told: "Told", list[protocol.Told]: "Told[]", protocol.Told | None: "Told | null"}
    return names.get(written) or _type(field.type)


def _type(found: Any) -> str:
    for kind, name in _PLAIN.items():
        if isinstance(found, kind):
            return name
    if isinstance(found, shape.StructType):
        return found.cls.__name__
    if isinstance(found, shape.ListType):
        inner = _type(found.item_type)
        return f"({inner})[]" if "|" in inner else f"{inner}[]"
    if isinstance(found, shape.DictType):
        return f"Record<{_type(found.key_type)}, {_type(found.value_type)}>"
    if isinstance(found, shape.UnionType):
        return " | ".join(map(_type, found.types))
    raise TypeError(f"no TypeScript for {found!r}")


def _union(name: str) -> str:
    members = " | ".join(each.__name__ for each in getattr(protocol, name).__args__)
    return f"export type {name} = {members};\n"


def _comments(struct: type) -> dict[str, str]:
    """What the source says behind each field."""
    found = map(_FIELD.match, inspect.getsource(struct).splitlines())
    return {match[1]: match[2] for match in found if match}


if __name__ == "__main__":
    TARGET.parent.mkdir(parents=True, exist_ok=True)
    TARGET.write_text(typescript(), encoding="utf-8")
