"""`souk host …`: what whoever hosts a server can see and do, on its tables, while it runs or not."""

import re
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from souk.games.art.palette import BRASS, LAMP, SAND
from souk.table.settings import Settings

if TYPE_CHECKING:
    from souk.table.hosting import HostDesk

host = typer.Typer(
    help="Look after a server's tables, while it runs or not.",
    no_args_is_help=True,
    add_completion=False,
)
console = Console(highlight=False)

Data = Annotated[Path, typer.Option("--data", envvar="SOUK_DATA", help="The folder where tables are kept.")]
Key = Annotated[Path, typer.Option("--key", envvar="SOUK_KEY", help="The file with the key to what is sealed there.")]
Kept = Annotated[
    str, typer.Option("--store", envvar="SOUK_STORE", help="Where tables are kept instead: postgresql://...")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
_BY_ID = "Its id, or how that begins; after -- where that is a dash."
TableId = Annotated[str, typer.Argument(metavar="TABLE", help=_BY_ID)]
Banned = Annotated[str, typer.Argument(metavar="WHO", help="As `souk host bans` lists them.")]
ClearReports = Annotated[bool, typer.Option("--clear", help="Delete them, once they have been read.")]
OnlyCheck = Annotated[bool, typer.Option("--check", help="Change nothing; end with 1 where they differ.")]
Until = Annotated[
    str | None, typer.Option(metavar="WHEN", help="A date (2026-12-31), or 12h, or 7d; for good if left out.")
]
Who = Annotated[
    str, typer.Argument(metavar="ADDRESS|PERSON", help="An address, or a person as `souk host people` lists them.")
]

_DATA, _KEY, _STORE = Settings().data, Settings().key, Settings().store
_DAY = 86_400.0
_LONGEST_ANNOUNCEMENT = 300
_SPAN = re.compile(r"([0-9]+)([hd])")


def _file(data: Path, key: Path, store: str) -> "HostDesk":
    """The server's tables. What reads them is loaded only now, as no other command needs it."""
    from souk.table.desks import open_desk

    return open_desk(data, key, store)


def _list(*headings: str) -> Table:
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _when(moment: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(moment))


def _ask(question: str, yes: bool) -> None:
    if not yes:
        typer.confirm(question, abort=True)


@host.command()
def tables(
    game: Annotated[str | None, typer.Option(help="Only tables of this game.")] = None,
    running: Annotated[bool, typer.Option("--running", help="Only games that go on.")] = False,
    finished: Annotated[bool, typer.Option("--finished", help="Only games that are over.")] = False,
    data: Data = _DATA,
    key: Key = _KEY,
    store: Kept = _STORE,
) -> None:
    """All tables, the latest first: who plays, how long they are, when something last happened."""
    over = None if running == finished else finished
    with _file(data, key, store) as file:
        found, size = file.tables(game, over), file.size()
    shown = _list("table", "game", "people", "events", "bytes", "state", "last change")
    for each in found:
        state = "over" if each.over else "running"
        shown.add_row(
            f"[{LAMP}]{each.id}[/]",
            each.game,
            escape(each.names),
            f"{each.events}",
            f"{each.size}",
            state,
            _when(each.changed),
        )
    console.print(shown)
    console.print(f"[{SAND}]{len(found)} tables; the file has {size} bytes in use.[/]")


@host.command()
def people(data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """Everybody who has a seat: the first digits of what they are known by, the names they have used, their tables."""
    with _file(data, key, store) as file:
        found = file.people()
    shown = _list("person", "names", "tables", "last change", "")
    for each in found:
        digits = each.player.hex()[:12]
        shown.add_row(
            f"[{LAMP}]{digits}[/]",
            escape(each.names),
            f"{each.tables}",
            _when(each.changed),
            "banned" if each.banned else "",
        )
    console.print(shown)
    console.print(f"[{SAND}]{len(found)} people.[/]")


@host.command()
def delete(table: TableId, yes: Yes = False, data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """Delete a table for good; those who are at it are told."""
    with _file(data, key, store) as file:
        name = file.find_table(table)
        _ask(f"Delete the table {name} for good?", yes)
        file.delete(name)
    console.print(f"Deleted {name}.")


@host.command()
def expire(
    days: Annotated[int, typer.Option(min=1, help="Delete where nobody has been for so many days.")] = 90,
    finished: Annotated[bool, typer.Option("--finished", help="Also games that are over.")] = False,
    yes: Yes = False,
    data: Data = _DATA,
    key: Key = _KEY,
    store: Kept = _STORE,
) -> None:
    """Delete unfinished tables to which nobody has come back. One that somebody has open is never among them."""
    before = time.time() - days * _DAY
    with _file(data, key, store) as file:
        kinds = (False, True) if finished else (False,)
        number = sum(file.left_alone(over, before) for over in kinds)
        if number:
            _ask(f"Delete {number} tables for good?", yes)
        deleted = sum(file.expire(over, before) for over in kinds)
    console.print(f"Deleted {deleted} tables.")


@host.command()
def export(
    table: Annotated[str | None, typer.Argument(metavar="[TABLE]", help=_BY_ID)] = None,
    folder: Annotated[Path | None, typer.Argument(metavar="[FOLDER]", help="Where to write; here if left out.")] = None,
    everything: Annotated[
        Path | None, typer.Option("--all", metavar="FOLDER", help="All tables, into this folder.")
    ] = None,
    data: Data = _DATA,
    key: Key = _KEY,
    store: Kept = _STORE,
) -> None:
    """Write records of games, without choices that are not revealed."""
    if (table is None) == (everything is None):
        raise ValueError("name one TABLE, or write --all FOLDER")
    target = everything or folder or Path()
    target.mkdir(parents=True, exist_ok=True)
    with _file(data, key, store) as file:
        names = [each.id for each in file.tables()] if table is None else [file.find_table(table)]
        for name in names:
            game, text = file.record(name)
            (target / f"{game}-{name}.souk").write_text(text, encoding="utf-8")
    console.print(f"Wrote {len(names)} records into {escape(str(target))}.", soft_wrap=True)


@host.command()
def forget(
    person: Annotated[str, typer.Argument(metavar="PERSON", help="As `souk host people` lists them.")],
    yes: Yes = False,
    data: Data = _DATA,
    key: Key = _KEY,
    store: Kept = _STORE,
) -> None:
    """Remove a person's name, and what they are known by, from all tables. The others keep their games."""
    with _file(data, key, store) as file:
        player = file.find_person(person)
        _ask(f"Forget {person} at all tables? Their seats are given up for good.", yes)
        file.forget(player)
    console.print("Forgotten.")


@host.command()
def ban(
    who: Who, until: Until = None, yes: Yes = False, data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE
) -> None:
    """Close the server to an address (of IPv6: its network of 64 bits) or to a person."""
    with _file(data, key, store) as file:
        name, end = file.ban_name(who), None if until is None else _moment(until)
        _ask(f"Ban {who}{'' if end is None else f' until {_when(end)}'}?", yes)
        file.ban(name, end)
    console.print("Banned.")


@host.command()
def unban(who: Banned, data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """Open the server again to an address or a person."""
    with _file(data, key, store) as file:
        bans = file.bans()
        found = [name for name in bans if name.split()[1].startswith(who)] or [file.ban_name(who)]
        if len(found) != 1 or found[0] not in bans:
            raise ValueError(f"who: {who} is not banned; `souk host bans` lists who is")
        file.unban(found[0])
    console.print("No longer banned.")


@host.command()
def bans(data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """Who is banned, and until when."""
    with _file(data, key, store) as file:
        found = file.bans()
    shown = _list("who", "until")
    for name, until in found.items():
        kind, who = name.split()
        shown.add_row(
            f"[{LAMP}]{who[:12] if kind == 'person' else who}[/]", "for good" if until is None else _when(until)
        )
    console.print(shown)


@host.command()
def reports(clear: ClearReports = False, data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """What people said to each other that somebody has reported, the latest first. Who said it can be banned."""
    with _file(data, key, store) as file:
        found = file.reports()
        if clear:
            file.clear_reports()
    shown = _list("when", "table", "person", "name", "said")
    for each in found:
        person = each.person.hex()[:12] if each.person else "forgotten"
        shown.add_row(_when(each.at), each.table, f"[{LAMP}]{person}[/]", escape(each.name), escape(each.said))
    console.print(shown)
    console.print(f"[{SAND}]{len(found)} reports{', now deleted' if clear and found else ''}.[/]")


@host.command()
def ratings(only_check: OnlyCheck = False, data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """Work out all ratings again from the results that are kept, game by game: they must be what they are, to the bit."""
    with _file(data, key, store) as file:
        book, differing = file.ratings(change=not only_check)
    people = len({contestant for _, contestant in book.now})
    agree = f"{differing} differed" if differing else "all agree"
    console.print(
        f"{book.games} rated games of {people} people: {agree}{'' if only_check or not differing else ', now put right'}."
    )
    if only_check and differing:
        raise typer.Exit(1)


@host.command()
def forbidden(
    reload: Annotated[bool, typer.Option("--reload", help="Let the server read its file of words again.")] = False,
    rename: Annotated[
        bool, typer.Option("--rename", help="People who have such names are guests from now on.")
    ] = False,
    yes: Yes = False,
    data: Data = _DATA,
    key: Key = _KEY,
    store: Kept = _STORE,
) -> None:
    """The words that are forbidden in names and in what people write, as the server last read them, and at how many seats there are such names."""
    with _file(data, key, store) as file:
        if reload:
            file.reread_forbidden()
            console.print("The server reads its file again within a few seconds.")
            return
        found = file.forbidden_names()
        if rename and found:
            _ask(f"Take away the names at {len(found)} seats?", yes)
            file.rename_forbidden()
        lines = file.forbidden().lines
    for line in lines:
        console.print(escape(line), soft_wrap=True)
    console.print(
        f"[{SAND}]{len(lines)} words; {len(found)} seats with such names{', now guests' if rename and found else ''}.[/]"
    )


@host.command()
def announce(
    text: Annotated[str | None, typer.Argument(metavar="[TEXT]", help="A line for all pages.")] = None,
    clear: Annotated[bool, typer.Option("--clear", help="Take it away.")] = False,
    data: Data = _DATA,
    key: Key = _KEY,
    store: Kept = _STORE,
) -> None:
    """Show a line on all pages, also those that are open."""
    if bool(text) == clear:
        raise ValueError("write what to announce, or --clear")
    line = " ".join((text or "").split())
    if not line.isprintable() or len(line) > _LONGEST_ANNOUNCEMENT:
        raise ValueError(f"text: one line of at most {_LONGEST_ANNOUNCEMENT} printable letters")
    with _file(data, key, store) as file:
        file.announce(line)
    console.print("Announced." if line else "Taken away.")


@host.command()
def backup(
    target: Annotated[Path, typer.Argument(metavar="FILE", help="A new file.")],
    data: Data = _DATA,
    key: Key = _KEY,
    store: Kept = _STORE,
) -> None:
    """Copy all tables into a file, while the server runs or not. The key is not in it: keep that apart."""
    with _file(data, key, store) as file:
        file.backup(target)
    console.print(f"Copied to {escape(str(target))}, and checked. The key is not in it.", soft_wrap=True)


@host.command()
def check(data: Data = _DATA, key: Key = _KEY, store: Kept = _STORE) -> None:
    """Check the file, and that every table opens and is what its events give. Ends with 1 where something is wrong."""
    looked_at, faults = 0, 0
    with _file(data, key, store) as file:
        for what, fault in file.check():
            looked_at += 1
            if fault:
                faults += 1
                console.print(f"[red]{escape(what)}[/]: {escape(fault)}", soft_wrap=True)
    console.print(f"The file and {looked_at - 1} tables: " + (f"{faults} faults." if faults else "all is well."))
    if faults:
        raise typer.Exit(1)


def _moment(text: str) -> float:
    """When something ends: a date, or so many hours or days from now."""
    if span := _SPAN.fullmatch(text):
        return time.time() + int(span[1]) * (3600.0 if span[2] == "h" else _DAY)
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        raise ValueError(f"until: {text} is neither a date such as 2026-12-31 nor a time such as 12h or 7d") from None
