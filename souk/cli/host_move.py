"""`souk host move`: a whole house goes from one database into another."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from souk.cli.host import _DATA, _KEY, Data, Key, console, host


@host.command()
def move(
    source: Annotated[str, typer.Option("--from", metavar="PLACE", help="A folder, or postgresql://...")],
    target: Annotated[str, typer.Option("--to", metavar="PLACE", help="The other of both, with nothing in it yet.")],
    anew: Annotated[bool, typer.Option("--anew", help="Give up what is there already.")] = False,
    data: Data = _DATA,
    key: Key = _KEY,
) -> None:
    """Copy a house into another database, and check the copy. Stop its servers before; what was interrupted goes on where it was."""
    from souk.table.moving import HouseMove
    from souk.table.stores import is_address

    own = (data if is_address(source) else Path(source)) / key
    with HouseMove(source, target, own, anew) as work:
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
                f"the copy is not the same as what is there now ({', '.join(differing)}): has a server changed it meanwhile? "
                "Stop all servers, and begin again with --anew"
            )
        left_out = work.left_out()
        work.finish()
    rows = sum(number for _, number, _ in checked)
    console.print(
        f"Copied {rows} rows, and checked all of them: {escape(_named(target))} is the same house.", soft_wrap=True
    )
    if left_out:
        console.print(f"Left out {left_out} rows that belonged to tables which are deleted.")


def _named(place: str) -> str:
    from souk.table.stores import is_address

    return "the database" if is_address(place) else place
