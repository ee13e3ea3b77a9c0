"""Writes the tables and plots of docs/ from the JSON files of measured figures.

    python -m bench.tables.write_all            write them
    python -m bench.tables.write_all --check    name those out of date and exit with 1

Tables stand between `<!-- figures: NAME -->` and `<!-- end -->`.
"""

import argparse
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec import convert

from bench.support.provenance import DOCS, ROOT, Figures, Pedigree, read_figures
from bench.tables import figures as figure_tables
from bench.tables import findings as findings_tables
from bench.tables import plots
from bench.tables import strength as strength_tables
from bench.tables.markdown import grid

IMAGES = DOCS / "images"
MARKED = re.compile(r"(<!-- figures: ([^>]+?) -->\n)(.*?)(<!-- end -->)", re.DOTALL)
TABLES: dict[str, tuple[Any, ...]] = (
    figure_tables.TABLES | findings_tables.TABLES | strength_tables.TABLES
)


def table(name: str, docs: Path) -> list[str]:
    if name == "sources":
        return sources(docs)
    if name not in TABLES:
        raise ValueError(f"figures: {name} is unknown; known are {', '.join([*TABLES, 'sources'])}")
    write: Callable[..., list[str]]
    write, *files = TABLES[name]
    return write(*(read_figures(docs / f"{file}.json")[1] for file in files))


def sources(docs: Path) -> list[str]:
    """One row per file: its newest run, and the number of others."""
    rows = []
    for file in sorted(docs.glob("*/*.json")):
        runs = list(dict.fromkeys(_runs(*read_figures(file))))
        newest = max(runs, key=lambda run: run.date)
        name = f"[{file.parent.name}/{file.stem}]({file.relative_to(docs).as_posix()})"
        command = f"`{newest.command}`" + f" and {len(runs) - 1} more" * (len(runs) > 1)
        n = f"{sum(run.n for run in runs):,} {newest.of}"
        rows.append([name, command, n, _machine(newest), f"`{newest.commit}`"])
    return grid(["file", "command", "n", "machine", "commit"], rows)


def _machine(run: Pedigree) -> str:
    cpu = re.sub(r"\(R\)|Intel|Processor", "", run.machine.cpu).strip()
    cores = f"{run.machine.cores} {'cores' if run.machine.cores > 1 else 'core'}"
    return ", ".join([cpu, cores, *([run.machine.gpu] if run.machine.gpu else [])])


def _runs(newest: Pedigree, figures: Figures) -> list[Pedigree]:
    """The runs of a file's rows, or that of the file."""
    rows = figures.get("rows") or [{}]
    return [convert(row["pedigree"], Pedigree) if "pedigree" in row else newest for row in rows]


def with_tables(page: str, docs: Path) -> str:
    def filled(match: re.Match[str]) -> str:
        begin, name, _, end = match.groups()
        return begin + "\n".join(table(name, docs)).rstrip("\n") + "\n" + end

    return MARKED.sub(filled, page)


def out_of_date(docs: Path) -> dict[Path, str]:
    """Pages and plots that differ from their figures, with their new text."""
    wanted = {
        page: with_tables(page.read_text(encoding="utf-8"), docs)
        for page in sorted(DOCS.rglob("*.md"))
    }
    wanted |= {IMAGES / name: text for name, text in plots.pictures(docs).items()}
    return {
        file: text
        for file, text in wanted.items()
        if not file.is_file() or file.read_text(encoding="utf-8") != text
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--docs", type=Path, default=DOCS, help="folder with the figures")
    given = parser.parse_args()
    changed = out_of_date(given.docs)
    for file, text in changed.items():
        print(f"{file.relative_to(ROOT)} {'is out of date' if given.check else 'written'}")
        if not given.check:
            file.write_text(text, encoding="utf-8")
    sys.exit(bool(changed) and given.check)


if __name__ == "__main__":
    main()
