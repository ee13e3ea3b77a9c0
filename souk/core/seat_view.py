"""A seat's view: the input of pages, drawings and terminals, without secrets."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from souk.core.messages import Message

if TYPE_CHECKING:
    from souk.core.game import Game
    from souk.core.position import Position

# The position struct of the game's notation.
Layout = TypeVar("Layout", covariant=True)
BoxData = TypeVar("BoxData", covariant=True)
SceneData = TypeVar("SceneData", covariant=True)


@dataclass(frozen=True)
class SeatView(Generic[Layout, BoxData, SceneData]):
    """A position as seen by a seat, or by a spectator (-1)."""

    game: "Game"
    seat: int
    players: int
    options: dict[str, Any]
    position: Layout
    box: BoxData
    scene: SceneData
    actors: tuple[int, ...]
    scores: list[int]
    winners: tuple[int, ...]
    over: bool
    moves: list[str]  # legal moves of the seat, up to a limit
    due: Message | None  # the due die or card

    @classmethod
    def of(cls, pos: "Position", seat: int, most: int = 64) -> "SeatView[Any, Any, Any]":
        """Make the view of a seat, with at most `most` moves."""
        seen = pos.seen_by(seat)
        game, state = seen.game, seen.state
        codes = seen.move_codes(seat, most) if seat in seen.actors else []
        return SeatView(
            game,
            seat,
            seen.players,
            seen.options,
            game.notation.position(state),
            game.board_info.box(seen),
            game.board_info.scene(seen, seat),
            seen.actors,
            seen.scores,
            seen.winners,
            seen.over,
            [game.notation.move_text(state, code) for code in codes],
            None if seen.over or seen.actors else game.messages.due(state),
        )
