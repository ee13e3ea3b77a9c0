"""What a seat is shown of a position: the position itself, its legal moves, and what the game's scene says about it."""

from typing import Any

import msgspec

from souk.core.position import Position
from souk.kernel import defaults
from souk.table.protocol import NOBODY, Told, View

MOST_MOVES = 48  # sent with a view
A_FEW = 12  # sent where there are more than that: offers, from the lowest on

encode = msgspec.json.Encoder().encode


def box_of(position: Position) -> dict[str, Any]:
    """What does not change in a game."""
    scene = position.game.furniture("scene")
    return scene.box(position) if scene else {}


def shown(before: Position, after: Position, seat: int | None, text: str) -> dict[str, Any]:
    """What can be watched of an event."""
    scene = after.game.furniture("scene")
    return scene.shown(before, after, seat, text) if scene else {}


def sources(positions: list[Position], events: list[tuple[int | None, str]]) -> list[dict[str, int]]:
    """Where everybody's points came from."""
    scene = positions[0].game.furniture("scene")
    return scene.sources(positions, events) if scene else [{"points": score} for score in positions[-1].scores]


def aside_of(position: Position) -> dict[str, Any]:
    """What a game adds that takes long to work out."""
    found = getattr(position.game.furniture("scene"), "aside", None)
    return found(position) if found else {}


def told(before: Position, after: Position, seat: int | None, text: str) -> list[Told]:
    """An event in words, as messages."""
    return [message.to_json() for message in before.game.words.tell(before.state, after.state, seat, text)]


def has_secrets(position: Position) -> bool:
    """Whether it holds what not everybody may know: a choice that is not revealed yet."""
    if position.game.rules.veil is defaults.veil:
        return False  # there are none in this game
    return position.seen_by(NOBODY) != position


class Looks:
    """A position as those at the table see it; what is the same for several is worked out once."""

    def __init__(self, position: Position, secret: bool) -> None:
        self.position = position
        self.secret = secret  # whether it holds what not everybody may know
        self.actors, self.scores = list(position.actors), position.scores
        self.winners, self.over = list(position.winners), position.over
        self._json = None if secret else msgspec.Raw(encode(position.to_json()))

    def view(self, seat: int, can_take_back: bool) -> View:
        """Through the eyes of a seat, or of a spectator (-1)."""
        seen = self.position.seen_by(seat) if self.secret else self.position
        codes = seen.move_codes(seat, MOST_MOVES + 1) if seat in self.actors else []
        more = len(codes) > MOST_MOVES
        scene = seen.game.furniture("scene")
        text = seen.game.words.move_text
        return View(
            position=self._json or seen.to_json(),  # type: ignore[arg-type]
            actors=self.actors,
            moves=[text(seen.state, code) for code in (codes[:A_FEW] if more else codes)],
            scores=self.scores,
            winners=self.winners,
            over=self.over,
            scene=scene.scene(seen, seat) if scene else {},
            more=more,
            can_take_back=can_take_back,
        )
