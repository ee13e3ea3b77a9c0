"""Checks of an event's facts, for `souk.core.game_contract`."""

import re
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from souk.core.facts import Ended, Fact
from souk.core.game import Game
from souk.core.messages import Message, texts

# A key, as opposed to a literal text.
_KEY = re.compile(r"[\w-]+(\.[\w-]+)+")
_PLACEHOLDER = re.compile(r"\{\w+[^{}]*\}")


class FactsCheck:
    """Validates facts. Methods return a problem, or ""."""

    def __init__(self, game: Game) -> None:
        self._describe = game.messages.describe
        self._kinds = tuple(dict.fromkeys((*game.facts.KINDS, Ended)))
        self._decode = msgspec.json.Decoder(list[reduce(or_, self._kinds)]).decode  # type: ignore[misc]

    def problem(self, facts: list[Fact], over: bool) -> str:
        """The problem with the facts of an event; `over`: whether the game is over after it."""
        for fact in facts:
            if type(fact) not in self._kinds:
                return f"{fact!r} was reported, and facts.KINDS does not contain its kind"
        ends = [isinstance(fact, Ended) for fact in facts]
        if ends != [False] * (len(facts) - over) + [True] * over:
            return f"Ended must be reported exactly once, last, at the end, not as in {facts}"
        return self._unlike_json(facts) or self._undescribed(facts)

    def _unlike_json(self, facts: list[Fact]) -> str:
        try:
            again = self._decode(msgspec.json.encode(facts))
        except (TypeError, ValueError, msgspec.MsgspecError) as error:
            return f"{facts} is no JSON of facts: {error}"
        return "" if again == facts else f"{facts} comes back from JSON as {again}"

    def _undescribed(self, facts: list[Fact]) -> str:
        """A fact that cannot be described."""
        messages: list[Message] = []
        for fact in facts:
            try:
                messages += self._describe(fact)
            except Exception as error:  # game code may raise anything
                return f"{fact!r} cannot be described: {error!r}"
        if not messages:
            return f"the log has no text for {facts or 'an event without facts'}"
        problems = (problem for message in messages for problem in _missing_texts(message))
        return next(problems, "")


def _missing_texts(message: Message) -> Iterator[str]:
    """Problems with formatting a message in English."""
    for part in _nested_messages(message):
        if _KEY.fullmatch(part.key) and part.key not in texts("en"):
            yield f"there is no text {part.key}"
    if left := _PLACEHOLDER.search(message.text()):
        yield f"{left[0]} is left open in {message.text()!r}"


def _nested_messages(value: Any) -> Iterator[Message]:
    """A message and all messages in its values."""
    if isinstance(value, Message):
        yield value
        for inner in value.values.values():
            yield from _nested_messages(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _nested_messages(inner)
