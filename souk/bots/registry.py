"""Bots by name: a level or method, then its settings, as in "vizier:quick" or "search:seed=3"."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

from souk.bots.bot import Bot
from souk.core.errors import nearest
from souk.core.json_fields import brief

Settings = dict[str, Any]


@dataclass(frozen=True)
class Setting:
    """A setting and its parser, which raises ValueError for a bad value."""

    read: Callable[[str], Any]
    about: str


@dataclass(frozen=True)
class BotKind:
    """A level or a method."""

    settings: tuple[str, ...]
    make: Callable[[str, Settings], Bot]
    paces: tuple[str, ...] = ()  # words that stand for a number of seconds
    time_share: float = 0.0  # expected share of its time limit that it uses; a search uses all


def _number(read: Callable[[str], Any], low: float, high: float, what: str) -> Callable[[str], Any]:
    def parse(text: str) -> Any:
        try:
            number = read(text)
        except ValueError:
            number = None
        if number is None or not low <= number <= high:
            raise ValueError(f"must be {what} from {low} to {high}, not {brief(text)}")
        return number

    return parse


def _net(text: str) -> str:
    if text != "none" and not Path(text).is_file():
        raise ValueError(f"must be an existing file, or none, not {brief(text)}")
    return text


def _current_name(setting: str, kind: BotKind) -> str:
    """The present name of a setting: `mind` is now called `net`."""
    if setting == "mind" and "net" in kind.settings:
        # FutureWarning: unlike DeprecationWarning it is shown by default, once per process.
        warnings.warn("bot: the setting mind= is now called net=", FutureWarning, stacklevel=2)
        return "net"
    return setting


SETTINGS = {
    "seconds": Setting(_number(float, 0.001, 3600, "a number"), "time per move"),
    "playouts": Setting(_number(int, 1, 1_000_000_000, "a whole number"), "playouts per move"),
    "seed": Setting(
        _number(int, 0, 2**64 - 1, "a whole number"), "same seed and playouts, same move"
    ),
    "horizon": Setting(
        _number(int, 0, 1000, "a whole number"), "turns or rounds a playout lasts at most"
    ),
    "net": Setting(_net, "value net: a file, or none; default: the game's own"),
    "exploration": Setting(_number(float, 0, 10, "a number"), "exploration constant of UCT"),
    "lapses": Setting(
        _number(float, 0, 1, "a number"),
        "how often it plays like an apprentice; default: depends on the game",
    ),
}


def _random(name: str, settings: Settings) -> Bot:
    from souk.bots.simple import Random

    return Random(name, **settings)


def _greedy(name: str, settings: Settings) -> Bot:
    from souk.bots.simple import Greedy

    return Greedy(name, **settings)


def _search(name: str, settings: Settings) -> Bot:
    from souk.bots.search import SearchBot, Thinking

    return SearchBot(name, Thinking(**_budget(settings, 1.0)))


def _uct(name: str, settings: Settings) -> Bot:
    from souk.bots.search import SearchBot, Thinking

    thinking: Settings = {"guided": False, "exact": False, "exploration": 0.7, "net": "none"}
    return SearchBot(name, Thinking(**thinking | _budget(settings, 1.0)))


def _level(level: str) -> Callable[[str, Settings], Bot]:
    def make(name: str, settings: Settings) -> Bot:
        from souk.bots import levels

        bot: Bot = getattr(levels, level)(name, settings)
        return bot

    return make


def _budget(settings: Settings, seconds: float) -> Settings:
    """Settings with a limit: these seconds unless seconds or playouts are set."""
    if "seconds" in settings:
        return settings
    return settings | {"seconds": None if "playouts" in settings else seconds}


PACES = {"quick": 0.05, "normal": 1.0, "deep": 6.0}  # seconds per move, at most
_BUDGET = ("seconds", "playouts", "seed")
KINDS = {
    "apprentice": BotKind(("seed",), _level("apprentice")),
    "trader": BotKind(("seed", "lapses"), _level("trader")),
    "merchant": BotKind(_BUDGET, _level("merchant"), tuple(PACES), time_share=0.02),
    "vizier": BotKind((*_BUDGET, "net"), _level("vizier"), tuple(PACES), time_share=1.0),
    "random": BotKind(("seed",), _random),
    "greedy": BotKind(("seed",), _greedy),
    "search": BotKind((*_BUDGET, "horizon", "net", "exploration"), _search, time_share=1.0),
    "uct": BotKind((*_BUDGET, "exploration"), _uct, time_share=1.0),
}
_SEARCH_KINDS = [name for name, kind in KINDS.items() if kind.time_share == 1.0]


def bot(name: str) -> Bot:
    """Make a bot by name; the ValueError for a bad name says what would be right."""
    return make_bot(name)


def make_bot(
    name: str,
    *,
    seconds: float | None = None,
    seed: int | None = None,
    max_seconds: float | None = None,
) -> Bot:
    """Make a bot by name, with defaults for settings the name leaves open.

    `seconds` and `seed` apply only where the name does not set them, `max_seconds` caps a search
    whatever its name says. Bots without such a setting ignore them.
    """
    if not isinstance(name, str):
        raise ValueError(f"bot: a name is a text, not {brief(name)}")
    if name.startswith("exec:"):
        from souk.bots.external import SECONDS, external_bot

        return external_bot(name.removeprefix("exec:"), SECONDS if seconds is None else seconds)
    kind, settings = _read_name(name)
    if seed is not None and "seed" in kind.settings:
        settings.setdefault("seed", seed)
    if (
        seconds is not None
        and "seconds" in kind.settings
        and not settings.keys() & {"seconds", "playouts", "pace"}
    ):
        settings["seconds"] = seconds
    if max_seconds is not None and "seconds" in kind.settings:
        settings["seconds"] = min(max_seconds, _seconds_of(settings) or max_seconds)
    return kind.make(name.strip(), settings)


def expected_seconds(name: str) -> float:
    """Expected thinking time per move; infinite if the name limits playouts only."""
    if name.startswith("exec:"):
        from souk.bots.external import external_bot

        return external_bot(name.removeprefix("exec:")).seconds
    kind, settings = _read_name(name)
    return kind.time_share * (_seconds_of(settings) or inf) if kind.time_share else 0.0


def searches(name: str) -> bool:
    """Whether a bot searches, and so needs compiled kernels to be any good."""
    return name.strip().partition(":")[0] in _SEARCH_KINDS


def _read_name(name: str) -> tuple[BotKind, Settings]:
    word, colon, rest = name.strip().partition(":")
    if word not in KINDS:
        raise ValueError(
            f"bot: there is no bot {brief(word)}. {nearest(word, KINDS)}Known: {_listed()}."
        )
    return KINDS[word], _read_settings(word, KINDS[word], rest) if colon else {}


def _seconds_of(settings: Settings) -> float | None:
    """The time limit in seconds; None if only playouts are limited."""
    if "seconds" in settings:
        return float(settings["seconds"])
    return None if "playouts" in settings else PACES[settings.get("pace", "normal")]


def names() -> list[str]:
    """The names of all levels and methods."""
    return list(KINDS)


def _listed() -> str:
    return ", ".join(KINDS) + ", and exec:PROGRAM"


def _read_settings(word: str, kind: BotKind, text: str) -> Settings:
    """Parse the part after the colon: NAME=VALUE pairs separated by commas, or a pace."""
    settings: Settings = {}
    for part in text.split(","):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        name = _current_name(name, kind)
        if not equals and name in kind.paces:
            name, value = "pace", name
        elif not equals or name not in kind.settings:
            raise ValueError(f"bot: {word} has no setting {brief(name)}. {_known_settings(kind)}")
        else:
            try:
                value = SETTINGS[name].read(value)
            except ValueError as error:
                raise ValueError(f"bot: {name} of {word} {error}") from None
        if name in settings:
            raise ValueError(f"bot: {name} is set twice in {brief(text)}")
        settings[name] = value
    if "pace" in settings and settings.keys() & {"seconds", "playouts"}:
        raise ValueError(
            f"bot: {settings['pace']} and a number of seconds or playouts exclude each other"
        )
    return settings


def _known_settings(kind: BotKind) -> str:
    known = [f"{name}=…" for name in kind.settings] + list(kind.paces)
    return f"Known: {', '.join(known)}."
