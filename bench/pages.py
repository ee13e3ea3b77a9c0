"""Writes the measured figures into the README and the docs, and draws their plots, from the JSON files that the programs of bench/ keep.

    python bench/pages.py            write them
    python bench/pages.py --check    ends with 1 and names the pages and pictures that are out of step

Figures stand between `<!-- figures: NAME -->` and `<!-- end -->`, as lines or within a sentence. What stands outside is written by hand and
says nothing that was measured.
"""

import argparse
import re
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import curve_page
import findings_page
import minds_page
import readme_figures
import strength_page
import strength_plots
import study_page
from pedigree import DOCS, ROOT
from readme_figures import Shelf

PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
IMAGES = DOCS / "images"
MARKED = re.compile(r"(<!-- figures: ([^>]+?) -->)(\n?)(.*?)(<!-- end -->)", re.DOTALL)

Written = Callable[[Shelf], str]


def _lines(write: Callable[[Shelf], list[str]], shelf: Shelf) -> str:
    return "\n".join(write(shelf)).rstrip("\n")


def _strength(part: str, shelf: Shelf) -> str:
    pedigree, found = shelf.read(f"strength/{part}")
    table = strength_page.TABLES[part](found["rows"])
    return "\n".join([*table, *strength_page.pedigrees(pedigree, found["rows"])])


def _of_several(part: str, shelf: Shelf) -> str:
    return "\n".join(strength_page.OF_SEVERAL_FILES[part](shelf.docs))


def _study(part: str, shelf: Shelf) -> str:
    pedigree, found = shelf.read(f"study/{part}")
    return "\n".join([*study_page.TABLES[part](found["rows"]), f"{pedigree}."])


def _findings(part: str, shelf: Shelf) -> str:
    pedigree, found = shelf.read(f"findings/{part}")
    return "\n".join([*findings_page.PARTS[part](found), f"{pedigree}."])


WRITTEN: dict[str, Written] = {
    **readme_figures.PHRASES,
    **{name: partial(_lines, write) for name, write in readme_figures.BLOCKS.items()},
    **{name: partial(_lines, write) for name, write in (minds_page.BLOCKS | curve_page.BLOCKS).items()},
    **{f"strength, {part}": partial(_strength, part) for part in strength_page.TABLES},
    **{f"strength, {part}": partial(_of_several, part) for part in strength_page.OF_SEVERAL_FILES},
    **{f"study, {part}": partial(_study, part) for part in study_page.TABLES},
    **{f"findings, {part}": partial(_findings, part) for part in findings_page.PARTS},
}


def with_figures(page: str, shelf: Shelf) -> str:
    """A page with the figures of the shelf between its marks."""

    def filled(found: re.Match[str]) -> str:
        begin, name, line, _, end = found.groups()
        if name not in WRITTEN:
            raise ValueError(f"figures: {name} is not known; known are {', '.join(WRITTEN)}")
        return begin + line + WRITTEN[name](shelf) + line + end

    return MARKED.sub(filled, page)


def _out_of_step(shelf: Shelf) -> dict[Path, str]:
    """Pages and pictures that are not as their figures would have them, and how they should be."""
    wanted = {page: with_figures(page.read_text(encoding="utf-8"), shelf) for page in PAGES}
    drawn = strength_plots.pictures(shelf.docs) | curve_page.pictures(shelf.docs)
    wanted |= {IMAGES / name: text for name, text in drawn.items()}
    return {
        file: text for file, text in wanted.items() if not file.is_file() or file.read_text(encoding="utf-8") != text
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--docs", type=Path, default=DOCS, help="the folder that holds the figures")
    given = parser.parse_args()
    changed = _out_of_step(Shelf(given.docs))
    for file, text in changed.items():
        print(f"{file.relative_to(ROOT)} {'is out of step' if given.check else 'written'}")
        if not given.check:
            file.write_text(text, encoding="utf-8")
    sys.exit(bool(changed) and given.check)


if __name__ == "__main__":
    main()
