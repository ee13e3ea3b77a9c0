"""Boxes of one's own: what can be typed in, what is wrong with it, and what a table plays with."""

from functools import cache
from typing import Any

from souk.core.datafile import BoxData, BoxProblem, is_text
from souk.core.game import Game
from souk.core.position import Position
from souk.core.shelf import find_game
from souk.games import names as game_names
from souk.table import lobby_protocol, protocol
from souk.table.refusals import Refuse

LARGEST = 8000  # characters of a box


def sheet(game: str) -> lobby_protocol.BoxSheet:
    """What there is to type in for a game, and what we have there."""
    data = _data_of(game)
    file = data.file(data.ours)
    data.read(file)
    return lobby_protocol.BoxSheet(game, data.option, list(data.parts), file.compact(), file.found)


def check(wish: lobby_protocol.CheckBox) -> lobby_protocol.BoxChecked:
    """All that is wrong with a box, and what one can choose from with it where nothing is."""
    data = _data_of(wish.game)
    _check_size(wish.text)
    file = data.tried(wish.text)
    entries = {part.key: (file.found[part.key] + [""] * part.count)[: part.count] for part in data.parts}
    missing = {part.key: file.missing(part) for part in data.parts}
    answer = lobby_protocol.BoxChecked(file.about, entries, missing, [_fault(problem) for problem in file.problems])
    if not answer.faults and not any(missing.values()):
        _try_out(find_game(wish.game), data.option, file.compact(), answer)
    return answer


def check_options(game: str, options: dict[str, Any]) -> dict[str, Any]:
    """The options of a new table that are not a box of one's own, which may have as many letters as it needs."""
    data = find_game(game).box.DATA
    own = options.get(data.option) if data else None
    if data is None or not is_text(own):
        return options
    _check_size(str(own))
    return {name: value for name, value in options.items() if name != data.option}


def printed(position: Position) -> protocol.Printed | None:
    """What a table plays with."""
    data = position.game.box.DATA
    if data is None:
        return None
    chosen = position.options.get(data.option, data.ours)
    if is_text(chosen):
        return protocol.Printed(data.file(chosen).about or "–", chosen)
    return protocol.Printed("", _ours(position.game.name))


@cache
def _ours(game: str) -> str:
    return sheet(game).text


def _data_of(game: str) -> BoxData:
    if game not in game_names():
        raise Refuse("game_unknown", 404)
    data = find_game(game).box.DATA
    if data is None:
        raise Refuse("no_box", 404)
    return data


def _check_size(text: str) -> None:
    if len(text) > LARGEST:
        raise Refuse("box_large", 413, most=LARGEST)


def _fault(problem: BoxProblem) -> lobby_protocol.BoxFault:
    return lobby_protocol.BoxFault(problem.line, problem.key, problem.index, problem.said.to_json())


def _try_out(game: Game, option: str, text: str, answer: lobby_protocol.BoxChecked) -> None:
    """A box that has everything may still be too small for many players."""
    for players in game.players:
        try:
            game.start(players, **{option: text})
        except BoxProblem as problem:
            answer.faults.append(_fault(problem))
    if not answer.faults:
        answer.text = text
        answer.choices = game.scene.choices(game.start(game.players[0], **{option: text}))
