"""Positions of one's own: what is wrong with one that somebody is setting up, and what it looks like. Nothing is kept."""

from souk.core.position import Position
from souk.core.shelf import find_game
from souk.games import names as game_names
from souk.table import protocol, study_protocol
from souk.table.branches import playable, read_position
from souk.table.refusals import Refuse
from souk.table.views import Looks


def check(wish: study_protocol.CheckPosition) -> study_protocol.PositionChecked:
    """A position as a page draws it, or what is wrong with it; where none is given, how a game begins."""
    if wish.game not in game_names():
        raise Refuse("game_unknown", 404)
    game = find_game(wish.game)
    try:
        if wish.position is None:
            return _shown(game.start(wish.players if wish.players in game.players else game.usual))
        return _shown(read_position(game, wish.position))
    except Refuse as refused:
        return study_protocol.PositionChecked({}, None, None, 0, refused.reason)


def to_move(wish: study_protocol.AdvisePosition) -> tuple[Position, int]:
    """A position and who is to move in it, for advice."""
    if wish.game not in game_names():
        raise Refuse("game_unknown", 404)
    position = playable(read_position(find_game(wish.game), wish.position))
    if wish.seat not in position.actors:
        raise Refuse("coach_not_turn", 409)
    return position, wish.seat


def _shown(position: Position) -> study_protocol.PositionChecked:
    """As whoever is to move sees it, so that what can be played is there too."""
    seat = position.actors[0] if position.actors else protocol.NOBODY
    view = Looks(position, secret=False).view(seat, can_take_back=False)
    return study_protocol.PositionChecked(position.to_json(), view, position.game.scene.box(position), position.players)
