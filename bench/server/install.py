"""What setting Souk up takes on a machine that has only Python: seconds, what is downloaded, and the room it needs.

    python bench/install.py [--json FILE]

Does `python3 dev.py souk games` in a copy of the tracked files without any other program in reach, so that Node is fetched as well. Needs the network
that pip and npm use.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from pedigree import ROOT, settings, write_figures


def copy_of_the_sources(folder: Path) -> None:
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in listed.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((ROOT / name).read_bytes())


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file() and not file.is_symlink())


def downloaded(folder: Path, lock: str) -> int:
    """The bytes that pip fetches for a lock."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--dest", str(folder), "-r", lock]
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    return size(folder)


def main() -> None:
    given = settings(__doc__).parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_of_the_sources(folder / "souk")
        alone = {"PATH": "", "PIP_NO_CACHE_DIR": "1", "npm_config_cache": str(folder / "npm")}
        begin = time.perf_counter()
        subprocess.run(
            [sys.executable, "dev.py", "souk", "games"], cwd=folder / "souk", env=os.environ | alone, check=True
        )
        seconds = time.perf_counter() - begin
        fetched = {
            "locked": downloaded(folder / "locked", "requirements.lock"),
            "node": downloaded(folder / "node", "requirements-node.lock"),
            "build": downloaded(folder / "build", "requirements-build.lock"),
            "npm": size(folder / "npm"),
        }
        room = size(folder / "souk" / ".venv")
    print(f"set up in {seconds:.0f} s; {sum(fetched.values()) / 1e6:.0f} MB fetched, {room / 1e6:.0f} MB in .venv")
    print(", ".join(f"{what}: {bytes_ / 1e6:.0f} MB" for what, bytes_ in fetched.items()))
    if given.json:
        write_figures(given.json, {"seconds": seconds, "fetched": fetched, "venv": room}, n=1, of="installation")


if __name__ == "__main__":
    main()
