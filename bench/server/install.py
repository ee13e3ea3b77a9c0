"""Measures the setup on a machine with only Python: seconds, downloads, and disk space.

    python -m bench.server.install [--json FILE]

Runs `python3 dev.py souk games` in a copy of the tracked files with an empty PATH, so that Node is
downloaded too. Needs network access to the registries of pip and npm.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.support.provenance import ROOT, figures_parser, write_figures


def copy_sources(folder: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    for name in listed.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())


def size(folder: Path) -> int:
    return sum(
        file.stat().st_size
        for file in folder.rglob("*")
        if file.is_file() and not file.is_symlink()
    )


def downloaded(folder: Path, lock: str) -> int:
    """Bytes that pip downloads for a lock."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--dest", str(folder), "-r", lock]
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    return size(folder)


def main() -> None:
    args = figures_parser(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_sources(folder / "souk")
        environment = {"PATH": "", "PIP_NO_CACHE_DIR": "1", "npm_config_cache": str(folder / "npm")}
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "dev.py", "souk", "games"],
            cwd=folder / "souk",
            env=os.environ | environment,
            check=True,
        )
        seconds = time.perf_counter() - begin
        fetched = {
            "locked": downloaded(folder / "locked", "requirements/play.lock"),
            "node": downloaded(folder / "node", "requirements/node.lock"),
            "build": downloaded(folder / "build", "requirements/build.lock"),
            "npm": size(folder / "npm"),
        }
        disk = size(folder / "souk" / ".venv")
    downloads = sum(fetched.values()) / 1e6
    print(f"set up in {seconds:.0f} s; {downloads:.0f} MB downloaded, {disk / 1e6:.0f} MB in .venv")
    print(", ".join(f"{what}: {bytes_ / 1e6:.0f} MB" for what, bytes_ in fetched.items()))
    if args.json:
        write_figures(
            args.json,
            {"seconds": seconds, "fetched": fetched, "venv": disk},
            n=1,
            of="installation",
        )


if __name__ == "__main__":
    main()
