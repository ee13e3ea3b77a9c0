#!/usr/bin/env python3
"""Sets up Souk in .venv and runs it. Needs only Python 3.11 or newer.

python3 dev.py play                start the server and open the browser (options: `souk serve`)
python3 dev.py test                lint, types and all tests (options go to pytest)
python3 dev.py test --fast         what needs no compiler, browser, database or server
python3 dev.py test --under-load   all tests beside ten busy processes
python3 dev.py souk ...            the command line: games, rules, play, replay, simulate, bench
python3 dev.py docs                build the documentation site, which `souk serve` shows at /docs
python3 dev.py lock [--upgrade]    rewrite requirements/ after a change in pyproject.toml
python3 dev.py sbom                write sbom.cdx.json, the bill of materials of a release
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
DOCS_SITE = HERE / "souk" / "server" / "docs_site"

# Locks in requirements/: exact versions with hashes. The first is what playing needs, the
# others are what they add to it.
LOCKS = HERE / "requirements"
PLAY = "play.lock"
TEST = "test.lock"
LAB = "lab.lock"
BUILD = "build.lock"
NODE = "node.lock"
TOOLS = "tools.lock"
POSTGRES = "postgres.lock"
DOCS = "docs.lock"
MADE_FROM = {
    PLAY: [],
    TEST: ["--group", "test"],
    LAB: ["--extra", "lab", "--extra", "ray", "--group", "notebooks"],
    BUILD: ["--group", "build"],
    NODE: ["--group", "node"],
    TOOLS: ["--group", "tools"],
    POSTGRES: ["--extra", "postgres"],
    DOCS: ["--group", "docs"],
}
FORMER_NAME = "souk"  # of the package, up to 0.1.0
SBOM = HERE / "sbom.cdx.json"
FAST, UNDER_LOAD, BUSY_PROCESSES = "--fast", "--under-load", 10
BUSY = """
import os
parent = os.getppid()
while os.getppid() == parent:
    sum(range(100_000))
"""
CHROMIUM = ("chromium", "chromium-headless-shell")  # Debian's names for packages and programs


def fail(message: str) -> None:
    print(message, file=sys.stderr)
    raise SystemExit(1)


def pip(*arguments: str, python: Path = BIN / "python") -> None:
    """Run `pip install`. Bytecode is compiled on first import: most of Ray's never is."""
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "install", "--no-compile"]
    if subprocess.run([str(python), "-m", "pip", *quiet, *arguments], check=False).returncode:
        fail("Setup failed; see pip's message above. Are you online? Then try again.")


def install(*locks: str) -> None:
    """Install locks. Large ones go through uv (ten times as fast), or pip where uv fails.

    uv does not read pip's configuration, so it can fail where pip works.
    """
    files = (word for lock in locks for word in ("-r", str(LOCKS / lock)))
    arguments = ["--require-hashes", *files]
    if TEST in locks:
        pip("--require-hashes", "-r", str(LOCKS / TOOLS))
        uv = [str(BIN / "uv"), "pip", "install", "--quiet", "--python", str(BIN / "python")]
        if not subprocess.run([*uv, *arguments], check=False, capture_output=True).returncode:
            return
    pip(*arguments)


def uninstall_former_package(python: Path = BIN / "python") -> None:
    """Uninstall the package's former name first: both own the same files."""
    command = [str(python), "-m", "pip", "--disable-pip-version-check"]
    command += ["uninstall", "--yes", FORMER_NAME]
    subprocess.run(command, check=False, capture_output=True)


def make_venv(folder: Path) -> None:
    command = [sys.executable, "-m", "venv", "--clear", str(folder)]
    if subprocess.run(command, capture_output=True, text=True, check=False).returncode:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        fail(f"Python's venv is missing. On Debian and Ubuntu: apt install python{version}-venv")


def set_up(*locks: str) -> None:
    """Install Souk and some locks into .venv.

    .venv keeps a copy of every file it was made from: only changed ones are installed again.
    """
    begin, stamp = time.perf_counter(), VENV / "souk-home"
    home = f"{sys.version}\n{HERE}\n"
    is_new = not stamp.is_file() or stamp.read_text() != home
    project = HERE / "pyproject.toml"
    sources = [*(LOCKS / lock for lock in locks), project]
    changed = [source for source in sources if is_new or not is_installed(source)]
    if not changed:
        return
    if is_new:
        tell("Setting up Souk in .venv (once, about half a minute) ...")
        make_venv(VENV)
        stamp.write_text(home)
    if LOCKS / TEST in changed:
        tell("Installing test tools, OpenSpiel and Ray (once, less than a minute) ...")
    elif not is_new:
        tell("Updating .venv ...")
    install(*locks)
    if project in changed:
        if not is_new:
            uninstall_former_package()
        pip("--no-deps", "--no-build-isolation", "--editable", str(HERE))
    for source in changed:
        shutil.copyfile(source, VENV / source.name)
    tell(f"Ready after {time.perf_counter() - begin:.0f} s.")


def is_installed(source: Path) -> bool:
    copy = VENV / source.name
    return copy.is_file() and copy.read_bytes() == source.read_bytes()


def tell(message: str) -> None:
    print(message, file=sys.stderr, flush=True)


def run(*command: str) -> int:
    return subprocess.run(
        [str(BIN / command[0]), *command[1:]], cwd=HERE, env=environment(), check=False
    ).returncode


def run_all(commands: list[list[str]]) -> int:
    """Run commands until one fails, printing each one's output in one piece."""
    for command in commands:
        full = [str(BIN / command[0]), *command[1:]]
        done = subprocess.run(
            full, cwd=HERE, env=environment(), check=False, capture_output=True, text=True
        )
        print("$", *command, f"\n{done.stdout}{done.stderr}", end="", flush=True)
        if done.returncode:
            return done.returncode
    return 0


def hand_over(*command: str) -> int:
    """Replace this process by a command, so that signals reach it. On Windows: run it."""
    if os.name != "nt":
        os.chdir(HERE)
        os.execve(BIN / command[0], command, environment())
    return run(*command)


def environment() -> dict[str, str]:
    return dict(os.environ, PATH=f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}")


def install_chromium() -> None:
    """Install Chromium from Debian's packages where possible.

    The headless shell saves time; the full browser alone is enough.
    """
    if all(map(shutil.which, CHROMIUM)):
        return
    if shutil.which("apt-get") and hasattr(os, "geteuid") and os.geteuid() == 0:
        install = ["apt-get", "install", "-y", "--no-install-recommends"]
        for command in (["apt-get", "update"], [*install, *CHROMIUM], [*install, CHROMIUM[0]]):
            print("$", *command, flush=True)
            done = subprocess.run(command, capture_output=True, check=False)
            if not done.returncode and "install" in command:
                return
    if not shutil.which(CHROMIUM[0]):
        print("!!! No Chromium: browser tests are skipped. On Debian: apt install chromium")


def test(*arguments: str) -> int:
    """Lint and check types first, then run pytest, whose summary is the last line."""
    # Hundreds of processes start here; without bytecode each would compile every module.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    is_fast = FAST in arguments
    python = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    pages = [["python", str(PAGES), "check"], ["python", str(PAGES)]]
    with ThreadPoolExecutor() as pool:
        statuses = list(pool.map(run_all, [python] if is_fast else [python, pages]))
    if any(statuses):
        return max(statuses)
    # More workers than cores: tests with a server or a browser spend half of their time waiting.
    workers = (os.cpu_count() or 1) + (0 if is_fast else 2)
    command = ["pytest", "-n", str(workers), "--dist", "worksteal"]
    command += [word for word in arguments if word != UNDER_LOAD]
    return under_load(*command) if UNDER_LOAD in arguments else hand_over(*command)


def under_load(*command: str) -> int:
    """Run a command beside busy processes, which end with it."""
    busy = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(BUSY_PROCESSES)]
    try:
        return run(*command)
    finally:
        for process in busy:
            process.kill()


def lock(*arguments: str) -> int:
    """Rewrite all locks, with a uv from a temporary environment."""
    with tempfile.TemporaryDirectory() as folder:
        make_venv(Path(folder))
        uv = Path(folder) / BIN.name / "uv"
        pip("--require-hashes", "-r", str(LOCKS / TOOLS), python=uv.with_name("python"))
        return write_locks(str(uv), *arguments)


def write_locks(uv: str, *arguments: str) -> int:
    """Write locks that name no registry and that plain pip can install."""
    command = [uv, "pip", "compile", "--quiet", "--universal", "--python-version", "3.11"]
    command += ["--generate-hashes", "--no-header", "pyproject.toml"]
    earlier: list[str] = []
    for name, parts in MADE_FROM.items():
        file = str((LOCKS / name).relative_to(HERE))
        constraints = [word for other in earlier for word in ("--constraint", other)]
        words = [*command, *parts, *constraints, "--output-file", file, *arguments]
        done = subprocess.run(words, cwd=HERE, check=False, stdout=subprocess.DEVNULL)
        if done.returncode:
            return done.returncode
        earlier.append(file)
    remove_repeated_entries()
    return 0


def write_sbom() -> int:
    SBOM.write_text(json.dumps(bill_of_materials(), indent=1) + "\n")
    return 0


def bill_of_materials() -> dict[str, object]:
    """List the locked Python and npm packages that playing needs, in CycloneDX form."""
    python = [re.split(r"[=; ]+", entry.splitlines()[0])[:2] for entry in entries(PLAY)]
    packages = json.loads((HERE / "web" / "package-lock.json").read_text())["packages"]
    pages = [
        (path.rpartition("node_modules/")[2], about["version"])
        for path, about in packages.items()
        if path and not about.get("dev")
    ]
    parts = [(name, version, f"pkg:pypi/{name}@{version}") for name, version in python]
    parts += [
        (name, version, f"pkg:npm/{name.replace('@', '%40')}@{version}") for name, version in pages
    ]
    components = [
        {"type": "library", "name": name, "version": version, "purl": purl}
        for name, version, purl in parts
    ]
    import tomllib  # here, because older Pythons lack it and must reach the version check

    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": {"type": "application", "name": project["name"]}},
        "components": components,
    }


def remove_repeated_entries() -> None:
    """Drop from the other locks every version that the first one has."""
    given = {entry.split()[0] for entry in entries(PLAY)}
    for name in MADE_FROM.keys() - {PLAY}:
        added = [entry for entry in entries(name) if entry.split()[0] not in given]
        (LOCKS / name).write_text("".join(added))


def entries(name: str) -> list[str]:
    """The requirements of a lock, each with its hashes and comments."""
    return re.split(r"^(?=\w)", (LOCKS / name).read_text(), flags=re.MULTILINE)[1:]


def build_docs() -> int:
    """Build the documentation site; warnings such as broken links fail."""
    status = run(
        *("python", "-m", "sphinx", "-q", "-W", "--keep-going", "-d", str(VENV / "doctrees")),
        *(str(HERE / "docs"), str(DOCS_SITE)),
    )
    if not status:
        tell(f"Built {DOCS_SITE / 'index.html'}; `souk serve` shows it at /docs.")
    return status


def main() -> int:
    if sys.version_info < (3, 11):
        fail(f"Souk needs Python 3.11 or newer; this is {sys.version.split()[0]}.")
    command, rest = (sys.argv[1:2] or [""])[0], sys.argv[2:]
    if command not in ("play", "test", "souk", "docs", "lock", "sbom"):
        print(__doc__)
        return 0 if command in ("", "--help", "-h") else 2
    try:
        if command == "lock":
            return lock(*rest)
        if command == "sbom":
            return write_sbom()
        if command == "docs":
            set_up(PLAY, BUILD, DOCS)
            return build_docs()
        if command == "test":
            set_up_tests(is_fast=FAST in rest)
            return test(*rest)
        set_up(PLAY, BUILD)
        serves = command == "play" or rest[:1] == ["serve"]
        if serves and (status := run("python", str(PAGES))):
            return status
        return hand_over("souk", *(["serve", "--open"] if command == "play" else []), *rest)
    except KeyboardInterrupt:
        return 130


def set_up_tests(*, is_fast: bool) -> None:
    """Install what tests need; Chromium is downloaded while packages are unpacked."""
    with ThreadPoolExecutor() as pool:
        chromium = None if is_fast else pool.submit(install_chromium)
        set_up(PLAY, BUILD, TEST, LAB, DOCS)
    if chromium:
        chromium.result()


if __name__ == "__main__":
    raise SystemExit(main())
