"""Measures how much stronger a bot is than at an older commit, by the clock, with luck removed.

    python -m bench.strength.against_old_version GAME PLAYERS COMMIT [--bot NAME] [--sources DIR]
                                                 [--seconds S] [--games N] [--json FILE] ...

The old bot runs from its own sources in processes of its own, as a pipe bot. `--sources` is needed
without git history. Both versions must read the same position format.
"""

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import souk
from bench.strength.without_luck import Journal, Match, add_match_options, save_row
from bench.support.provenance import ROOT, figures_parser
from souk.games import names
from souk.lab.workers import Processes

PROGRAM = Path(__file__).with_name("old_version_bot.py")


@contextmanager
def sources_of(commit: str, given: Path | None) -> Iterator[Path]:
    """A folder with the old package."""
    if given is not None:
        yield given.resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        command = ["git", "archive", commit, "souk"]
        archive = subprocess.run(command, cwd=ROOT, capture_output=True, check=False)
        if archive.returncode:
            sys.exit(f"{commit}: {archive.stderr.decode().strip()} (or use --sources)")
        subprocess.run(["tar", "-x", "-C", folder], input=archive.stdout, check=True)
        yield Path(folder)


def compile_kernels(command: list[str], game: str) -> None:
    """Let the old version compile its kernels before its moves are timed."""
    messages = f'{{"type": "hello", "protocol": 1, "game": "{game}"}}\n{{"type": "bye"}}\n'
    done = subprocess.run(command, input=messages, capture_output=True, text=True, check=False)
    if done.returncode or "ready" not in done.stdout:
        error = done.stderr.strip().rpartition("\n")[2]
        sys.exit(f"The old version cannot play {game}: {error}")


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("game", choices=names())
    parser.add_argument("players", type=int)
    parser.add_argument("commit")
    parser.add_argument("--bot", default="vizier")
    parser.add_argument("--sources", type=Path, metavar="DIR")
    parser.add_argument("--seconds", type=float, default=0.05, help="per move")
    add_match_options(parser)
    args = parser.parse_args()
    souk.bot(args.bot)  # reject a wrong name before unpacking sources
    old = f"{args.bot} of {args.commit[:7]}"
    match = Match(args.game, args.players, args.bot, old, "any", args.seconds)
    with sources_of(args.commit, args.sources) as folder, Processes(args.processes) as workers:
        command = [sys.executable, str(PROGRAM), str(folder), args.bot]
        compile_kernels(command, args.game)
        journal = Journal(match, args.seed, args.journals)
        pipe_match = match._replace(other=f"exec:{shlex.join(command)}")
        pipe_match.play(workers, args.games, args.minutes, args.seed, journal)
    save_row(args.json, match.row(journal.results), workers)


if __name__ == "__main__":
    main()
