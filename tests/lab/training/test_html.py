"""The training page and the table of rounds, from a made-up history."""

import re
from pathlib import Path

import pytest
from rich.console import Console

from souk.cli.train import rounds_table
from souk.lab.training.history import History, Round, strength
from souk.lab.training.html import command, page, write_page
from souk.lab.training.settings import TrainingSettings

SHARES = (0.64, 0.57, 0.49)
HALF = 0.02


def made_up(shares: tuple[float, ...] = SHARES, **more: object) -> History:
    rounds = [
        Round(
            number=number,
            positions=1000,
            seconds={"play": 5400.0, "learn": 60.0, "match": 240.0},
            losses=[1.2, 1.1, 1.0],
            chances=1.1,
            score=8.0,
            chances_before=1.25,
            score_before=9.5,
            share=share,
            low=share - HALF,
            high=share + HALF,
            games=4000,
            kept=share - HALF > 0.5,
        )
        for number, share in enumerate(shares, 1)
    ]
    return History(
        settings=TrainingSettings(game="suleika", players=4, **more), device="cuda", rounds=rounds
    )  # type: ignore[arg-type]


def test_the_page_says_where_it_stands(tmp_path: Path) -> None:
    write_page(tmp_path / "training.html", made_up())
    text = (tmp_path / "training.html").read_text(encoding="utf-8")
    assert "8 rounds" not in text
    assert "3 rounds, 2 kept" in text
    assert "4 h 45 min" in text
    gained = strength(0.64) + strength(0.57)
    assert f"The best net is that of round <b>2</b>, {gained:+.0f} Elo points stronger" in text
    assert "The net of round 3 won 49.0&nbsp;% of 4,000 games" in text
    assert text.count("<span>not kept</span>") == 1


def test_every_plot_has_its_rounds() -> None:
    text = page(made_up())
    shares = text.split("<h2>Share of wins</h2>")[1].split("</section>")[0]
    drawn = re.search(r"<svg viewBox=\"0 0 360.*", shares, re.DOTALL)
    assert drawn is not None
    assert drawn[0].count('class="chip') == len(SHARES)
    assert drawn[0].count('class="chip c0"') == 2
    curves = re.findall(r'<path d="M([^"]*)" class="curve', text)
    assert [path.count("L") + 1 for path in curves] == [1 + 3, 3, 3, 3, 3, 3]


@pytest.mark.parametrize("shares", [(0.5,), (1.0,), (0.0, 1.0)])
def test_also_at_the_edges(shares: tuple[float, ...]) -> None:
    text = page(made_up(shares))
    assert "nan" not in text
    assert "inf" not in text
    assert text.count("<tr>") == 1 + len(shares)


def test_nobody_has_won_yet() -> None:
    assert "No net has won its match yet." in page(made_up((0.5,)))


def test_a_file_to_begin_with_is_no_html() -> None:
    text = page(made_up(initial_net="<b>.safetensors"))
    assert "&lt;b&gt;.safetensors" in text
    assert "<b>.safetensors" not in text


def test_the_command_says_only_what_is_not_usual() -> None:
    assert command(made_up().settings, 4) == "souk train suleika --rounds 4 --players 4"
    assert command(made_up(initial_net="", gated=False).settings, 4).endswith(
        "--initial-net own --no-gate"
    )
    assert command(made_up(gpu_games=True).settings, 4).endswith("--gpu-games")


def test_the_table_of_rounds_in_a_terminal() -> None:
    console = Console(width=120, no_color=True)
    with console.capture() as caught:
        console.print(rounds_table(made_up().rounds))
    lines = caught.get().splitlines()
    assert len(lines) == 1 + len(SHARES)
    assert "64.0 %" in lines[1]
    assert "62.0 % – 66.0 %" in lines[1]
    assert lines[3].rstrip().endswith("not kept")
