"""Measures everything whose figures the README and the docs show, one program after the other.

    python bench/all.py [cpu|gpu|elsewhere ...] [--only NAME ...] [--out DIR] [--processes N] [--scale S] [--list]

`cpu` is the default. Sixteen cores take about half an hour for it; with `--scale 2` matches, games and positions are about twice as many, and so are the
minutes. `gpu` takes about four minutes on one GPU. `elsewhere` needs what a measuring machine may not have: the network, Node, Chromium, Ray, containers, the rights of root.
The JSON files go into the folders of DIR (docs by default) as they lie in docs; `python bench/pages.py` writes the pages from them.

A copy of the sources without their history needs SOUK_COMMIT (bench/pedigree.py). A program that fails does not stop the others; it is named at
the end, and the status is then 1.
"""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pedigree import DOCS, ROOT, commit

from souk.kernel.cache import cache_home

Words = list[str]


@dataclass(frozen=True)
class Budget:
    """What all programs may use, and where their files go."""

    out: Path
    processes: int
    scale: float

    def share(self, usual: float) -> str:
        return f"{usual * self.scale:.3g}"

    def many(self, usual: int) -> str:
        return str(max(1, round(usual * self.scale)))

    @property
    def workers(self) -> Words:
        return ["--processes", str(self.processes)]

    def file(self, name: str) -> Words:
        return ["--json", str(self.out / "figures" / f"{name}.json")]

    def folder(self, name: str) -> Words:
        return ["--folder", str(self.out / name)]


Command = Callable[[Budget], Words]


def _figures(name: str, program: str, *words: str) -> Command:
    """A program that takes the same time however much there is."""
    return lambda budget: [program, *words, *budget.file(name)]


def _starting(budget: Budget) -> Words:
    """Where nothing has been compiled yet, the others find what this compiles."""
    kept = [] if (cache_home() / "kernels").exists() else ["--cache", str(cache_home().parent)]
    return [
        "starting.py",
        "--rounds",
        "3",
        "--processes",
        str(min(4, budget.processes)),
        *kept,
        *budget.file("starting"),
    ]


def _matches(minutes: float, *parts: str) -> Command:
    return lambda budget: ["strength.py", *parts, *budget.workers, "--minutes", budget.share(minutes), *budget.folder("strength")]  # fmt: skip


def _strength(part: str, share: float) -> Command:
    return lambda budget: ["strength.py", part, *budget.workers, "--share", budget.share(share), *budget.folder("strength")]  # fmt: skip


def _luckless(name: str, minutes: float, *words: str) -> Command:
    return lambda budget: [*words, *budget.workers, "--minutes", budget.share(minutes), "--json", str(budget.out / "strength" / f"{name}.json")]  # fmt: skip


def _findings(part: str, share: float) -> Command:
    return lambda budget: ["findings.py", part, *budget.workers, "--share", budget.share(share), *budget.folder("findings")]  # fmt: skip


def _study(part: str, minutes: float) -> Command:
    return lambda budget: ["study.py", part, *budget.workers, "--minutes", budget.share(minutes), *budget.folder("study")]  # fmt: skip


CEILING = "suleika", "4", "playouts=100000", "playouts=20000,mind=none"  # how far more search comes
CPU: dict[str, Command] = {
    "starting": _starting,
    "speed": _figures("speed", "speed.py", "1.2"),
    "peers": _figures("peers", "peers.py", "2"),
    "environments": _figures("environments", "environments.py", "1"),
    "batch-cpu": _figures("batch-cpu", "batch.py", "cpu", "1"),
    "minds-cost": _figures("minds-cost", "minds.py"),
    "solve": _figures("solve", "solve.py"),
    "agree": lambda budget: ["agree.py", budget.many(2000), *budget.workers, *budget.file("agree")],
    "load": _figures("load", "load.py", "--ramp", "--studies", "--seconds", "20"),
    "ramp": _figures("ramp", "load.py", "--seconds", "5", "--ramp"),
    "full-house": _figures("full-house", "load.py", "--tables", "9900", "--every", "24.75", "--seconds", "30"),
    "stores": _figures("stores", "stores.py"),
    "news": _figures("news", "news.py"),
    "several": _figures("several", "several.py"),
    "year": _figures("year", "year.py"),
    "cluster": _figures("cluster", "cluster.py"),
    "thinkers": _figures("thinkers", "thinkers.py"),
    "thinking": _strength("thinking", 0.2),
    "endings": _strength("endings", 1.0),
    "secret": _strength("secret", 0.16),
    "choices": _strength("choices", 1.0),
    "openspiel": _strength("openspiel", 0.16),
    "uct": _matches(1.25, "uct"),
    "levels": _matches(2.5, "levels"),
    "luckless": _luckless("luckless", 3, "without_luck.py", *CEILING, "--games", "1000"),
    "patience": _luckless("patience", 1, "patience.py"),
    "minds": _matches(3.5, "minds", "minds-slow"),
    "puzzle": _findings("puzzle", 1.0),
    "lessons": _findings("lessons", 1.0),
    "skill": _findings("skill", 0.3),
    "traders": _findings("traders", 0.3),
    "suleika": _findings("suleika", 0.2),
    "basari": _findings("basari", 0.2),
    "basari-cards": _findings("basari-cards", 0.2),
    "bazaar": _findings("bazaar", 0.2),
    "sum": _study("sum", 2),
    "fair": _study("fair", 10),
    "errors": _study("skill", 5),
    "seeds": _study("seeds", 5),
    "depth": _study("depth", 3),
    "time": lambda budget: ["study.py", "time", "--processes", "2", *budget.folder("study")],
}
GPU: dict[str, Command] = {
    "gpu": _figures("gpu", "gpu.py", "1", "10000"),
    "batch-cuda": _figures("batch-cuda", "batch.py", "cuda", "1"),
    "billion": _figures("billion", "billion.py"),
    "curve": _figures("curve", "curve.py"),
}
ELSEWHERE: dict[str, Command] = {
    "network_cut": _figures("network_cut", "network_cut.py"),
    "containers": _figures("containers", "containers.py"),
    "first-load": _figures("first-load", "first_load.py"),
    "install": _figures("install", "install.py"),
    "boardgame": _figures("boardgame", "boardgame.py", "50", "8", "3"),
    "ray": _figures("ray", "on_ray.py"),
}
GROUPS = {"cpu": CPU, "gpu": GPU, "elsewhere": ELSEWHERE}
EVERYTHING = {name: command for group in GROUPS.values() for name, command in group.items()}


def carry_out(words: Words) -> bool:
    """Run a program of bench/, and say how long it took and whether it did what it should."""
    print(f"\n$ python bench/{' '.join(words)}", flush=True)
    begin = time.perf_counter()
    command = [sys.executable, str(ROOT / "bench" / words[0]), *words[1:]]
    done = subprocess.run(command, env=os.environ | {"SOUK_COMMIT": commit()}, check=False)
    print(f"{'done' if done.returncode == 0 else 'FAILED'} after {time.perf_counter() - begin:.0f} s", flush=True)
    return done.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", metavar="GROUP", nargs="*", choices=[*GROUPS, []], help=", ".join(GROUPS))
    parser.add_argument("--only", metavar="NAME", nargs="+", choices=list(EVERYTHING), help=", ".join(EVERYTHING))
    parser.add_argument("--out", type=Path, default=DOCS)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--list", action="store_true", help="say what would be run, and run nothing")
    given = parser.parse_args()
    budget = Budget(given.out.resolve(), given.processes, given.scale)
    names = given.only or [name for group in given.groups or ["cpu"] for name in GROUPS[group]]
    if given.list:
        print("\n".join(f"{name}: python bench/{' '.join(EVERYTHING[name](budget))}" for name in names))
        return
    commit()
    failed = [name for name in names if not carry_out(EVERYTHING[name](budget))]
    print(f"\n{len(names) - len(failed)} of {len(names)} measured" + f"; failed: {', '.join(failed)}" * bool(failed))
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
