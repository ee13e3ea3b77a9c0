"""The four named levels. They differ in method, not only in thinking time."""

from souk.bots.bot import Bot
from souk.bots.registry import PACES
from souk.bots.search import SearchBot, Thinking
from souk.bots.simple import Beginner, Greedy, RuleOfThumb

Settings = dict[str, object]

LOOKS_PER_SECOND = 320  # per candidate move, for the merchant


def apprentice(name: str, settings: Settings) -> Bot:
    return Beginner(name, **settings)  # type: ignore[arg-type]


def trader(name: str, settings: Settings) -> Bot:
    return RuleOfThumb(name, **settings)  # type: ignore[arg-type]


def merchant(name: str, settings: Settings) -> Bot:
    budget = _thinking(settings)
    seconds = budget.seconds or PACES["deep"]
    looks = budget.playouts or max(16, int(LOOKS_PER_SECOND * seconds))
    return Greedy(name, budget.seed, looks, seconds)


def vizier(name: str, settings: Settings) -> Bot:
    return SearchBot(name, _thinking(settings))


def _thinking(settings: Settings) -> Thinking:
    """Search settings of a level: by pace, seconds or playouts."""
    budget = {name: value for name, value in settings.items() if name != "pace"}
    if "seconds" not in budget:
        pace = PACES[str(settings.get("pace", "normal"))]
        budget["seconds"] = None if "playouts" in budget else pace
    return Thinking(**budget)  # type: ignore[arg-type]
