"""Bots by name: a level or a method, then its settings, as in "vizier:quick" or "search:playouts=5000,seed=3"."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from souk.bots.bot import Bot
from souk.core.errors import nearest
from souk.core.fields import brief

Settings = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    """Something that can be set, and how its value is read; ValueError where it makes no sense."""

    read: Callable[[str], Any]
    about: str


@dataclass(frozen=True)
class Kind:
    """A level or a method."""

    settings: tuple[str, ...]
    make: Callable[[str, Settings], Bot]
    paces: tuple[str, ...] = ()  # words that may stand for a number of seconds
    uses: float = 0.0  # how much of the seconds it has it will use: one that searches all of them


def _number(read: Callable[[str], Any], low: float, high: float, what: str) -> Callable[[str], Any]:
    def value(text: str) -> Any:
        try:
            found = read(text)
        except ValueError:
            found = None
        if found is None or not low <= found <= high:
            raise ValueError(f"must be {what} from {low} to {high}, not {brief(text)}")
        return found

    return value


def _mind(text: str) -> str:
    if text != "none" and not Path(text).is_file():
        raise ValueError(f"must be a file that is there, or none, not {brief(text)}")
    return text


SETTINGS = {
    "seconds": Setting(_number(float, 0.001, 3600, "a number"), "time for a move"),
    "playouts": Setting(_number(int, 1, 1_000_000_000, "a whole number"), "games played out for a move"),
    "seed": Setting(_number(int, 0, 2**64 - 1, "a whole number"), "the same seed and playouts, the same move"),
    "horizon": Setting(_number(int, 0, 1000, "a whole number"), "turns or rounds a playout goes on for"),
    "mind": Setting(_mind, "what judges: a file, or none; without it the game's own"),
    "exploration": Setting(_number(float, 0, 10, "a number"), "how widely it looks around"),
    "lapses": Setting(
        _number(float, 0, 1, "a number"), "how often it plays as an apprentice does; without it as suits the game"
    ),
}


def _random(name: str, settings: Settings) -> Bot:
    from souk.bots.simple import Random

    return Random(name, **settings)


def _greedy(name: str, settings: Settings) -> Bot:
    from souk.bots.simple import Greedy

    return Greedy(name, **settings)


def _search(name: str, settings: Settings) -> Bot:
    from souk.bots.searcher import Searcher, Thinking

    return Searcher(name, Thinking(**_budget(settings, 1.0)))


def _uct(name: str, settings: Settings) -> Bot:
    from souk.bots.searcher import Searcher, Thinking

    thinking: Settings = {"guided": False, "exact": False, "exploration": 0.7, "mind": "none"}
    return Searcher(name, Thinking(**thinking | _budget(settings, 1.0)))


def _level(level: str) -> Callable[[str, Settings], Bot]:
    def make(name: str, settings: Settings) -> Bot:
        from souk.bots import levels

        bot: Bot = getattr(levels, level)(name, settings)
        return bot

    return make


def _budget(settings: Settings, seconds: float) -> Settings:
    """Settings with a limit: these seconds, where nothing else is said."""
    return settings if "seconds" in settings else settings | {"seconds": None if "playouts" in settings else seconds}


PACES = {"quick": 0.05, "normal": 1.0, "deep": 6.0}  # seconds a move, at most
_BUDGET = ("seconds", "playouts", "seed")
KINDS = {  # their manners are texts: level.*.manner
    "apprentice": Kind(("seed",), _level("apprentice")),
    "trader": Kind(("seed", "lapses"), _level("trader")),
    "merchant": Kind(_BUDGET, _level("merchant"), tuple(PACES), uses=0.02),
    "vizier": Kind((*_BUDGET, "mind"), _level("vizier"), tuple(PACES), uses=1.0),
    "random": Kind(("seed",), _random),
    "greedy": Kind(("seed",), _greedy),
    "search": Kind((*_BUDGET, "horizon", "mind", "exploration"), _search, uses=1.0),
    "uct": Kind((*_BUDGET, "exploration"), _uct, uses=1.0),
}
_SEARCHING = [name for name, kind in KINDS.items() if kind.uses == 1.0]


def bot(name: str) -> Bot:
    """A bot by its name; ValueError says what is wrong with a name, and what would be right."""
    return named(name)


def named(name: str, *, seconds: float | None = None, seed: int | None = None, at_most: float | None = None) -> Bot:
    """A bot by its name, with a time for a move and a seed for what the name leaves open; one that searches thinks for `at_most` so many
    seconds, whatever its name says. Bots without such a setting take no notice."""
    if not isinstance(name, str):
        raise ValueError(f"bot: a name is a text, not {brief(name)}")
    if name.startswith("exec:"):
        from souk.bots.pipe import SECONDS, pipe_bot

        return pipe_bot(name.removeprefix("exec:"), SECONDS if seconds is None else seconds)
    kind, settings = _read_name(name)
    if seed is not None and "seed" in kind.settings:
        settings.setdefault("seed", seed)
    if seconds is not None and "seconds" in kind.settings and not settings.keys() & {"seconds", "playouts", "pace"}:
        settings["seconds"] = seconds
    if at_most is not None and "seconds" in kind.settings:
        settings["seconds"] = min(at_most, _seconds_of(settings) or at_most)
    return kind.make(name.strip(), settings)


def expected_seconds(name: str) -> float:
    """About how long a bot will think over a move, as far as its name tells; infinite where it says only how many playouts."""
    if name.startswith("exec:"):
        from souk.bots.pipe import pipe_bot

        return pipe_bot(name.removeprefix("exec:")).seconds
    kind, settings = _read_name(name)
    return kind.uses * (_seconds_of(settings) or inf) if kind.uses else 0.0


def searches(name: str) -> bool:
    """Whether a bot searches: it takes a compiler to be any good. All others play as well, if not as fast, by rules that are interpreted."""
    return name.strip().partition(":")[0] in _SEARCHING


def _read_name(name: str) -> tuple[Kind, Settings]:
    word, colon, rest = name.strip().partition(":")
    if word not in KINDS:
        raise ValueError(f"bot: there is no bot {brief(word)}. {nearest(word, KINDS)}Known: {_listed()}.")
    return KINDS[word], _read_settings(word, KINDS[word], rest) if colon else {}


def _seconds_of(settings: Settings) -> float | None:
    """The seconds that settings allow; None where only playouts count."""
    if "seconds" in settings:
        return float(settings["seconds"])
    return None if "playouts" in settings else PACES[settings.get("pace", "normal")]


def names() -> list[str]:
    """The names of all levels and methods; settings follow a colon."""
    return list(KINDS)


def _listed() -> str:
    return ", ".join(KINDS) + ", and exec:PROGRAM"


def _read_settings(word: str, kind: Kind, text: str) -> Settings:
    """What follows the colon: NAME=VALUE, with commas between; or the word for a pace."""
    found: Settings = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and name in kind.paces:
            name, value = "pace", name
        elif not equals or name not in kind.settings:
            raise ValueError(f"bot: {word} has no setting {brief(name)}. {_known_settings(kind)}")
        else:
            try:
                value = SETTINGS[name].read(value)
            except ValueError as error:
                raise ValueError(f"bot: {name} of {word} {error}") from None
        if name in found:
            raise ValueError(f"bot: {name} is set twice in {brief(text)}")
        found[name] = value
    if "pace" in found and found.keys() & {"seconds", "playouts"}:
        raise ValueError(f"bot: {found['pace']} and a number of seconds or playouts exclude each other")
    return found


def _known_settings(kind: Kind) -> str:
    known = [f"{name}=…" for name in kind.settings] + list(kind.paces)
    return f"Known: {', '.join(known)}."
