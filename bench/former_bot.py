"""A bot of former sources, asked through a pipe (docs/pipe-bots.md): `python bench/former_bot.py FOLDER NAME` sits down for bench/former.py."""

import json
import sys
from typing import Any


def answer(bot: str, question: dict[str, Any], game: Any, named: Any) -> dict[str, Any]:
    position = game.from_json(question["position"])
    found = named(f"{bot}:seconds={question['seconds']}").choose(position, question["seat"])
    return {"type": "move", "id": question["id"], "move": found.move}


def main() -> None:
    folder, bot = sys.argv[1:]
    sys.path.insert(0, folder)
    import souk  # as it is in that folder
    import souk.bots

    game: Any = None
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "bye":
            return
        if told["type"] == "hello":
            game = souk.game(told["game"])
            souk.bots.prepare(game)
            said: dict[str, Any] = {"type": "ready"}
        else:
            said = answer(bot, told, game, souk.bot)
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
