"""Every figure in the README and the docs comes out of a program, and says which, where, when and of what commit."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
DOCS, BENCH = ROOT / "docs", ROOT / "bench"
FIGURES = sorted(DOCS.rglob("*.json"))
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
MARKED = re.compile(r"<!-- figures: ([^>]+?) -->.*?<!-- end -->", re.DOTALL)
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
MEASURED = re.compile(
    r"\d ?(?:ns|µs|ms|s|kB|KB|MB|GB|MiB|bytes|%)(?!\w)|\d (?:seconds|minutes|thousand|million|billion)\b|\d times\b"
)
# Figures that nobody measured: what bots and messages are limited to, how sure an interval is, when a tick is late.
SET = {"50 ms", "1 s", "6 s", "4 KB", "16 KB", "95 %", "20 ms", "5 ms"}


def pedigree_module() -> ModuleType:
    spec = importlib.util.spec_from_file_location("souk_pedigree", BENCH / "pedigree.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outside_marks(page: str) -> str:
    return MARKED.sub("", CODE.sub("", page))


def tables_of_figures(page: str) -> list[str]:
    """The rows of tables outside the marks that hold a number."""
    return [line for line in outside_marks(page).splitlines() if line.startswith("|") and re.search(r"\d", line)]


def measured_in_prose(page: str) -> list[str]:
    """What looks measured outside the marks."""
    found = re.finditer(rf"[\d.,]*{MEASURED.pattern}", outside_marks(page))
    return [each[0] for each in found if each[0] not in SET]


def check_pages(docs: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(BENCH / "pages.py"), "--check", "--docs", str(docs)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


# ---------------------------------------------------------------- the figures we have


@pytest.mark.parametrize("file", FIGURES, ids=[file.relative_to(DOCS).as_posix() for file in FIGURES])
def test_figures_have_a_pedigree(file: Path) -> None:
    pedigree, figures = pedigree_module().read_figures(file)
    assert pedigree.n
    assert figures


def test_pages_are_in_step_with_their_figures() -> None:
    done = check_pages(DOCS)
    assert done.returncode == 0, done.stdout + done.stderr + "python bench/pages.py writes them anew"


def test_every_file_of_figures_is_shown() -> None:
    marks = {name for page in PAGES for name in MARKED.findall(page.read_text(encoding="utf-8"))}
    folders = {f"{file.parent.name}, {file.stem}" for file in FIGURES if file.parent.name != "figures"}
    assert folders <= marks
    writers = "".join((BENCH / name).read_text(encoding="utf-8") for name in ("readme_figures.py", "curve_page.py"))
    assert all(f'"{file.stem}"' in writers for file in FIGURES if file.parent.name == "figures")


def test_the_readme_has_no_figures_but_those_of_programs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert not tables_of_figures(readme)
    assert not measured_in_prose(readme)


@pytest.mark.parametrize(
    "page", ["kernel", "lab", "bots", "minds", "hosting", "many-machines", "strength", "findings", "reports", "study"]
)
def test_the_docs_have_no_figures_but_those_of_programs(page: str) -> None:
    assert not measured_in_prose((DOCS / f"{page}.md").read_text(encoding="utf-8"))


def test_the_par_in_the_readme_is_the_one_solved() -> None:
    told = re.search(
        r'solve\(rates=\((\d), (\d)\), ware="(\w+)"\).*?: ([\d.]+) actions', (ROOT / "README.md").read_text()
    )
    assert told is not None
    pars = json.loads((DOCS / "findings" / "puzzle.json").read_text())["pars"]
    [par] = [by_ware[told[3]] for rates, by_ware in pars if rates == [int(told[1]), int(told[2])]]
    assert f"{par:.2f}" == told[4]


# ---------------------------------------------------------------- what the tests above notice


def test_a_page_out_of_step_is_named(tmp_path: Path) -> None:
    docs = shutil.copytree(DOCS, tmp_path / "docs")
    file = docs / "figures" / "solve.json"
    figures = json.loads(file.read_text())
    figures["actions"]["mean"] += 1
    file.write_text(json.dumps(figures))
    done = check_pages(docs)
    assert done.returncode == 1
    assert done.stdout == "README.md is out of step\n"


def test_figures_by_hand_are_noticed() -> None:
    table = "| speed | 3.1 |\n"
    assert tables_of_figures(table) == ["| speed | 3.1 |"]
    assert not tables_of_figures(f"<!-- figures: a -->\n{table}<!-- end -->\n")
    assert measured_in_prose("It takes 3.5 ms, and 1,200 bytes in 95 % of all cases.") == ["3.5 ms", "1,200 bytes"]
    assert not measured_in_prose("It takes <!-- figures: a -->3.5 ms<!-- end -->.")


@pytest.mark.parametrize(
    ("field", "value"),
    [("commit", "latest"), ("commit", "/srv/souk"), ("n", 0), ("date", "yesterday"), ("command", "python /srv/bench/a.py"), ("host", "a")],
)  # fmt: skip
def test_a_pedigree_that_says_nothing_is_refused(tmp_path: Path, field: str, value: object) -> None:
    figures = json.loads((DOCS / "figures" / "solve.json").read_text())
    figures["pedigree"][field] = value
    (tmp_path / "solve.json").write_text(json.dumps(figures))
    with pytest.raises(ValueError, match="solve.json has no pedigree"):
        pedigree_module().read_figures(tmp_path / "solve.json")


# ---------------------------------------------------------------- how figures are kept


class House:
    """A house of its own with a history, and a program in it that keeps a figure."""

    PROGRAM = "from pedigree import settings, write_figures\nwrite_figures(settings('').parse_args().json, {'found': 1.0}, n=3, of='games')\n"

    def __init__(self, home: Path) -> None:
        self.home = home
        (home / "bench").mkdir()
        shutil.copy(BENCH / "pedigree.py", home / "bench")
        (home / "bench" / "count.py").write_text(self.PROGRAM)
        (home / ".gitignore").write_text("__pycache__/\n")

    def git(self, *words: str) -> str:
        named = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
        done = subprocess.run(["git", *named, *words], cwd=self.home, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    def count(self, commit: str = "") -> subprocess.CompletedProcess[str]:
        words = ["bench/count.py", "--json", str(self.home / "found.json")]
        environment = {"PATH": "/usr/bin:/bin", "GIT_CEILING_DIRECTORIES": str(self.home.parent), "SOUK_COMMIT": commit}
        return subprocess.run(
            [sys.executable, *words], cwd=self.home, capture_output=True, text=True, check=False, env=environment
        )

    def pedigree(self) -> dict[str, object]:
        found: dict[str, object] = json.loads((self.home / "found.json").read_text())["pedigree"]
        return found


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_the_commit_is_kept_and_whether_it_was_changed(house: House) -> None:
    house.git("init", "--quiet")
    house.git("add", ".")
    house.git("commit", "--quiet", "--message", "All")
    head = house.git("rev-parse", "--short=10", "HEAD")
    assert house.count().returncode == 0
    kept = house.pedigree()
    assert (kept["commit"], kept["command"], kept["n"], kept["of"]) == (head, "python bench/count.py", 3, "games")
    assert house.count().returncode == 0  # figures that were kept before are no change of the sources
    assert house.pedigree()["commit"] == head
    (house.home / "bench" / "count.py").write_text(house.PROGRAM + "\n")
    assert house.count().returncode == 0
    assert house.pedigree()["commit"] == f"{head}+"


def test_a_copy_without_history_is_told_its_commit(house: House) -> None:
    assert house.count("0123abc+").returncode == 0
    assert house.pedigree()["commit"] == "0123abc+"


def test_without_history_nothing_is_measured_in_vain(house: House) -> None:
    done = house.count()
    assert done.returncode == 1
    assert "SOUK_COMMIT=" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_names_no_commit_is_refused(house: House) -> None:
    done = house.count("latest")
    assert done.returncode == 1
    assert done.stderr == (
        "SOUK_COMMIT: 'latest' names no commit; 1a2b3c4 would, and 1a2b3c4+ one that was changed since.\n"
    )
