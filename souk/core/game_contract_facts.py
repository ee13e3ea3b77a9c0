"""What must hold of the facts of an event, for `souk.core.check`."""

import re
from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from souk.core.facts import Ended, Fact
from souk.core.game import Game
from souk.core.message import Message, texts

_KEY = re.compile(r"[\w-]+(\.[\w-]+)+")  # a key, and not the text itself
_OPEN = re.compile(r"\{\w+[^{}]*\}")


class FactsCheck:
    """Looks at facts, and says what is wrong with them: "" where nothing is."""

    def __init__(self, game: Game) -> None:
        self._told = game.telling.told
        self._kinds = tuple(dict.fromkeys((*game.facts.KINDS, Ended)))
        self._decode = msgspec.json.Decoder(list[reduce(or_, self._kinds)]).decode  # type: ignore[misc]

    def problem(self, facts: list[Fact], over: bool) -> str:
        """What is wrong with the facts of an event, after which the game is over, or not."""
        for fact in facts:
            if type(fact) not in self._kinds:
                return f"{fact!r} was told, and facts.KINDS does not name its kind"
        ends = [isinstance(fact, Ended) for fact in facts]
        if ends != [False] * (len(facts) - over) + [True] * over:
            return f"the end must be told once it comes, once and last, not as in {facts}"
        return self._unlike_json(facts) or self._unsaid(facts)

    def _unlike_json(self, facts: list[Fact]) -> str:
        try:
            again = self._decode(msgspec.json.encode(facts))
        except (TypeError, ValueError, msgspec.MsgspecError) as error:
            return f"{facts} is no JSON of facts: {error}"
        return "" if again == facts else f"{facts} comes back from JSON as {again}"

    def _unsaid(self, facts: list[Fact]) -> str:
        """What cannot be put into words."""
        said: list[Message] = []
        for fact in facts:
            try:
                said += self._told(fact)
            except Exception as error:  # whatever a game's telling may do
                return f"{fact!r} cannot be put into words: {error!r}"
        if not said:
            return f"nothing is said in the log of {facts or 'an event without facts'}"
        problems = (problem for message in said for problem in _speechless(message))
        return next(problems, "")


def _speechless(message: Message) -> Iterator[str]:
    """What is missing for a message to be said in English."""
    for each in _with_inner(message):
        if _KEY.fullmatch(each.key) and each.key not in texts("en"):
            yield f"there is no text {each.key}"
    if left := _OPEN.search(message.text()):
        yield f"{left[0]} is left open in {message.text()!r}"


def _with_inner(value: Any) -> Iterator[Message]:
    """A message and all within it."""
    if isinstance(value, Message):
        yield value
        for inner in value.values.values():
            yield from _with_inner(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _with_inner(inner)
