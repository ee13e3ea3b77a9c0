"""The four levels, named for people. Each has a manner of its own, and not just less time than the next."""

from souk.bots.bot import Bot
from souk.bots.registry import PACES
from souk.bots.searcher import Searcher, Thinking
from souk.bots.simple import Beginner, Greedy, RuleOfThumb

Settings = dict[str, object]

FINGERS = 320  # looks at every move that the merchant counts in a second


def apprentice(name: str, settings: Settings) -> Bot:
    return Beginner(name, **settings)  # type: ignore[arg-type]


def trader(name: str, settings: Settings) -> Bot:
    return RuleOfThumb(name, **settings)  # type: ignore[arg-type]


def merchant(name: str, settings: Settings) -> Bot:
    budget = _thinking(settings)
    seconds = budget.seconds or PACES["deep"]
    looks = budget.playouts or max(16, int(FINGERS * seconds))
    return Greedy(name, budget.seed, looks, seconds)


def vizier(name: str, settings: Settings) -> Bot:
    return Searcher(name, _thinking(settings))


def _thinking(settings: Settings) -> Thinking:
    """How a level thinks: at the pace that is set, or for so many seconds or playouts."""
    budget = {name: value for name, value in settings.items() if name != "pace"}
    if "seconds" not in budget:
        pace = PACES[str(settings.get("pace", "normal"))]
        budget["seconds"] = None if "playouts" in budget else pace
    return Thinking(**budget)  # type: ignore[arg-type]
