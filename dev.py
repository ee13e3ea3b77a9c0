#!/usr/bin/env python3
"""Sets up all that Souk needs in .venv and hands over. Needs only Python 3.11 or newer.

python3 dev.py play          open the tables in the browser (more words go to `souk serve`)
python3 dev.py test          lint, types and all tests (more words go to pytest)
python3 dev.py souk ...      the command line: games, rules, play in the terminal, replay, simulate, bench
python3 dev.py lock          write the locks and the bill of materials anew after a change in pyproject.toml (--upgrade for the newest of everything)
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
VENV = HERE / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PAGES = HERE / "web" / "build.py"

# Exact versions with their hashes: of what playing needs, of what testing and the lab add to it, and of what makes the package and its pages.
PLAY, TEST, LAB = "requirements.lock", "requirements-test.lock", "requirements-lab.lock"
BUILD, NODE, TOOLS = "requirements-build.lock", "requirements-node.lock", "requirements-tools.lock"
POSTGRES = "requirements-postgres.lock"  # what a server takes besides whose tables are in PostgreSQL
MADE_FROM = {
    PLAY: [],
    TEST: ["--group", "test"],
    LAB: ["--extra", "lab", "--extra", "ray", "--group", "notebooks"],
    BUILD: ["--group", "build"],
    NODE: ["--group", "node"],
    TOOLS: ["--group", "tools"],
    POSTGRES: ["--extra", "postgres"],
}
BILL = HERE / "sbom.cdx.json"  # the bill of materials
CHROMIUM = ("chromium", "chromium-headless-shell")  # as Debian calls its packages and programs


def fail(message: str) -> None:
    print(message, file=sys.stderr)
    raise SystemExit(1)


def pip(*arguments: str, python: Path = BIN / "python") -> None:
    command = [str(python), "-m", "pip", "--quiet", "--disable-pip-version-check", "--no-input", "install"]
    command += ["--no-compile"]  # Python does it when a module is first wanted, and most of Ray's never are
    if subprocess.run([*command, *arguments], check=False).returncode:
        fail("Souk could not be set up: pip's message above says why. Is there a network? Then try again.")


def install(*locks: str) -> None:
    """What the locks name. Where that is much uv does it, which pip fetches first, in a tenth of pip's time; and where uv cannot, as it knows nothing of
    pip's settings, pip does all of it."""
    arguments = ["--require-hashes", *(word for lock in locks for word in ("-r", str(HERE / lock)))]
    if TEST in locks:
        pip("--require-hashes", "-r", str(HERE / TOOLS))
        uv = [str(BIN / "uv"), "pip", "install", "--quiet", "--python", str(BIN / "python")]
        if not subprocess.run([*uv, *arguments], check=False, capture_output=True).returncode:
            return
    pip(*arguments)


def make_venv(folder: Path) -> None:
    made = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", str(folder)], capture_output=True, text=True, check=False
    )
    if made.returncode:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        fail(f"Python's venv is missing. On Debian and Ubuntu: apt install python{version}-venv")


def set_up(*locks: str) -> None:
    """Make .venv hold Souk and what the locks name. It keeps a copy of every file it was made from, so that only what has
    changed is done again; what is there in the right version already, pip does not fetch a second time."""
    begin, home, here = time.perf_counter(), VENV / "souk-home", f"{sys.version}\n{HERE}\n"
    is_new = not home.is_file() or home.read_text() != here
    changed = [name for name in (*locks, "pyproject.toml") if is_new or not is_installed(name)]
    if not changed:
        return
    if is_new:
        tell("Setting up Souk in .venv (once, about half a minute) ...")
        make_venv(VENV)
        home.write_text(here)
    if TEST in changed:
        tell(
            "Getting the tools of the tests and of the lab, OpenSpiel and Ray among them (once, less than a minute) ..."
        )
    elif not is_new:
        tell("Bringing .venv up to date ...")
    install(*locks)
    if "pyproject.toml" in changed:
        pip("--no-deps", "--no-build-isolation", "--editable", str(HERE))
    for name in changed:
        shutil.copyfile(HERE / name, VENV / name)
    tell(f"Ready after {time.perf_counter() - begin:.0f} s.")


def is_installed(name: str) -> bool:
    return (VENV / name).is_file() and (VENV / name).read_bytes() == (HERE / name).read_bytes()


def tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def run(*command: str) -> int:
    return subprocess.run([str(BIN / command[0]), *command[1:]], cwd=HERE, env=environment(), check=False).returncode


def one_by_one(commands: list[list[str]]) -> int:
    """Run commands until one fails. What each has to say is shown in one piece, as others may run at the same time."""
    for command in commands:
        full = [str(BIN / command[0]), *command[1:]]
        done = subprocess.run(full, cwd=HERE, env=environment(), check=False, capture_output=True, text=True)
        print("$", *command, f"\n{done.stdout}{done.stderr}", end="", flush=True)
        if done.returncode:
            return done.returncode
    return 0


def hand_over(*command: str) -> int:
    """Become the command, so that whoever ends this process ends that one. Where there is no such thing, wait for it."""
    if os.name != "nt":
        os.chdir(HERE)
        os.execve(BIN / command[0], command, environment())
    return run(*command)


def environment() -> dict[str, str]:
    return dict(os.environ, PATH=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")


def get_chromium() -> None:
    """What the tests in a browser need, from Debian's packages where that is possible; without the one that has no window they take a little longer."""
    if all(map(shutil.which, CHROMIUM)):
        return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        install = ["apt-get", "install", "-y", "--no-install-recommends"]
        for command in (["apt-get", "update"], [*install, *CHROMIUM], [*install, CHROMIUM[0]]):
            print("$", *command, flush=True)
            if not subprocess.run(command, capture_output=True, check=False).returncode and "install" in command:
                return
    if not shutil.which(CHROMIUM[0]):
        print("!!! NO CHROMIUM HERE: the tests in the browser are skipped. On Debian: apt install chromium", flush=True)


def test(*arguments: str) -> int:
    """Lint and types first: they are quick; those of Python beside those of the pages. The last line is pytest's summary."""
    os.environ.pop(
        "PYTHONDONTWRITEBYTECODE", None
    )  # hundreds of processes start here; none shall compile all modules again
    python = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    pages = [["python", str(PAGES), "check"], ["python", str(PAGES)]]
    with ThreadPoolExecutor() as pool:
        found = list(pool.map(one_by_one, (python, pages)))
    if any(found):
        return max(found)
    workers = (os.cpu_count() or 1) + 2  # more than cores: tests with a server or a browser wait half of their time
    return hand_over("pytest", "-n", str(workers), "--dist", "worksteal", *arguments)


def lock(*arguments: str) -> int:
    """Write all locks, with a uv that is thrown away afterwards, and the bill of materials from them."""
    with tempfile.TemporaryDirectory() as folder:
        make_venv(Path(folder))
        uv = Path(folder) / BIN.name / "uv"
        pip("--require-hashes", "-r", str(HERE / TOOLS), python=uv.with_name("python"))
        if status := write_locks(str(uv), *arguments):
            return status
    BILL.write_text(json.dumps(bill_of_materials(), indent=1) + "\n")
    return 0


def write_locks(uv: str, *arguments: str) -> int:
    """They name no address, and plain pip installs them."""
    command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--no-header", "pyproject.toml"]
    earlier: list[str] = []
    for name, parts in MADE_FROM.items():
        agreeing = [word for each in earlier for word in ("--constraint", each)]
        words = [*command, *parts, *agreeing, "--output-file", name, *arguments]
        if status := subprocess.run(words, cwd=HERE, check=False, stdout=subprocess.DEVNULL).returncode:
            return status
        earlier.append(name)
    keep_additions()
    return 0


def bill_of_materials() -> dict[str, object]:
    """What playing takes from others, as CycloneDX writes it: Python's packages and those that the pages are made of, as the locks have them."""
    python = [re.split(r"[=; ]+", entry.splitlines()[0])[:2] for entry in entries(PLAY)]
    packages = json.loads((HERE / "web" / "package-lock.json").read_text())["packages"]
    pages = [
        (path.rpartition("node_modules/")[2], about["version"])
        for path, about in packages.items()
        if path and not about.get("dev")
    ]
    parts = [(name, version, f"pkg:pypi/{name}@{version}") for name, version in python]
    parts += [(name, version, f"pkg:npm/{name.replace('@', '%40')}@{version}") for name, version in pages]
    components = [{"type": "library", "name": name, "version": version, "purl": purl} for name, version, purl in parts]
    about = {"component": {"type": "application", "name": "souk"}}
    return {"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1, "metadata": about, "components": components}


def keep_additions() -> None:
    """Take out of the other locks what the first one has already."""
    given = {
        entry.split()[0] for entry in entries(PLAY)
    }  # with its version; where it is wanted may be said in other words
    for name in (TEST, LAB, BUILD, NODE, TOOLS, POSTGRES):
        added = [entry for entry in entries(name) if entry.split()[0] not in given]
        (HERE / name).write_text("".join(added))


def entries(name: str) -> list[str]:
    """The requirements of a lock, each with its hashes and with the comment that says where it comes from."""
    return re.split(r"^(?=\w)", (HERE / name).read_text(), flags=re.MULTILINE)[1:]


def main() -> int:
    if sys.version_info < (3, 11):
        fail(f"Souk needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    command, rest = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if command not in ("play", "test", "souk", "lock"):
        print(__doc__)
        return 0 if command in ("", "--help", "-h") else 2
    try:
        if command == "lock":
            return lock(*rest)
        if command == "test":
            with ThreadPoolExecutor() as pool:  # one fetches while the other unpacks
                getting = pool.submit(get_chromium)
                set_up(PLAY, BUILD, TEST, LAB)
            getting.result()
            return test(*rest)
        set_up(PLAY, BUILD)
        if (command == "play" or rest[:1] == ["serve"]) and (status := run("python", str(PAGES))):
            return status
        return hand_over("souk", *(["serve", "--open"] if command == "play" else []), *rest)
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    raise SystemExit(main())
