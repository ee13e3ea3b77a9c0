"""Arguments and options that several commands share."""

import json
import os
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from souk.core.errors import suggestion
from souk.core.messages import languages
from souk.games import names as game_names

GameName = Annotated[str, typer.Argument(metavar="GAME", help=", ".join(game_names()))]
Players = Annotated[int | None, typer.Option("--players", "-p", help="Number of players.")]
Seed = Annotated[int | None, typer.Option(help="Same seed, same dice and cards.")]
FixedSeed = Annotated[int, typer.Option(help="Same seed, same dice and cards.")]
GameOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="NAME=VALUE", help="Game option, such as turn_at_end=true."
    ),
]
MoveTime = Annotated[
    float, typer.Option(help="Seconds per move, for bots whose name sets no limit.")
]
ProcessCount = Annotated[int | None, typer.Option(help="Games in parallel; default: all cores.")]
WhereToRun = Annotated[
    str, typer.Option(metavar="PLACE", help="here, or ray: on the workers of a Ray cluster.")
]
RayAddress = Annotated[
    str | None,
    typer.Option(
        metavar="HOST:PORT", help="Ray cluster; default: RAY_ADDRESS, else one on this machine."
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        "-l",
        metavar="CODE",
        help=f"{', '.join(languages())}; default: your terminal's language.",
    ),
]
SavedGame = Annotated[Path, typer.Argument(help="A saved game.")]


def choose_language(wanted: str | None) -> str:
    """The language asked for; by default that of the environment if supported, else English."""
    if wanted is None:
        locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
        code = re.split("[_.@]", locale)[0].lower()
        return code if code in languages() else "en"
    if wanted not in languages():
        raise ValueError(f"language: there is no {wanted!r}. {suggestion(wanted, languages())}")
    return wanted


def read_options(given: list[str] | None) -> dict[str, Any]:
    """Parse NAME=VALUE options; a value is JSON or plain text."""
    options: dict[str, Any] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"option: write {text!r} as NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options
