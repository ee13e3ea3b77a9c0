"""Custom boxes: the form, its validation, and the box of a table."""

from functools import cache

from souk.core.box_data import BoxData, BoxProblem, BoxRefused, is_text
from souk.core.game import Game
from souk.core.game_registry import find_game
from souk.core.position import Position
from souk.games import names as game_names
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused, refusal_of


def box_form(game: str) -> lobby_protocol.CustomBoxForm:
    """The form for a game's box, filled with the standard one."""
    data = _data_of(game)
    file = data.file(data.default)
    data.read(file)
    return lobby_protocol.CustomBoxForm(
        game, data.option, list(data.parts), file.compact(), file.texts
    )


def check(request: lobby_protocol.CheckCustomBox) -> lobby_protocol.CustomBoxChecked:
    """Everything wrong with a box, or the options it offers."""
    data = _data_of(request.game)
    try:
        file = data.diagnose(request.text)
    except BoxRefused as refused:
        raise refusal_of(refused, "options", 413) from None
    entries = {
        part.key: (file.texts[part.key] + [""] * part.count)[: part.count] for part in data.parts
    }
    missing = {part.key: file.missing(part) for part in data.parts}
    answer = lobby_protocol.CustomBoxChecked(
        file.about, entries, missing, [_error_message(problem) for problem in file.problems]
    )
    if not answer.faults and not any(missing.values()):
        _try_all_player_counts(find_game(request.game), data.option, file.compact(), answer)
    return answer


def box_label(position: Position) -> protocol.DieShown | None:
    """The box a table plays with."""
    data = position.game.box.DATA
    if data is None:
        return None
    chosen = position.options.get(data.option, data.default)
    if is_text(chosen):
        return protocol.DieShown(data.file(chosen).about or "–", chosen)
    return protocol.DieShown("", _standard_text(position.game.name))


@cache
def _standard_text(game: str) -> str:
    return box_form(game).text


def _data_of(game: str) -> BoxData:
    if game not in game_names():
        raise RequestRefused("game_unknown", 404)
    data = find_game(game).box.DATA
    if data is None:
        raise RequestRefused("no_box", 404)
    return data


def _error_message(problem: BoxProblem) -> lobby_protocol.CustomBoxError:
    return lobby_protocol.CustomBoxError(
        problem.line, problem.key, problem.index, problem.reason.to_json()
    )


def _try_all_player_counts(
    game: Game, option: str, text: str, answer: lobby_protocol.CustomBoxChecked
) -> None:
    """A complete box may still be too small for some numbers of players."""
    for players in game.players:
        try:
            game.start_with(players, {option: text})
        except BoxProblem as problem:
            answer.faults.append(_error_message(problem))
    if not answer.faults:
        answer.text = text
        answer.choices = game.board_info.choices(game.start_with(game.players[0], {option: text}))
