"""A pipe bot from the sources in FOLDER, for bench/strength/against_old_version.py.

python -m bench.strength.old_version_bot FOLDER BOT
"""

import json
import sys
from typing import Any


def answer(bot: str, request: dict[str, Any], game: Any, make_bot: Any) -> dict[str, Any]:
    position = game.from_json(request["position"])
    choice = make_bot(f"{bot}:seconds={request['seconds']}").choose(position, request["seat"])
    return {"type": "move", "id": request["id"], "move": choice.move}


def main() -> None:
    folder, bot = sys.argv[1:]
    sys.path.insert(0, folder)
    import souk  # from that folder
    import souk.bots

    game: Any = None
    for line in sys.stdin:
        request = json.loads(line)
        if request["type"] == "bye":
            return
        if request["type"] == "hello":
            game = souk.game(request["game"])
            souk.bots.prepare(game)
            reply: dict[str, Any] = {"type": "ready"}
        else:
            reply = answer(bot, request, game, souk.bot)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main()
