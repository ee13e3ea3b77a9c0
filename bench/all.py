"""Measures all figures of the docs, one program after another.

    python -m bench.all [cpu|gpu|elsewhere ...] [--only NAME ...] [--out DIR] [--processes N]
                        [--scale S] [--list]

`cpu` (default): about half an hour on 16 cores. `gpu`: four minutes on one GPU. `elsewhere` needs
network access, Node, Chromium, Ray, containers or root. Exits with 1 if a program failed.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bench.support.provenance import DOCS, ROOT, commit, parser_of
from souk.kernel.cache import cache_home

Words = list[str]


@dataclass(frozen=True)
class Budget:
    """Output folder, processes, and a factor on games, positions and minutes."""

    out: Path
    processes: int
    scale: float

    def scaled(self, usual: float) -> str:
        return f"{usual * self.scale:.3g}"

    @property
    def workers(self) -> Words:
        return ["--processes", str(self.processes)]

    def file(self, name: str, folder: str = "figures") -> Words:
        return ["--json", str(self.out / folder / f"{name}.json")]

    def folder(self, name: str) -> Words:
        return ["--folder", str(self.out / name)]


Command = Callable[[Budget], Words]


def _figures(name: str, program: str, *words: str) -> Command:
    """A program whose duration does not depend on the scale."""
    return lambda budget: [program, *words, *budget.file(name)]


def _start_time(budget: Budget) -> Words:
    """Fills an empty kernel cache, which the programs after it then use."""
    has_cache = (cache_home() / "kernels").exists()
    cache = [] if has_cache else ["--cache", str(cache_home().parent)]
    words = ["--rounds", "3", "--processes", str(min(4, budget.processes)), *cache]
    return ["server.start_time", *words, *budget.file("start-time")]


def _agreement(budget: Budget) -> Words:
    games = str(max(1, round(2000 * budget.scale)))
    words = [games, *budget.workers, *budget.file("cpu-vs-interpreter")]
    return ["speed.cpu_vs_interpreter", *words]


def _scaled(program: str, folder: str, option: str, amount: float, *parts: str) -> Command:
    """Parts of a program that writes one file per part into a folder."""

    def words(budget: Budget) -> Words:
        limit = [option, budget.scaled(amount)]
        return [program, *parts, *budget.workers, *limit, *budget.folder(folder)]

    return words


def _matches(minutes: float, *parts: str) -> Command:
    return _scaled("strength.strength", "strength", "--minutes", minutes, *parts)


def _strength(part: str, share: float) -> Command:
    return _scaled("strength.strength", "strength", "--share", share, part)


def _findings(part: str, share: float) -> Command:
    return _scaled("findings.findings", "findings", "--share", share, part)


def _analysis(part: str, minutes: float) -> Command:
    return _scaled("findings.analysis", "analysis", "--minutes", minutes, part)


def _without_luck(name: str, minutes: float, *words: str) -> Command:
    def command(budget: Budget) -> Words:
        limit = ["--minutes", budget.scaled(minutes)]
        return [*words, *budget.workers, *limit, *budget.file(name, "strength")]

    return command


# A hundred times the playouts: an upper bound of what search can win.
CEILING = ("suleika", "4", "playouts=100000", "playouts=20000,net=none")
FULL_LOAD = ("--tables", "9900", "--every", "24.75", "--seconds", "30")
CPU: dict[str, Command] = {
    "start-time": _start_time,
    "speed": _figures("speed", "speed.speed", "1.2"),
    "openspiel-nodes": _figures("openspiel-nodes", "speed.openspiel", "2"),
    "environments": _figures("environments", "speed.environments", "1"),
    "batch-cpu": _figures("batch-cpu", "speed.batch", "cpu", "1"),
    "net-cost": _figures("net-cost", "strength.net_cost"),
    "solitaire": _figures("solitaire", "speed.solitaire"),
    "cpu-vs-interpreter": _agreement,
    "load": _figures("load", "server.load", "--ramp", "--lobby", "5000", "--seconds", "20"),
    "load-fresh": _figures("load-fresh", "server.load", "--ramp", "--seconds", "5"),
    "load-full": _figures("load-full", "server.load", *FULL_LOAD),
    "stores": _figures("stores", "server.stores"),
    "bus": _figures("bus", "server.bus"),
    "processes": _figures("processes", "server.processes"),
    "year": _figures("year", "server.year"),
    "cluster": _figures("cluster", "server.cluster"),
    "bot-wait": _figures("bot-wait", "server.bot_wait"),
    "thinking": _strength("thinking", 0.2),
    "endgames": _strength("endgames", 1.0),
    "exploitability": _strength("exploitability", 0.16),
    "secret-choices": _strength("secret-choices", 1.0),
    "openspiel": _strength("openspiel", 0.16),
    "uct": _matches(1.25, "uct"),
    "levels": _matches(2.5, "levels"),
    "without-luck": _without_luck(
        "without-luck", 3, "strength.without_luck", *CEILING, "--games", "1000"
    ),
    "thinking-time": _without_luck("thinking-time", 1, "strength.thinking_time"),
    "nets": _matches(3.5, "nets", "nets-slow"),
    "puzzle": _findings("puzzle", 1.0),
    "net-questions": _findings("net-questions", 1.0),
    "skill": _findings("skill", 0.3),
    "traders": _findings("traders", 0.3),
    "suleika": _findings("suleika", 0.2),
    "basari": _findings("basari", 0.2),
    "basari-cards": _findings("basari-cards", 0.2),
    "bazaar": _findings("bazaar", 0.2),
    "sum": _analysis("sum", 2),
    "fair": _analysis("fair", 10),
    "errors": _analysis("errors", 5),
    "seeds": _analysis("seeds", 5),
    "depth": _analysis("depth", 3),
    "time": lambda budget: [
        *("findings.analysis", "time", "--processes", "2"),
        *budget.folder("analysis"),
    ],
}
GPU: dict[str, Command] = {
    "gpu": _figures("gpu", "speed.gpu", "1", "10000"),
    "batch-cuda": _figures("batch-cuda", "speed.batch", "cuda", "1"),
    "billion": _figures("billion", "speed.billion"),
    "training-curve": _figures("training-curve", "strength.training_curve"),
}
ELSEWHERE: dict[str, Command] = {
    "network-cut": _figures("network-cut", "server.network_cut"),
    "containers": _figures("containers", "server.containers"),
    "first-load": _figures("first-load", "server.first_load"),
    "install": _figures("install", "server.install"),
    "boardgameio": _figures("boardgameio", "server.boardgameio", "50", "8", "3"),
    "ray": _figures("ray", "speed.ray"),
}
GROUPS = {"cpu": CPU, "gpu": GPU, "elsewhere": ELSEWHERE}
ALL: dict[str, Command] = {**CPU, **GPU, **ELSEWHERE}


def run(words: Words) -> bool:
    """Run a program of bench/ and report its duration; False if it failed."""
    print(f"\n$ python -m bench.{' '.join(words)}", flush=True)
    begin = time.perf_counter()
    command = [sys.executable, "-m", f"bench.{words[0]}", *words[1:]]
    environment = os.environ | {"SOUK_COMMIT": commit()}
    is_done = not subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
    seconds = time.perf_counter() - begin
    print(f"{'done' if is_done else 'FAILED'} after {seconds:.0f} s", flush=True)
    return is_done


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument(
        "groups", metavar="GROUP", nargs="*", choices=[*GROUPS, []], help=", ".join(GROUPS)
    )
    parser.add_argument("--only", metavar="NAME", nargs="+", choices=ALL, help=", ".join(ALL))
    parser.add_argument("--out", type=Path, default=DOCS)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--scale", type=float, default=1.0, help="of games, positions and minutes")
    parser.add_argument("--list", action="store_true", help="print the commands only")
    args = parser.parse_args()
    budget = Budget(args.out.resolve(), args.processes, args.scale)
    names = args.only or [name for group in args.groups or ["cpu"] for name in GROUPS[group]]
    if args.list:
        for name in names:
            print(f"{name}: python -m bench.{' '.join(ALL[name](budget))}")
        return
    commit()  # fail before anything is measured
    failed = [name for name in names if not run(ALL[name](budget))]
    failures = f"; failed: {', '.join(failed)}" if failed else ""
    print(f"\n{len(names) - len(failed)} of {len(names)} measured{failures}")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
