"""What observations and actions mean, as a page: `python -m souk.lab.environments.observations > docs/observations.md`."""

from souk.core.game import Game
from souk.games import game, names
from souk.lab.environments.slots import numbers_of

_HEAD = """# Observations and actions

Written by `python -m souk.lab.environments.observations` from the games' `numbers.py`; a test sees to it that it is up to date. [lab.md](lab.md) tells how to use them.

An observation is a row of whole numbers (16 bits). Everything in it is seen from the observing seat: "from me on" is that seat, then the others in the order of
play. Numbers of seats that nobody has are 0.
"""


def page() -> str:
    return "\n".join([_HEAD, *(_of(found) for found in map(game, names()) if found.numbers)])


def _of(found: Game) -> str:
    numbers = numbers_of(found)
    lines = [f"## {found.title}", "", f"{numbers.observed} numbers:", ""]
    lines += ["| from | numbers | field | least | most | what |", "|---|---|---|---|---|---|"]
    begin = 0
    for field in numbers.fields:
        lines.append(f"| {begin} | {field.size} | `{field.name}` | {field.low} | {field.high} | {field.about} |")
        begin += field.size
    lines += ["", f"{numbers.actions} actions:", "", "| from | actions | kind | what |", "|---|---|---|---|"]
    begin = 0
    for kind in numbers.kinds:
        lines.append(f"| {begin} | {kind.size} | `{kind.name}` | {kind.about} |")
        begin += kind.size
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    print(page(), end="")
