"""Runs large stress tests of the server and reports their results.

    python -m bench.server.stress [TEST ...] [--size N] [--seed N] [--report FILE]

The tests are those of tests/server/support/stress.py: kills, failing disks, two servers on one
file, clock jumps, spectators during take-backs. Size 10 takes some minutes. Exits with 1 on any
failure.
"""

import sys
import tempfile
import time
import traceback
from pathlib import Path

from bench.support.provenance import commit, parser_of
from tests.server.support.stress import STORMS

# Repetitions of each test per unit of size.
REPETITIONS = {"kills": 4, "disks": 10, "two_servers": 4, "clocks": 2, "onlookers": 3}


def run(name: str, size: int, seed: int) -> tuple[str, bool]:
    """Run a test; returns its row of the report, and True if it passed."""
    begin = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            counts = STORMS[name](Path(folder), REPETITIONS[name] * size, seed)
            result, passed = ", ".join(f"{n:,} {what}" for what, n in counts.items()), True
        except Exception as error:
            traceback.print_exc()
            result, passed = f"FAILED: {type(error).__name__}: {error}", False
    return f"| {name} | {seed} | {time.perf_counter() - begin:.0f} | {result} |", passed


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument(
        "tests", metavar="TEST", nargs="*", choices=[*STORMS, []], help=", ".join(STORMS)
    )
    parser.add_argument("--size", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report", type=Path)
    args = parser.parse_args()
    lines = [f"Commit {commit()}.", "", "| test | seed | seconds | result |", "|---|---|---|---|"]
    all_passed = True
    for name in args.tests or STORMS:
        line, passed = run(name, args.size, args.seed)
        all_passed = all_passed and passed
        lines.append(line)
        print(line, flush=True)
    if args.report:
        args.report.write_text("\n".join(lines) + "\n")
    sys.exit(not all_passed)


if __name__ == "__main__":
    main()
