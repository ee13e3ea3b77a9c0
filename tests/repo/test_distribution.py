"""The package name and version: defined once, and never the name of another project."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder

import dev
import souk
from souk.kernel.distribution import DISTRIBUTION, install_command

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
FOLDERS = ("bench", "docs", "examples", "hosting", "souk", "tests", "web")
KINDS = {
    ".html",
    ".ipynb",
    ".json",
    ".md",
    ".py",
    ".service",
    ".svelte",
    ".toml",
    ".ts",
    ".txt",
    ".yaml",
    ".yml",
    "",
}
NOT_OURS = {"node_modules", "site", "__pycache__"}  # fetched or built

INSTALLS_ANOTHER = re.compile(
    r"(?:pip3?|pipx|uv tool)['\", ]+install\b[^\n`;|]*?[\s'\",/]souk(?![\w/-])|\bsouk\[(?:"
    + "|".join(EXTRAS)
    + r")\b"
)


def texts() -> list[Path]:
    inside = [file for name in FOLDERS for file in (ROOT / name).rglob("*")]
    ours = [file for file in inside if file.is_file() and not NOT_OURS & set(file.parts)]
    return [file for file in [*ROOT.glob("*.*"), *ours] if file.is_file() and file.suffix in KINDS]


@pytest.mark.parametrize(
    "text",
    [
        "pip install souk",
        "pip install --upgrade 'souk'",
        "/opt/venv/bin/pip install souk==0.4.1",
        "python -m pip install souk[lab]",
        "the extra souk[ray]",
        '["pip", "install", "souk"]',
        "uv tool install souk",
    ],
)
def test_a_text_that_installs_another_project_is_recognised(text: str) -> None:
    assert INSTALLS_ANOTHER.search(text)


@pytest.mark.parametrize(
    "text",
    [
        "pip install '.[lab]'",
        "pip install 'souk-games[lab]'",
        "/opt/souk/bin/pip install ./souk_games-0.2.0-py3-none-any.whl",
        "pip install --no-deps .` writes it; `souk --version",
    ],
)
def test_texts_that_install_ours_are_fine(text: str) -> None:
    assert not INSTALLS_ANOTHER.search(text)


def test_no_text_installs_another_project() -> None:
    files = [file for file in texts() if file != Path(__file__)]
    assert {"README.md", "researchers.ipynb", "souk.service", "Containerfile", "stores.py"} <= {
        file.name for file in files
    }
    for file in files:
        found = INSTALLS_ANOTHER.search(file.read_text(encoding="utf-8"))
        assert found is None, f"{file.relative_to(ROOT)}: {found and found[0]}"


def test_the_name_is_defined_once() -> None:
    assert PROJECT["name"] == DISTRIBUTION
    naming = [
        file
        for file in (ROOT / "souk").rglob("*.py")
        if DISTRIBUTION in file.read_text(encoding="utf-8")
    ]
    assert [file.name for file in naming] == ["distribution.py"]


def test_the_extras_that_messages_name_exist() -> None:
    code = "\n".join(file.read_text(encoding="utf-8") for file in (ROOT / "souk").rglob("*.py"))
    named = set(re.findall(r"install_command\('(\w+)'\)", code))
    assert named == set(EXTRAS)
    assert install_command("lab") == "pip install 'souk-games[lab]'"


def test_docs_name_the_wheel_of_this_version() -> None:
    files = [file for file in texts() if file != Path(__file__)]
    wheels = {
        wheel
        for file in files
        for wheel in re.findall(r"souk_games-[\w.-]+\.whl", file.read_text("utf-8"))
    }
    assert wheels == {f"souk_games-{souk.__version__}-py3-none-any.whl"}


def test_the_source_distribution_has_what_the_docs_link_to() -> None:
    included = {file.relative_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    included |= {"LICENSE", "README.md", "pyproject.toml"}  # always included
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            target = (page.parent / link).resolve().relative_to(ROOT).as_posix()
            assert any(f"{file}/".startswith(f"{target}/") for file in included), (
                f"{page.name}: {link}"
            )


def test_the_command_prints_its_version() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "souk.cli", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == f"souk {souk.__version__}\n"


def test_setup_removes_the_package_under_its_former_name(tmp_path: Path) -> None:
    """As pip left it in an environment of 0.1.0; other packages stay."""
    dev.make_venv(tmp_path / "venv")
    python = tmp_path / "venv" / dev.BIN.name / "python"
    [packages] = [
        path.parent for path in (tmp_path / "venv").rglob("pip") if (path / "__main__.py").is_file()
    ]
    installed = packages / f"{dev.FORMER_NAME}-0.1.0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {dev.FORMER_NAME}\nVersion: 0.1.0\n"
    )
    (installed / "INSTALLER").write_text("pip\n")
    (packages / "_editable_impl_souk.pth").write_text(f"{ROOT}{os.linesep}")
    record = [
        "_editable_impl_souk.pth",
        *(f"{installed.name}/{name}" for name in ("METADATA", "INSTALLER", "RECORD")),
    ]
    (installed / "RECORD").write_text("".join(f"{name},,\n" for name in record))
    for _ in range(2):  # the second time does nothing
        dev.uninstall_former_package(python)
        assert not installed.exists()
        assert not (packages / "_editable_impl_souk.pth").exists()
    assert (packages / "pip").is_dir()
