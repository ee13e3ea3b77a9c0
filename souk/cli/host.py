"""`souk host …`: look after a server's tables and people, while it runs or not."""

import re
import time
from collections.abc import Callable
from datetime import datetime
from inspect import Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from souk.drawing.palette import BRASS, LAMP, SAND
from souk.server.common.config import ServerConfig

if TYPE_CHECKING:
    from souk.server.admin.host_tools import HostTools

host = typer.Typer(
    help="Look after a server's tables, while it runs or not.",
    no_args_is_help=True,
    add_completion=False,
)
console = Console(highlight=False)

Data = Annotated[
    Path, typer.Option("--data", envvar="SOUK_DATA", help="Folder of the server's data.")
]
Key = Annotated[
    Path,
    typer.Option("--key", envvar="SOUK_KEY", help="Encryption key file, in that folder."),
]
Store = Annotated[
    str,
    typer.Option(
        "--store", envvar="SOUK_STORE", help="PostgreSQL database instead: postgresql://..."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask for confirmation.")]
_BY_ID = "Table id or a prefix of it; put -- before an id that begins with a dash."
TableId = Annotated[str, typer.Argument(metavar="TABLE", help=_BY_ID)]
Banned = Annotated[str, typer.Argument(metavar="WHO", help="As listed by `souk host bans`.")]
ClearReports = Annotated[
    bool, typer.Option("--clear", help="Delete the reports after listing them.")
]
OnlyCheck = Annotated[
    bool, typer.Option("--check", help="Change nothing; exit with 1 if they differ.")
]
Reload = Annotated[bool, typer.Option("--reload", help="Make the server reload its word file.")]
Rename = Annotated[
    bool, typer.Option("--rename", help="Turn people with forbidden names into guests.")
]
Until = Annotated[
    str | None,
    typer.Option(metavar="WHEN", help="A date (2026-12-31), 12h or 7d; permanent by default."),
]
Who = Annotated[
    str,
    typer.Argument(
        metavar="ADDRESS|PERSON", help="An address, or a person as listed by `souk host people`."
    ),
]

_DATA, _KEY, _STORE = ServerConfig().data, ServerConfig().key, ServerConfig().store
_DAY = 86_400.0
_MAX_ANNOUNCEMENT = 300
_SPAN = re.compile(r"([0-9]+)([hd])")


def _host_command(run: Callable[..., None]) -> None:
    """Register a command that gets the server's database, opened, as its first argument."""

    def command(
        data: Data = _DATA, key: Key = _KEY, store: Store = _STORE, **options: object
    ) -> None:
        # Imported here because no other command needs it.
        from souk.server.admin.open_host_tools import open_host_tools

        with open_host_tools(data, key, store) as tools:
            run(tools, **options)

    own = list(signature(run).parameters.values())[1:]
    where = list(signature(command).parameters.values())[:3]
    parameters = [parameter.replace(kind=parameter.KEYWORD_ONLY) for parameter in (*own, *where)]
    command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    command.__name__, command.__doc__ = run.__name__, run.__doc__
    host.command()(command)


def _table(*headings: str) -> Table:
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _when(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


def _ask(question: str, yes: bool) -> None:
    if not yes:
        typer.confirm(question, abort=True)


@_host_command
def tables(
    tools: "HostTools",
    game: Annotated[str | None, typer.Option(help="Only tables of this game.")] = None,
    running: Annotated[bool, typer.Option("--running", help="Only running games.")] = False,
    finished: Annotated[bool, typer.Option("--finished", help="Only finished games.")] = False,
) -> None:
    """List tables, latest first: players, size, state and last change."""
    over = None if running == finished else finished
    stored, size, kind = tools.tables(game, over), tools.size(), tools.kind
    listed = _table("table", "game", "people", "events", "bytes", "state", "last change")
    for row in stored:
        state = "over" if row.over else "running"
        listed.add_row(
            f"[{LAMP}]{row.id}[/]",
            row.game,
            escape(row.names),
            f"{row.events}",
            f"{row.size}",
            state,
            _when(row.changed),
        )
    console.print(listed)
    console.print(f"[{SAND}]{len(stored)} tables; the {kind} has {size} bytes in use.[/]")


@_host_command
def people(tools: "HostTools") -> None:
    """List everybody with a seat or chat lines: id, names used, tables."""
    stored = tools.people()
    listed = _table("person", "names", "tables", "last change", "")
    for row in stored:
        digits = row.player.hex()[:12]
        listed.add_row(
            f"[{LAMP}]{digits}[/]",
            escape(row.names),
            f"{row.tables}",
            _when(row.changed),
            "banned" if row.banned else "",
        )
    console.print(listed)
    console.print(f"[{SAND}]{len(stored)} people.[/]")


@_host_command
def delete(tools: "HostTools", table: TableId, yes: Yes = False) -> None:
    """Delete a table permanently; its viewers are told."""
    name = tools.find_table(table)
    _ask(f"Delete table {name} permanently?", yes)
    tools.delete(name)
    console.print(f"Deleted {name}.")


@_host_command
def expire(
    tools: "HostTools",
    days: Annotated[
        int, typer.Option(min=1, help="Delete tables nobody has visited for this many days.")
    ] = 90,
    finished: Annotated[bool, typer.Option("--finished", help="Also finished games.")] = False,
    yes: Yes = False,
) -> None:
    """Delete unfinished tables nobody has come back to. Open tables are never deleted."""
    before = time.time() - days * _DAY
    kinds = (False, True) if finished else (False,)
    number = sum(tools.left_alone(over, before) for over in kinds)
    if number:
        _ask(f"Delete {number} tables permanently?", yes)
    deleted = sum(tools.expire(over, before) for over in kinds)
    console.print(f"Deleted {deleted} tables.")


@_host_command
def export(
    tools: "HostTools",
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help=_BY_ID)] = None,
    folder: Annotated[
        Path | None, typer.Argument(metavar="[FOLDER]", help="Where to write; default: here.")
    ] = None,
    everything: Annotated[
        Path | None, typer.Option("--all", metavar="FOLDER", help="All tables, into this folder.")
    ] = None,
) -> None:
    """Write game records, without unrevealed choices."""
    if (table is None) == (everything is None):
        raise ValueError("give one TABLE, or --all FOLDER")
    target = everything or folder or Path()
    target.mkdir(parents=True, exist_ok=True)
    names = [row.id for row in tools.tables()] if table is None else [tools.find_table(table)]
    for name in names:
        game, text = tools.record(name)
        (target / f"{game}-{name}.souk").write_text(text, encoding="utf-8")
    console.print(f"Wrote {len(names)} records to {escape(str(target))}.", soft_wrap=True)


@_host_command
def forget(
    tools: "HostTools",
    person: Annotated[
        str, typer.Argument(metavar="PERSON", help="As listed by `souk host people`.")
    ],
    yes: Yes = False,
) -> None:
    """Remove a person's name and id from all tables. Others keep their games."""
    player = tools.find_person(person)
    _ask(f"Forget {person} at all tables? Their seats are given up permanently.", yes)
    tools.forget(player)
    console.print("Forgotten.")


@_host_command
def ban(tools: "HostTools", who: Who, until: Until = None, yes: Yes = False) -> None:
    """Ban an address (IPv6: its /64 network) or a person."""
    name, end = tools.ban_name(who), None if until is None else _moment(until)
    _ask(f"Ban {who}{'' if end is None else f' until {_when(end)}'}?", yes)
    tools.ban(name, end)
    console.print("Banned.")


@_host_command
def unban(tools: "HostTools", who: Banned) -> None:
    """Lift a ban."""
    bans = tools.bans()
    matches = [name for name in bans if name.split()[1].startswith(who)] or [tools.ban_name(who)]
    if len(matches) != 1 or matches[0] not in bans:
        raise ValueError(f"who: {who} is not banned; see `souk host bans`")
    tools.unban(matches[0])
    console.print("Unbanned.")


@_host_command
def bans(tools: "HostTools") -> None:
    """List bans, and until when they last."""
    stored = tools.bans()
    listed = _table("who", "until")
    for name, until in stored.items():
        kind, who = name.split()
        listed.add_row(
            f"[{LAMP}]{who[:12] if kind == 'person' else who}[/]",
            "permanent" if until is None else _when(until),
        )
    console.print(listed)


@_host_command
def reports(tools: "HostTools", clear: ClearReports = False) -> None:
    """List reported chat lines, latest first, with the person to ban."""
    stored = tools.reports()
    if clear:
        tools.clear_reports()
    listed = _table("when", "table", "person", "name", "said", "reported by")
    for row in stored:
        person = row.person.hex()[:12] if row.person else "forgotten"
        listed.add_row(
            _when(row.at),
            row.table,
            f"[{LAMP}]{person}[/]",
            escape(row.name),
            escape(row.said),
            f"{row.reporters}",
        )
    console.print(listed)
    console.print(f"[{SAND}]{len(stored)} reports{', now deleted' if clear and stored else ''}.[/]")


@_host_command
def ratings(tools: "HostTools", only_check: OnlyCheck = False) -> None:
    """Recompute all ratings from the stored results, and correct those that differ in any bit."""
    book, differing = tools.ratings(change=not only_check)
    people = len({contestant for _, contestant in book.now})
    agree = f"{differing} differed" if differing else "all agree"
    corrected = ", now corrected" if differing and not only_check else ""
    console.print(f"{book.games} rated games of {people} people: {agree}{corrected}.")
    if only_check and differing:
        raise typer.Exit(1)


@_host_command
def forbidden(
    tools: "HostTools", reload: Reload = False, rename: Rename = False, yes: Yes = False
) -> None:
    """List the forbidden words the server last loaded, and count seats with forbidden names."""
    if reload:
        tools.reread_forbidden()
        console.print("The server reloads its file within a few seconds.")
        return
    seats = tools.forbidden_names()
    if rename and seats:
        _ask(f"Remove the names at {len(seats)} seats?", yes)
        tools.rename_forbidden()
    lines = tools.forbidden().lines
    for line in lines:
        console.print(escape(line), soft_wrap=True)
    renamed = ", now guests" if rename and seats else ""
    console.print(
        f"[{SAND}]{len(lines)} words; {len(seats)} seats with forbidden names{renamed}.[/]"
    )


@_host_command
def announce(
    tools: "HostTools",
    text: Annotated[
        str | None, typer.Argument(metavar="[TEXT]", help="A line for all pages.")
    ] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Remove the announcement.")] = False,
) -> None:
    """Show a line on all pages, including open ones."""
    if bool(text) == clear:
        raise ValueError("give a TEXT, or --clear")
    line = " ".join((text or "").split())
    if not line.isprintable() or len(line) > _MAX_ANNOUNCEMENT:
        raise ValueError(f"text: one line of at most {_MAX_ANNOUNCEMENT} printable characters")
    tools.announce(line)
    console.print("Announced." if line else "Removed.")


@_host_command
def backup(
    tools: "HostTools", target: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")]
) -> None:
    """Copy all tables to a file, while the server runs or not. Back up the key separately."""
    tools.backup(target)
    console.print(
        f"Copied to {escape(str(target))} and verified. The key is not included.", soft_wrap=True
    )


@_host_command
def check(tools: "HostTools") -> None:
    """Check the database, and that every table matches its events. Exits with 1 if anything is
    wrong.
    """
    looked_at, faults = 0, 0
    kind = tools.kind
    for what, fault in tools.check():
        looked_at += 1
        if fault:
            faults += 1
            console.print(f"[red]{escape(what)}[/]: {escape(fault)}", soft_wrap=True)
    console.print(
        f"The {kind} and {looked_at - 1} tables: "
        + (f"{faults} problems found." if faults else "no problems found.")
    )
    if faults:
        raise typer.Exit(1)


def _moment(text: str) -> float:
    """Parse an end time: a date, or hours or days from now."""
    if span := _SPAN.fullmatch(text):
        return time.time() + int(span[1]) * (3600.0 if span[2] == "h" else _DAY)
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise ValueError(
            f"until: {text} is neither a date like 2026-12-31 nor a duration like 12h or 7d"
        ) from None
