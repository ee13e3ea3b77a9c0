#!/usr/bin/env python3
"""Sets up all that Souk needs in .venv and hands over. Needs only Python 3.11 or newer.

python3 dev.py play          open the tables in the browser (more words go to `souk serve`)
python3 dev.py test          lint, types and all tests (more words go to pytest)
python3 dev.py souk ...      the command line: games, rules, play in the terminal, replay, simulate, bench
"""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
STAMP, LAB_STAMP = VENV / "souk-installed", VENV / "souk-lab-installed"
LOCK, LAB_LOCK = "requirements.lock", "requirements-lab.lock"
PAGES = HERE / "web" / "build.py"


def fail(message: str) -> None:
    print(message, file=sys.stderr)
    raise SystemExit(1)


def wanted(*files: str) -> str:
    """What the environment is made from: when this changes, it is set up anew."""
    digest = hashlib.sha256(sys.version.encode() + str(HERE).encode())
    for name in files:
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()


def pip(*arguments: str) -> None:
    command = [str(BIN / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "install"]
    if subprocess.run([*command, *arguments], check=False).returncode:
        fail("Souk could not be set up: pip's message above says why. Is there a network? Then try again.")


def set_up() -> None:
    made_from = wanted(LOCK, "pyproject.toml")
    if STAMP.is_file() and STAMP.read_text() == made_from:
        return
    print("Setting up Souk in .venv (once, about half a minute) ...", file=sys.stderr, flush=True)
    begin = time.perf_counter()
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(VENV)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        fail(f"Python's venv is missing. On Debian and Ubuntu: apt install python{version}-venv")
    pip("--require-hashes", "-r", str(HERE / LOCK))
    pip("--no-deps", "--editable", str(HERE))
    STAMP.write_text(made_from)
    print(f"Ready after {time.perf_counter() - begin:.0f} s.", file=sys.stderr, flush=True)


def set_up_lab() -> None:
    """What the tests need besides: the tools of researchers, which nobody who only plays has to wait for."""
    made_from = wanted(LAB_LOCK)
    if LAB_STAMP.is_file() and LAB_STAMP.read_text() == made_from:
        return
    print(
        "Getting PettingZoo, OpenSpiel, Ray and more for the tests (once, about a minute) ...",
        file=sys.stderr,
        flush=True,
    )
    pip("--require-hashes", "-r", str(HERE / LAB_LOCK))
    LAB_STAMP.write_text(made_from)


def run(*command: str) -> int:
    environment = dict(os.environ, PATH=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")
    return subprocess.run([str(BIN / command[0]), *command[1:]], cwd=HERE, env=environment, check=False).returncode


def get_chromium() -> None:
    """What the tests in a browser need, from Debian's packages where that is possible."""
    if shutil.which("chromium"):
        return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        for command in (["apt-get", "update"], ["apt-get", "install", "-y", "--no-install-recommends", "chromium"]):
            print("$", *command, flush=True)
            subprocess.run(command, capture_output=True, check=False)
    if not shutil.which("chromium"):
        print("!!! NO CHROMIUM HERE: the tests in the browser are skipped. On Debian: apt install chromium", flush=True)


def test(*arguments: str) -> int:
    """Lint and types first: they are quick. The last line is pytest's summary."""
    get_chromium()
    pages = ["python", str(PAGES)]
    for check in (["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"], [*pages, "check"], pages):
        print("$", *check, flush=True)
        if status := run(*check):
            return status
    return run("pytest", "-n", "auto", "--dist", "worksteal", *arguments)


def main() -> int:
    if sys.version_info < (3, 11):
        fail(f"Souk needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    command, rest = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if command not in ("play", "test", "souk"):
        print(__doc__)
        return 0 if command in ("", "--help", "-h") else 2
    set_up()
    try:
        if command == "test":
            set_up_lab()
            return test(*rest)
        if (command == "play" or rest[:1] == ["serve"]) and (status := run("python", str(PAGES))):
            return status
        return run("souk", *(["serve", "--open"] if command == "play" else []), *rest)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
