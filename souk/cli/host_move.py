"""`souk host move`: copy a server's data to another kind of database."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from souk.cli.host import _DATA, _KEY, Data, Key, console, host


@host.command()
def move(
    source: Annotated[
        str, typer.Option("--from", metavar="PLACE", help="Source: a folder, or postgresql://...")
    ],
    target: Annotated[
        str,
        typer.Option("--to", metavar="PLACE", help="Target, of the other kind; must be empty."),
    ],
    anew: Annotated[bool, typer.Option("--anew", help="Discard what is in the target.")] = False,
    data: Data = _DATA,
    key: Key = _KEY,
) -> None:
    """Copy all data to another kind of database and verify it. Stop the servers first."""
    from souk.server.admin.migrate_store import StoreMigration
    from souk.server.open_store import is_address

    key_file = (data if is_address(source) else Path(source)) / key
    with StoreMigration(source, target, key_file, anew) as work:
        with console.status("copying") as status:
            copied = 0
            for part, rows in work.copy():
                copied += rows
                status.update(f"copying {part}: {copied} rows so far")
            status.update("checking")
            checked = list(work.check())
        differing = [part for part, _, same in checked if not same]
        if differing:
            raise RuntimeError(
                f"the copy differs from the source ({', '.join(differing)}): has a server changed "
                "it meanwhile? Stop all servers, and start again with --anew"
            )
        left_out = work.left_out()
        work.finish()
    rows = sum(number for _, number, _ in checked)
    console.print(
        f"Copied and verified {rows} rows: {escape(_named(target))} is complete.",
        soft_wrap=True,
    )
    if left_out:
        console.print(f"Left out {left_out} rows of deleted tables.")


def _named(place: str) -> str:
    from souk.server.open_store import is_address

    return "the database" if is_address(place) else place
