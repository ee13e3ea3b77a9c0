"""What a server weathers: the storms of tests/table/storms.py, large, and a report of what came of each.

    python bench/chaos.py [STORM ...] [--size N] [--seed N] [--report FILE]

Kills in the middle of play, disks that are full or fail, two servers at one file, a clock that jumps by years, onlookers who ask everything while
choices are taken back. A size of 10 takes some minutes. The status is 1 where anything came to harm.
"""

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from pedigree import ROOT, commit

sys.path.insert(0, str(ROOT))

from tests.table.storms import STORMS

SHARES = {"kills": 4, "disks": 10, "two_servers": 4, "clocks": 2, "onlookers": 3}  # of each storm, for a size of one


def weather(name: str, size: int, seed: int) -> tuple[str, bool]:
    """One storm, as a row of the report; and whether all went well."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            counted = STORMS[name](Path(folder), SHARES[name] * size, seed)
            came_of_it = ", ".join(f"{number:,} {what}" for what, number in counted.items())
            well = True
        except Exception:
            traceback.print_exc()
            came_of_it, well = f"FAILED: {traceback.format_exc().splitlines()[-1]}", False
    return f"| {name} | {seed} | {time.perf_counter() - begin:.0f} | {came_of_it} |", well


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("storms", metavar="STORM", nargs="*", choices=[*STORMS, []], help=", ".join(STORMS))
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path)
    given = parser.parse_args()
    lines = [
        f"Commit {commit()}.",
        "",
        "| storm | seed | seconds | what came of it: nothing lost, nothing leaked |",
        "|---|---|---|---|",
    ]
    well = True
    for name in given.storms or STORMS:
        line, went_well = weather(name, given.size, given.seed)
        well = well and went_well
        lines.append(line)
        print(line, flush=True)
    if given.report:
        given.report.write_text("\n".join(lines) + "\n")
    sys.exit(not well)


if __name__ == "__main__":
    main()
