"""Generates the browser's types from the server's: `python -m souk.server.protocol.typescript`.

`web/src/protocol/*.ts` come from the modules of this package, and `web/src/games/<game>/types.ts`
from the positions, board info and facts of the games. Every type is written once, in the file of
the package that defines it, and imported elsewhere; types of souk.core are in
`web/src/games/types.ts`.
"""

import inspect
import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal, get_args, get_origin

import msgspec

from souk.core.facts import Ended, Fact
from souk.core.game import Game
from souk.games import game as find_game
from souk.games import names
from souk.server.protocol import account as person_protocol
from souk.server.protocol import analysis as study_protocol
from souk.server.protocol import events as event_protocol
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol import meeting as meeting_protocol
from souk.server.protocol import ratings as rating_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.typescript_types import OF_GAME, Declared, Struct, TypeFile, own_part

PAGES = Path(__file__).parents[3] / "web" / "src"
PROTOCOLS = (
    *(protocol, event_protocol, lobby_protocol, meeting_protocol, person_protocol, rating_protocol),
    study_protocol,
)
PROTOCOL, STUDY_PROTOCOL, MEETING_PROTOCOL = (
    PAGES / "protocol" / f"{name}.ts" for name in ("table", "analysis", "meeting")
)

Kinds = tuple[Struct, ...]  # of facts

# Bases without a type in TypeScript: a message declares its tag and all fields itself.
_BASES = (
    *(protocol.FromBrowser, protocol.AnyCommand, protocol.AnySeatCommand, protocol.AnyMessage),
    msgspec.Struct,
)

_OWN = (protocol.OwnPosition, protocol.OwnBox, protocol.OwnScene, protocol.OwnFact)


def files() -> dict[Path, str]:
    """The generated files by path."""
    games = [find_game(name) for name in names()]
    own = [struct for game in games for struct in (*_parts(game).values(), *_facts(game))]
    structs = [
        each for each in _reached([*_messages(), *own]) if each in own or not issubclass(each, Fact)
    ]
    modules = [sys.modules[name] for name in dict.fromkeys(struct.__module__ for struct in structs)]
    aliases = {
        meaning: Declared(name, _home(at.__name__))
        for at in modules
        for name, meaning in _named(at).items()
    }
    shared = _shared_facts(games)
    known = (
        aliases
        | shared
        | {struct: Declared(struct.__name__, _home(struct.__module__)) for struct in structs}
    )
    known |= {OF_GAME: Declared(OF_GAME, PROTOCOL)}
    by_path = {home.path: TypeFile(home.path, known) for home in known.values()}
    by_path[PROTOCOL].add_constants(protocol, ("VERSION", "NOBODY"))
    for meaning, (name, path) in aliases.items():
        by_path[path].add_alias(name, meaning)
    positions = {_parts(game)["position"]: game for game in games}
    for struct in structs:
        _add_struct(by_path[known[struct].path], struct, positions.get(struct))
    _add_protocol(by_path[PROTOCOL])
    for name in ("LobbyCommand", "LobbyMessage"):
        by_path[MEETING_PROTOCOL].add_union(name, get_args(getattr(meeting_protocol, name)))
    for kinds, (name, path) in shared.items():
        by_path[path].add_union(name, kinds)
    for position, game in positions.items():
        _add_game(by_path[known[position].path], game, list(shared))
    return {path: file.text() for path, file in by_path.items()}


# ---------------------------------------------------------------- what is declared


def _add_struct(file: TypeFile, struct: Struct, game: Game | None) -> None:
    """Add a Struct; the position of a game extends AnyPosition."""
    if game:
        file.add_struct(struct, [protocol.AnyPosition], game=game.name)
    else:
        file.add_struct(struct)


def _add_protocol(file: TypeFile) -> None:
    own = {own_part(each) or "": file.written(get_args(each)[0]) for each in _OWN}
    file.add_parts("The types that each game defines.", OF_GAME, own)
    for name in ("Command", "Message"):
        file.add_union(name, get_args(getattr(protocol, name)))


def _add_game(file: TypeFile, game: Game, shared: list[Kinds]) -> None:
    own = {part: file.written(struct) for part, struct in _parts(game).items()}
    facts = _facts(game)
    taken_over = [kinds for kinds in shared if set(kinds) <= set(facts)]
    its_own = [fact for fact in facts if not any(fact in kinds for kinds in taken_over)]
    file.add_union("Fact", [*taken_over, *its_own])
    file.add_parts("The types of this game.", "Game", own | {"fact": "Fact"})


# ---------------------------------------------------------------- what there is to declare


def _messages() -> list[Struct]:
    found = [
        (each, module)
        for module in PROTOCOLS
        for each in vars(module).values()
        if isinstance(each, type)
    ]
    return [
        each
        for each, module in found
        if issubclass(each, msgspec.Struct) and each.__module__ == module.__name__
    ]


def _parts(game: Game) -> dict[str, Struct]:
    """The types of position, box and scene of a game."""
    made = {
        "position": game.notation.position,
        "box": game.board_info.box,
        "scene": game.board_info.scene,
    }
    return {part: function.__annotations__["return"] for part, function in made.items()}


def _facts(game: Game) -> list[Struct]:
    """The facts of a game, and the end."""
    return list(dict.fromkeys([*game.facts.KINDS, Ended]))


def _shared_facts(games: Sequence[Game]) -> dict[Kinds, Declared]:
    """Facts defined by packages that games share, as one union each."""
    own = {_home(_parts(game)["position"].__module__) for game in games}
    modules = {
        kind.__module__: sys.modules[kind.__module__] for game in games for kind in game.facts.KINDS
    }
    rooms = {
        name: module.KINDS
        for name, module in modules.items()
        if hasattr(module, "KINDS") and _home(name) not in own
    }
    return {
        kinds: Declared(f"{_game_folder(name).title().replace('-', '')}Fact", _home(name))
        for name, kinds in rooms.items()
    }


def _reached(structs: Iterable[Struct]) -> list[Struct]:
    """These Structs and all that they consist of, which come first."""
    found: dict[Struct, None] = {}
    for struct in structs:
        if struct not in _BASES:
            fields = [
                inner for field in msgspec.structs.fields(struct) for inner in _within(field.type)
            ]
            found |= dict.fromkeys(_reached([*struct.__bases__, *fields])) | {struct: None}
    return list(found)


def _within(meaning: Any) -> list[Struct]:
    if isinstance(meaning, type) and issubclass(meaning, msgspec.Struct):
        return [meaning]
    return [struct for part in get_args(meaning) for struct in _within(part)]


def _named(module: ModuleType) -> dict[str, Any]:
    """The named Literal and Annotated types that a module defines."""
    source = inspect.getsource(module)
    found = {
        name: value
        for name, value in vars(module).items()
        if get_origin(value) in (Literal, Annotated)
    }
    here = {
        name: value
        for name, value in found.items()
        if re.search(rf"^{name} = ", source, re.MULTILINE)
    }
    return {name: value for name, value in here.items() if not own_part(value)}


def _home(module: str) -> Path:
    """The file for the types of a module."""
    if module in (each.__name__ for each in PROTOCOLS):
        return PAGES / "protocol" / f"{module.rpartition('.')[2]}.ts"
    if module.startswith("souk.analysis."):
        return STUDY_PROTOCOL
    return PAGES.joinpath("games", _game_folder(module), "types.ts")


def _game_folder(module: str) -> str:
    """The browser's folder for a module of souk.games; "" for others."""
    match = re.match(r"souk\.games\.(\w+)", module)
    return match[1].replace("_", "-") if match else ""


if __name__ == "__main__":
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
