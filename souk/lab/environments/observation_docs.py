"""Generates docs/program/observations.md, the reference of observations and actions.

python -m souk.lab.environments.observation_docs > docs/program/observations.md
"""

from souk.core.game import Game
from souk.games import game as find_game
from souk.games import names
from souk.lab.environments.batch_cpu import layout_of

_HEAD = """# Observations and actions

```python
import souk.lab

batch = souk.lab.Batch("suleika", players=4, size=1024, seed=7)
batch.observe()[0, batch.places["money"]]  # [30 30 30 30]
```

An observation is a row of 16-bit integers, laid out as below. Seats are relative: "from me on"
means the observing seat, then the others in playing order. Values of missing seats are 0. How to
use them: [The lab](../research/lab.md).

This page is generated from each game's `observations.py`:
`python -m souk.lab.environments.observation_docs`.
"""


def page() -> str:
    games = [game for game in map(find_game, names()) if game.observations]
    return "\n".join([_HEAD, *map(_section, games)])


def _section(game: Game) -> str:
    numbers = layout_of(game)
    lines = [f"## {game.title}", "", f"{numbers.observed} numbers:", ""]
    lines += ["| from | numbers | field | range | what |", "|---|---|---|---|---|"]
    begin = 0
    for field in numbers.fields:
        bounds = f"{field.low}…{field.high}"
        lines.append(f"| {begin} | {field.size} | `{field.name}` | {bounds} | {field.about} |")
        begin += field.size
    lines += [
        "",
        f"{numbers.actions} actions:",
        "",
        "| from | actions | kind | what |",
        "|---|---|---|---|",
    ]
    begin = 0
    for kind in numbers.kinds:
        lines.append(f"| {begin} | {kind.size} | `{kind.name}` | {kind.about} |")
        begin += kind.size
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(page(), end="")
