"""Plural forms and number formatting by language, from Unicode's CLDR.

Uses Babel here and `Intl` in the browser (web/src/i18n/plurals.ts); tests/messages.json keeps the
two in step. Where they differ, we fix the format: digits 0–9, thousands always grouped, halves
rounded up, U+2212 as minus. Babel is imported on first use.
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from babel.core import Locale

# CLDR plural categories, in the order of a text's words.
_CATEGORIES = ("zero", "one", "two", "few", "many", "other")
# Below this, every language writes whole numbers alike.
_SMALL = 1000
_MAX_DECIMALS = 3


@cache
def categories(language: str) -> tuple[str, ...]:
    """The plural categories of a language, for example one, few, many and other."""
    tags = {*_locale(language).plural_form.tags, "other"}
    return tuple(category for category in _CATEGORIES if category in tags)


def word_for(language: str, n: float, words: list[str]) -> str:
    """Select the plural form for a number; the last word covers all remaining categories."""
    category = categories(language).index(_locale(language).plural_form(abs(n)))
    return words[min(category, len(words) - 1)]


def written(
    language: str,
    n: float,
    *,
    sign: bool = False,
    decimals: int | None = None,
    percent: bool = False,
) -> str:
    """Format a number for a language.

    Args:
        sign: put a plus before numbers that are not negative.
        decimals: fixed number of decimals; by default as needed, up to three (percentages: none).
        percent: format as a percentage.
    """
    if isinstance(n, int) and abs(n) < _SMALL and decimals is None and not percent:
        figures = str(abs(n))
    else:
        figures = _figures(language, abs(n), decimals, percent)
    if n < 0 and re.search("[1-9]", figures):
        return "−" + figures
    return "+" + figures if sign else figures


def _figures(language: str, n: float, decimals: int | None, percent: bool) -> str:
    locale, most = _locale(language), 0 if percent else _MAX_DECIMALS
    pattern = _pattern(language, percent, decimals or 0, most if decimals is None else decimals)
    from decimal import ROUND_HALF_UP, Decimal

    rounded = Decimal(str(n)).quantize(
        Decimal(1).scaleb(-pattern.frac_prec[1] - pattern.scale), ROUND_HALF_UP
    )
    text: str = pattern.apply(rounded, locale)
    return text


@cache
def _pattern(language: str, percent: bool, least: int, most: int) -> Any:
    """Babel's number pattern with `least` to `most` decimals."""
    from babel.numbers import parse_pattern

    locale = _locale(language)
    formats = locale.percent_formats if percent else locale.decimal_formats
    pattern = parse_pattern(formats[None].pattern)
    pattern.frac_prec = least, most
    return pattern


@cache
def _locale(language: str) -> "Locale":
    """Babel's locale, or English for an unknown language."""
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(language, sep="-")
    except (UnknownLocaleError, ValueError):
        return Locale("en")
