"""Custom positions: validation and preview. Nothing is stored."""

from souk.core.game_registry import find_game
from souk.core.position import Position
from souk.games import names as game_names
from souk.server.protocol import analysis as study_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.tables.game.views import PositionView
from souk.server.tables.setup.branches import playable, read_position


def check(request: study_protocol.CheckPosition) -> study_protocol.PositionChecked:
    """The view of a position, or what is wrong with it; a start position if none is given."""
    if request.game not in game_names():
        raise RequestRefused("game_unknown", 404)
    game = find_game(request.game)
    try:
        if request.position is None:
            return _preview(
                game.start(request.players if request.players in game.players else game.usual)
            )
        return _preview(read_position(game, request.position))
    except RequestRefused as refused:
        return study_protocol.PositionChecked({}, None, None, 0, refused.reason)


def to_move(request: study_protocol.AdvisePosition) -> tuple[Position, int]:
    """The position and the seat to move, for advice."""
    if request.game not in game_names():
        raise RequestRefused("game_unknown", 404)
    position = playable(read_position(find_game(request.game), request.position))
    if request.seat not in position.actors:
        raise RequestRefused("coach_not_turn", 409)
    return position, request.seat


def _preview(position: Position) -> study_protocol.PositionChecked:
    """The view of the seat to move, so that legal moves are included."""
    seat = position.actors[0] if position.actors else protocol.NOBODY
    view = PositionView(position, secret=False).view(seat, can_take_back=False)
    return study_protocol.PositionChecked(
        position.to_json(), view, position.game.board_info.box(position), position.players
    )
