"""`souk host event …`: open, list and delete events, while the server runs or not."""

from typing import TYPE_CHECKING, Annotated, Literal, get_args

import typer
from rich.markup import escape

from souk.cli.host import Yes, _ask, _host_command, _table, _when, console
from souk.drawing.palette import LAMP
from souk.games import game as find_game
from souk.games import names

if TYPE_CHECKING:
    from souk.server.admin.host_tools import HostTools

Form = Literal["swiss", "round-robin", "knock-out"]
EventId = Annotated[
    str, typer.Argument(metavar="EVENT", help="Event id, as listed by `souk host events`.")
]
_MINUTE = 60.0


@_host_command
def event(
    tools: "HostTools",
    name: Annotated[str, typer.Argument(help="Name of the event.")],
    form: Annotated[str, typer.Option(help="One of: " + ", ".join(get_args(Form)) + ".")] = "swiss",
    game: Annotated[
        list[str] | None,
        typer.Option(help="Game; repeat --game to alternate by round."),
    ] = None,
    size: Annotated[int, typer.Option(help="Players per table, as close as possible.")] = 4,
    rounds: Annotated[int, typer.Option(help="Number of rounds; 0: as many as needed.")] = 0,
    advance: Annotated[int, typer.Option(help="Knock-out: how many advance from each table.")] = 1,
    clock: Annotated[float, typer.Option(help="Minutes per player and game.")] = 10.0,
    limit: Annotated[int, typer.Option(help="Minutes per round; 0: no limit.")] = 0,
    pause: Annotated[int, typer.Option(help="Seconds between rounds; -1: wait for the host.")] = 30,
    bots: Annotated[int, typer.Option(help="Number of bots taking part.")] = 0,
    level: Annotated[str, typer.Option(help="Their level.")] = "apprentice",
    address: Annotated[str, typer.Option(help="The server's address, for the links.")] = "",
) -> None:
    """Open an event; prints one link for joining, and one that makes you its host."""
    from souk.server.protocol.events import EventSettings, NewEvent
    from souk.server.protocol.table import ClockTerms

    if form not in get_args(Form):
        raise ValueError(f"form: {form} is not one of {', '.join(get_args(Form))}")
    terms = EventSettings(
        form=form.replace("-", "_"),  # type: ignore[arg-type]
        games=list(game or sorted(names(), key=lambda each: find_game(each).order)[:1]),
        size=size,
        clock=ClockTerms("game", clock * _MINUTE, returns=False),
        rounds=rounds,
        advance=advance,
        minutes=limit,
        pause=None if pause < 0 else pause,
    )
    event_id, secret = tools.open_event(NewEvent(name, terms, bots, level if bots else ""))
    link = f"{address.rstrip('/')}/events/{event_id}"
    console.print(f"To join: [{LAMP}]{escape(link)}[/]", soft_wrap=True)
    console.print(f"To host: [{LAMP}]{escape(link)}#host={secret}[/]", soft_wrap=True)


@_host_command
def events(tools: "HostTools") -> None:
    """List events, latest first."""
    stored = tools.events()
    listed = _table("event", "name", "state", "round", "people", "last change")
    for row in stored:
        listed.add_row(
            f"[{LAMP}]{row.id}[/]",
            escape(row.name or "forgotten"),
            row.state,
            f"{row.round}",
            f"{row.people}",
            _when(row.changed),
        )
    console.print(listed)


@_host_command
def delete_event(tools: "HostTools", name: EventId, yes: Yes = False) -> None:
    """Delete an event and its standings; its tables stay."""
    _ask(f"Delete event {name} permanently?", yes)
    tools.delete_event(name)
    console.print(f"Deleted {name}.")
