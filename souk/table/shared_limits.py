"""Limits that hold for a house, and not for each of its processes: what one address took at one of them is counted at the others.

Every half second each process says which addresses have taken a good part of their share there since; the others take it off theirs, even on credit.
So an address that asks N processes at once gets at most N times what it can take in half a second, and N times the part that is not worth telling, more than
the limit allows; from then on all of them refuse it until the debt is paid. Open connections are counted by each process for itself.
"""

import asyncio

from souk.table.limits import Buckets
from souk.table.news import News, Word

SECONDS_BETWEEN_WORDS = 0.5
WORTH_TELLING = 0.1  # of what may be taken at once
_AT_ONCE = 50  # addresses in one word


class Taken(Word, tag="taken"):
    """How many each address, or person, has taken of something."""

    what: str
    numbers: dict[str, int]


class SharedLimits:
    """Hands on what was taken of each kind."""

    def __init__(self, news: News) -> None:
        self._news = news
        self._shared: dict[str, Buckets] = {}
        news.hear(Taken, lambda _sender, word: self._heard(word))

    def share(self, **buckets: Buckets) -> None:
        """By names that all processes have for them."""
        for name, each in buckets.items():
            each.count_for_others()
            self._shared[name] = each

    async def keep_telling(self) -> None:
        """For as long as the server runs."""
        while not self._news.alone:
            await asyncio.sleep(SECONDS_BETWEEN_WORDS)
            self.tell()

    def tell(self) -> None:
        for name, buckets in self._shared.items():
            found = list(buckets.much_taken(WORTH_TELLING).items())
            for at in range(0, len(found), _AT_ONCE):
                self._news.say(Taken(name, dict(found[at : at + _AT_ONCE])))

    def _heard(self, word: Taken) -> None:
        if (buckets := self._shared.get(word.what)) is not None:
            for address, number in word.numbers.items():
                buckets.spend(address, number)
