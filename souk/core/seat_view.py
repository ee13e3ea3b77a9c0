"""What a seat sees: all that a page, a drawing or a terminal is given, and nothing that the seat may not know."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from souk.core.message import Message

if TYPE_CHECKING:
    from souk.core.game import Game
    from souk.core.position import Position

Layout = TypeVar("Layout", covariant=True)  # of the position: the game's notation has it
BoxData = TypeVar("BoxData", covariant=True)
SceneData = TypeVar("SceneData", covariant=True)


@dataclass(frozen=True)
class SeatView(Generic[Layout, BoxData, SceneData]):
    """A position through the eyes of a seat, or of a spectator (-1)."""

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
    moves: list[str]  # the seat's legal moves, the first of them where they are very many
    due: Message | None  # the die or card that is due

    @classmethod
    def of(cls, pos: "Position", seat: int, most: int = 64) -> "SeatView[Any, Any, Any]":
        """What a seat sees of a position."""
        seen = pos.seen_by(seat)
        game, state = seen.game, seen.state
        codes = seen.move_codes(seat, most) if seat in seen.actors else []
        return SeatView(
            game,
            seat,
            seen.players,
            seen.options,
            game.notation.position(state),
            game.scene.box(seen),
            game.scene.scene(seen, seat),
            seen.actors,
            seen.scores,
            seen.winners,
            seen.over,
            [game.notation.move_text(state, code) for code in codes],
            None if seen.over or seen.actors else game.telling.due(state),
        )
