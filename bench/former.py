"""How much stronger bots have become: a bot of today against the same of former sources, by the clock, with luck taken out as in bench/without_luck.py.

    python bench/former.py GAME PLAYERS COMMIT [--bot NAME] [--sources DIR] [--seconds S] [--games N] [--minutes M] [--processes N] [--seed S] [--json FILE] [--journals DIR]

The former bot thinks in processes of its own, with the sources of that commit, and is asked through a pipe; the way there and back is not part of its time. Where these
sources have no history, --sources says where those of the commit lie. Both must know positions by the same fields.
"""

import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from pedigree import ROOT, settings
from without_luck import Journal, Match, keep_row, length_of_match

import souk
from souk.games import names
from souk.lab.workers import Processes

PROGRAM = Path(__file__).with_name("former_bot.py")


@contextmanager
def sources_of(commit: str, given: Path | None) -> Iterator[Path]:
    """A folder with the package as it was."""
    if given is not None:
        yield given.resolve()
        return
    with tempfile.TemporaryDirectory() as folder:
        packed = subprocess.run(["git", "archive", commit, "souk"], cwd=ROOT, capture_output=True, check=False)
        if packed.returncode:
            sys.exit(f"{commit}: {packed.stderr.decode().strip()}. Name a commit, or say with --sources where it lies.")
        subprocess.run(["tar", "-x", "-C", folder], input=packed.stdout, check=True)
        yield Path(folder)


def compile_there(command: list[str], game: str) -> None:
    """Let the former sources compile what they play with: a bot that is asked has no time for it."""
    said = f'{{"type": "hello", "protocol": 1, "game": "{game}"}}\n{{"type": "bye"}}\n'
    done = subprocess.run(command, input=said, capture_output=True, text=True, check=False)
    if done.returncode or "ready" not in done.stdout:
        sys.exit(f"The former sources do not play {game}: {done.stderr.strip().rpartition(chr(10))[2]}")


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("game", choices=names())
    parser.add_argument("players", type=int)
    parser.add_argument("commit")
    parser.add_argument("--bot", default="vizier")
    parser.add_argument("--sources", type=Path, metavar="DIR")
    parser.add_argument("--seconds", type=float, default=0.05, help="for a move")
    length_of_match(parser)
    given = parser.parse_args()
    souk.bot(given.bot)  # which is refused before anything is unpacked
    shown = Match(given.game, given.players, given.bot, f"{given.bot} of {given.commit[:7]}", "any", given.seconds)
    with sources_of(given.commit, given.sources) as folder, Processes(given.processes) as workers:
        command = [sys.executable, str(PROGRAM), str(folder), given.bot]
        compile_there(command, given.game)
        journal = Journal(shown, given.seed, given.journals)
        played = shown._replace(other=f"exec:{shlex.join(command)}")
        played.play(workers, given.games, given.minutes, given.seed, journal)
    row = shown.row(journal.found)
    keep_row(given.json, row, workers)


if __name__ == "__main__":
    main()
