"""How a language counts: which of its words a number wants, and how numbers are written.

Unicode's data on languages (CLDR) decide, here by Babel, in the browser by `Intl` (web/src/lib/counting.ts); tests/messages.json holds the two to
the same answers. Where the two would differ the house decides: digits are 0–9, thousands are always set apart, halves are rounded up, and a
minus is a minus sign. Babel is loaded by the first number that needs it.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from babel.core import Locale

_CATEGORIES = ("zero", "one", "two", "few", "many", "other")  # of CLDR, in the order in which a text has its words
_SMALL = 1000  # below it every language writes whole numbers alike
_MOST_DECIMALS = 3


@cache
def categories(language: str) -> tuple[str, ...]:
    """The kinds of number that a language tells apart, such as one, few, many and other."""
    known = {*_locale(language).plural_form.tags, "other"}
    return tuple(category for category in _CATEGORIES if category in known)


def word_for(language: str, n: float, words: list[str]) -> str:
    """The word that a number wants: there is one for each kind of number, and the last stands for all kinds that are left."""
    kind = categories(language).index(_locale(language).plural_form(abs(n)))
    return words[min(kind, len(words) - 1)]


def written(language: str, n: float, *, sign: bool = False, decimals: int | None = None, percent: bool = False) -> str:
    """A number as a language writes it: with a plus where `sign` is asked for, with so many decimals (else those it has, up to three), or
    as a percentage (else without decimals)."""
    if isinstance(n, int) and abs(n) < _SMALL and decimals is None and not percent:
        figures = str(abs(n))
    else:
        figures = _figures(language, abs(n), decimals, percent)
    if n < 0 and re.search("[1-9]", figures):
        return "−" + figures
    return "+" + figures if sign else figures


def _figures(language: str, n: float, decimals: int | None, percent: bool) -> str:
    locale, most = _locale(language), 0 if percent else _MOST_DECIMALS
    pattern = _pattern(language, percent, decimals or 0, most if decimals is None else decimals)
    from decimal import ROUND_HALF_UP, Decimal

    rounded = Decimal(str(n)).quantize(Decimal(1).scaleb(-pattern.frac_prec[1] - pattern.scale), ROUND_HALF_UP)
    text: str = pattern.apply(rounded, locale)
    return text


@cache
def _pattern(language: str, percent: bool, least: int, most: int) -> Any:
    """How Babel writes numbers with so many decimals."""
    from babel.numbers import parse_pattern

    locale = _locale(language)
    formats = locale.percent_formats if percent else locale.decimal_formats
    pattern = parse_pattern(formats[None].pattern)
    pattern.frac_prec = least, most
    return pattern


@cache
def _locale(language: str) -> "Locale":
    """What Babel knows of a language; of one that it does not know, that it counts as English does."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")
