"""`souk host event …`: events that whoever hosts a server opens on its file, while it runs or not."""

from typing import Annotated, Literal, get_args

import typer
from rich.markup import escape

from souk.cli.host import _DATA, _KEY, _STORE, Data, Kept, Key, Yes, _ask, _file, _list, _when, console, host
from souk.games import game as find_game
from souk.games import names
from souk.games.art.palette import LAMP

Form = Literal["swiss", "round-robin", "knock-out"]
EventId = Annotated[str, typer.Argument(metavar="EVENT", help="Its id, as `souk host events` lists it.")]
_MINUTE = 60.0


@host.command()
def event(
    name: Annotated[str, typer.Argument(help="What it is called.")],
    form: Annotated[str, typer.Option(help="One of: " + ", ".join(get_args(Form)) + ".")] = "swiss",
    game: Annotated[
        list[str] | None, typer.Option(help="A game; several, each with --game, take turns by round.")
    ] = None,
    size: Annotated[int, typer.Option(help="Players at a table, as near as the numbers allow.")] = 4,
    rounds: Annotated[int, typer.Option(help="0: as many as it needs.")] = 0,
    advance: Annotated[int, typer.Option(help="Knock-out: how many of each table go on.")] = 1,
    clock: Annotated[float, typer.Option(help="Minutes that a player has for a game.")] = 10.0,
    limit: Annotated[int, typer.Option(help="Minutes after which a round is ended; 0 for never.")] = 0,
    pause: Annotated[int, typer.Option(help="Seconds between rounds; -1: until the host goes on.")] = 30,
    bots: Annotated[int, typer.Option(help="Bots that take part.")] = 0,
    level: Annotated[str, typer.Option(help="Their level.")] = "apprentice",
    address: Annotated[str, typer.Option(help="Where the server is reached, for the links.")] = "",
    data: Data = _DATA,
    key: Key = _KEY,
    store: Kept = _STORE,
) -> None:
    """Open an event; prints the address by which people join, and the one that makes whoever opens it the host."""
    from souk.table.evening_protocol import EveningTerms, NewEvening
    from souk.table.protocol import ClockTerms

    if form not in get_args(Form):
        raise ValueError(f"form: {form} is none of {', '.join(get_args(Form))}")
    terms = EveningTerms(
        form=form.replace("-", "_"),  # type: ignore[arg-type]
        games=list(game or sorted(names(), key=lambda each: find_game(each).place)[:1]),
        size=size,
        clock=ClockTerms("game", clock * _MINUTE, returns=False),
        rounds=rounds,
        advance=advance,
        minutes=limit,
        pause=None if pause < 0 else pause,
    )
    with _file(data, key, store) as file:
        found, secret = file.open_evening(NewEvening(name, terms, bots, level if bots else ""))
    link = f"{address.rstrip('/')}/events/{found}"
    console.print(f"To join: [{LAMP}]{escape(link)}[/]", soft_wrap=True)
    console.print(f"To host: [{LAMP}]{escape(link)}#host={secret}[/]", soft_wrap=True)


@host.command()
def events(data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """All events, the latest first."""
    with _file(data, key, store) as file:
        found = file.evenings()
    shown = _list("event", "name", "state", "round", "people", "last change")
    for each in found:
        shown.add_row(
            f"[{LAMP}]{each.id}[/]",
            escape(each.name),
            each.state,
            f"{each.round}",
            f"{each.people}",
            _when(each.changed),
        )
    console.print(shown)


@host.command()
def delete_event(name: EventId, yes: Yes = False, data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """Delete an event and its standings; its tables stay."""
    with _file(data, key, store) as file:
        _ask(f"Delete the event {name} for good?", yes)
        file.delete_evening(name)
    console.print(f"Deleted {name}.")
