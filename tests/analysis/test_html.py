"""A study as a page and in a notebook."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import souk
from souk.analysis.narration import Narrator
from souk.core.messages import languages
from souk.drawing.palette import BY_NIGHT
from tests.support.analysed_games import first_events
from tests.support.random_games import whole_random_game

VOID = {"meta", "br", "img", "input", "link", "hr"}
MOST = 900_000  # bytes


class Tags(HTMLParser):
    """Collects the tags of a page and checks that they are closed."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attributes)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def study() -> souk.Study:
    record = first_events("suleika", 3, 30)
    record.names = ["Ana & <Bo>", "Chadi", "Dunya"]
    return souk.analyse(record, playouts=16, unfinished=True)


@pytest.fixture(scope="module")
def page(study: souk.Study, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("page") / "game.html"
    study.save(path)
    return path.read_text(encoding="utf-8")


def test_the_page_needs_nothing_else(page: str) -> None:
    tags = Tags(page)
    assert not tags.open
    assert not {"script", "link", "iframe", "img", "object", "base"} & {tag for tag, _ in tags.seen}
    for _, attributes in tags.seen:
        assert not any(name.startswith("on") for name in attributes)
        assert all(
            (attributes.get(name) or "#").startswith("#") for name in ("href", "src", "action")
        )
    assert not re.search(r"@import|url\((?!#)", page)
    assert len(page.encode()) < MOST


def test_it_says_what_there_is_to_say(study: souk.Study, page: str) -> None:
    narrator = Narrator(study)
    assert "<title>Analysis: Suleika</title>" in page
    assert "Ana &amp; &lt;Bo&gt;" in page
    assert "<Bo>" not in page
    for number in narrator.turning_points(6):
        assert f'id="step-{number}"' in page
        assert f'href="#step-{number}"' in page
    for seat in narrator.seats:
        assert f'<td data-label="Accuracy"><b>{narrator.accuracy(seat)}</b></td>' in page
    assert page.count("<tr><td") == len(study.steps) + len(study.seats)
    assert [f'class="band{seat}"' in page for seat in range(3)] == [True] * 3
    assert (
        page.count('role="img"') == 6 + 2
    )  # a board for each turning point, and the graph in two sizes


def test_every_reference_leads_somewhere(page: str) -> None:
    ids = set(re.findall(r' id="([^"]+)"', page))
    for used in {*re.findall(r'href="#([^"]+)"', page), *re.findall(r"url\(#([^)]+)\)", page)}:
        assert used in ids or re.fullmatch(r"weave[345]", used), used  # the style has six patterns


@pytest.mark.parametrize("language", languages())
def test_it_speaks_every_language(study: souk.Study, tmp_path: Path, language: str) -> None:
    study.save(tmp_path / "game.html", language)
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert f'<html lang="{language}">' in page
    assert Narrator(study, language).words("study.page.turning_points") in page
    assert "study.page" not in page


def test_alone_there_are_actions_and_no_others(tmp_path: Path) -> None:
    record = souk.Record("bazaar", 1, names=["Ana"], rates=(1, 2), ware="WWWRR")
    par = souk.solve(rates=(1, 2), ware="WWWRR")
    while not (pos := record.position).over:
        record.play(0, par.best(pos)) if pos.actors else record.resolve(next(iter(pos.chances())))
    study = souk.analyse(record)
    study.save(tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "Expected moves" in page
    assert "Opponents' mistakes" not in page
    assert 'class="curve c0"' in page


def test_a_game_without_drawing_has_a_page(
    study: souk.Study, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(vars(souk.game("suleika")), "drawing", None)
    study.save(tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert 'class="card point plain"' in page
    assert page.count('role="img"') == 2


def test_a_game_in_which_nothing_happened_has_a_page(tmp_path: Path) -> None:
    study = souk.analyse(souk.Record("basari", 3), playouts=16, unfinished=True)
    study.save(tmp_path / "game.html")
    page = (tmp_path / "game.html").read_text(encoding="utf-8")
    assert "Nothing in this game changed anybody" in page
    assert page.count('<td data-label="Accuracy"><b>–</b></td>') == 3


def test_in_a_notebook_it_draws_itself(study: souk.Study) -> None:
    assert repr(study) == "<study of suleika, 3 players, 30 steps>"
    shown = study._repr_html_()
    assert not Tags(shown).open
    assert shown.startswith('<div class="souk-study"><style>')
    assert "Turning points" in shown
    assert "Luck and skill" in shown
    assert "<script" not in shown
    assert len(shown) < 60_000
    style = re.search(r"<style>(.*?)</style>", shown, re.DOTALL)
    assert style is not None
    assert all(
        name in BY_NIGHT or name == "c" for name in re.findall(r"var\(--([\w-]+)\)", style[1])
    )
    rules = [rule.split("{")[0] for rule in re.sub(r"@media[^{]*\{", "", style[1]).split("}")]
    assert all(
        ".souk-study" in rule for rule in rules if rule.strip()
    )  # the style affects nothing else in the notebook


# ---------------------------------------------------------------- in words


def test_secret_choices_are_told_when_all_is_over() -> None:
    study = souk.analyse(first_events("basari", 3, 9), playouts=100, unfinished=True)
    narrator = Narrator(study)
    secret = [number for number, step in enumerate(study.steps, 1) if step.kind == "secret"]
    for number in secret:
        step = narrator.step(number)
        assert narrator.what(number).startswith(f"Seat {step.seat}: {step.text}.")
        assert (narrator.better(number) == "") == (step.loss <= 0.0005)


def test_telling_changes_nothing(study: souk.Study) -> None:
    narrator = Narrator(study)
    before = json.dumps([pos.to_json() for pos in narrator.positions])
    for number in range(1, len(study.steps) + 1):
        assert narrator.what(number)
        assert (narrator.better(number) != "") == (
            narrator.step(number).best not in (None, narrator.step(number).text)
        )
        assert (narrator.cost(number) != "") == (narrator.step(number).loss > 0.0005)
    assert json.dumps([pos.to_json() for pos in narrator.positions]) == before


def test_counts_of_marks_are_those_of_the_steps() -> None:
    study = souk.analyse(whole_random_game("bazaar", 2, {}, 3), playouts=16)
    narrator = Narrator(study)
    assert sum(map(sum, (narrator.marks(seat) for seat in narrator.seats))) == sum(
        bool(step.mark) for step in study.steps
    )
