"""Writes the browser's types from the server's: `python -m souk.table.typescript`.

`web/src/protocol.ts`, `lobby-protocol.ts`, `study-protocol.ts` and so on come from the modules of souk/table that are called so, `web/src/games/<room>/types.ts` from the positions, boxes, scenes and
facts in souk/games/<room>. Every type is written once, in the file of the room that defines it, and imported elsewhere; what
souk.core defines is in `web/src/games/types.ts`.
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
from souk.table import (
    evening_protocol,
    lobby_protocol,
    meeting_protocol,
    person_protocol,
    protocol,
    rating_protocol,
    study_protocol,
)
from souk.table.interfaces import OF_GAME, Declared, Struct, TypeFile, own_part

PAGES = Path(__file__).parents[2] / "web" / "src"
PROTOCOLS = (
    *(protocol, evening_protocol, lobby_protocol, meeting_protocol, person_protocol, rating_protocol),
    study_protocol,
)
PROTOCOL, STUDY_PROTOCOL, MEETING_PROTOCOL = (
    PAGES / f"{name}.ts" for name in ("protocol", "study-protocol", "meeting-protocol")
)

Kinds = tuple[Struct, ...]  # of facts

_OWN = (protocol.OwnPosition, protocol.OwnBox, protocol.OwnScene, protocol.OwnFact)


def files() -> dict[Path, str]:
    """Every file of types, as it should be."""
    games = [find_game(name) for name in names()]
    own = [struct for game in games for struct in (*_parts(game).values(), *_facts(game))]
    structs = [each for each in _reached([*_messages(), *own]) if each in own or not issubclass(each, Fact)]
    modules = [sys.modules[name] for name in dict.fromkeys(struct.__module__ for struct in structs)]
    aliases = {meaning: Declared(name, _home(at.__name__)) for at in modules for name, meaning in _named(at).items()}
    shared = _shared_facts(games)
    known = aliases | shared | {struct: Declared(struct.__name__, _home(struct.__module__)) for struct in structs}
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
    """A Struct; where it is a game's position, with what every position says."""
    if game:
        file.add_struct(struct, [protocol.AnyPosition], game=game.name)
    else:
        file.add_struct(struct)


def _add_protocol(file: TypeFile) -> None:
    own = {own_part(each) or "": file.written(get_args(each)[0]) for each in _OWN}
    file.add_parts("What is a game's own in all this; its room says more about it.", OF_GAME, own)
    for name in ("Command", "Message"):
        file.add_union(name, get_args(getattr(protocol, name)))


def _add_game(file: TypeFile, game: Game, shared: list[Kinds]) -> None:
    own = {part: file.written(struct) for part, struct in _parts(game).items()}
    facts = _facts(game)
    taken_over = [kinds for kinds in shared if set(kinds) <= set(facts)]
    its_own = [fact for fact in facts if not any(fact in kinds for kinds in taken_over)]
    file.add_union("Fact", [*taken_over, *its_own])
    file.add_parts("What is this game's own in what is said of its tables.", "Game", own | {"fact": "Fact"})


# ---------------------------------------------------------------- what there is to declare


def _messages() -> list[Struct]:
    found = [(each, module) for module in PROTOCOLS for each in vars(module).values() if isinstance(each, type)]
    return [each for each, module in found if issubclass(each, msgspec.Struct) and each.__module__ == module.__name__]


def _parts(game: Game) -> dict[str, Struct]:
    """What the position, the box and the scene of a game are."""
    made = {"position": game.notation.position, "box": game.scene.box, "scene": game.scene.scene}
    return {part: function.__annotations__["return"] for part, function in made.items()}


def _facts(game: Game) -> list[Struct]:
    """What a game tells; of all games the end."""
    return list(dict.fromkeys([*game.facts.KINDS, Ended]))


def _shared_facts(games: Sequence[Game]) -> dict[Kinds, Declared]:
    """What the rooms tell that are no game but are shared by some: all their kinds of facts under one name."""
    own = {_home(_parts(game)["position"].__module__) for game in games}
    modules = {kind.__module__: sys.modules[kind.__module__] for game in games for kind in game.facts.KINDS}
    rooms = {
        name: module.KINDS for name, module in modules.items() if hasattr(module, "KINDS") and _home(name) not in own
    }
    return {kinds: Declared(f"{_room(name).title()}Fact", _home(name)) for name, kinds in rooms.items()}


def _reached(structs: Iterable[Struct]) -> list[Struct]:
    """These, and all that they are made of, which comes first."""
    found: dict[Struct, None] = {}
    for struct in structs:
        if struct is not msgspec.Struct:
            fields = [inner for field in msgspec.structs.fields(struct) for inner in _within(field.type)]
            found |= dict.fromkeys(_reached([*struct.__bases__, *fields])) | {struct: None}
    return list(found)


def _within(meaning: Any) -> list[Struct]:
    if isinstance(meaning, type) and issubclass(meaning, msgspec.Struct):
        return [meaning]
    return [struct for part in get_args(meaning) for struct in _within(part)]


def _named(module: ModuleType) -> dict[str, Any]:
    """What a module gives a name to: words to choose from, and lists whose name says what is in them."""
    source = inspect.getsource(module)
    found = {name: value for name, value in vars(module).items() if get_origin(value) in (Literal, Annotated)}
    here = {name: value for name, value in found.items() if re.search(rf"^{name} = ", source, re.MULTILINE)}
    return {name: value for name, value in here.items() if not own_part(value)}


def _home(module: str) -> Path:
    """The file of what a module declares."""
    if module in (each.__name__ for each in PROTOCOLS):
        return PAGES / f"{module.rpartition('.')[2].replace('_', '-')}.ts"
    if module.startswith("souk.study."):
        return STUDY_PROTOCOL
    return PAGES.joinpath("games", _room(module), "types.ts")


def _room(module: str) -> str:
    """The room of the games that a module is in, by the name of the browser's folder; "" where it is in none."""
    room = re.match(r"souk\.games\.(\w+)", module)
    return room[1].replace("_", "-") if room else ""


if __name__ == "__main__":
    for path, text in files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
