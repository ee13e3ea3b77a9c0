"""Sanitises text that strangers show to others: names, titles and chat.

Accepted is one line of printable text that stays within its line and is not blank. Look-alike
letters come from a table of our own: `confusable_homoglyphs` had no release since 2024 and brings a
megabyte of data, `confusable` is an alpha, and more look-alikes would only number more names.
"""

import re
import unicodedata

# Invisible, although Unicode counts them as letters or symbols.
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
# Triple dashes, an Arabic sentence in one character, and cuneiform: as wide as a line.
_WIDE = re.compile("[\u2e3a\u2e3b\ufdfd\U00012000-\U0001254f]")
# Combining marks for any letter: after composition no language has more than two on one.
_ACCENTS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{3}")
_MAX_MARKS = 4  # on one letter: Hebrew with points and accents needs as many
# Cyrillic, Greek and ambiguous Latin characters; each looks like the letter below it.
_ALIKE = "АВЕКМНОРСТУХЅЈԚԜѴԌаеорсухѕіјԛԝѵһԁкΑΒΕΖΗΚΜΝΟΡΤΥΧονιαρυκγχІӀӏΙI1|0"
_LATIN = "ABEKMHOPCTYXSJQWVGaeopcyxsijqwvhdkABEZHKMNOPTYXoviapukyxlllllllO"
_LOOKS_LIKE = str.maketrans(_ALIKE, _LATIN)


def displayed(text: str) -> str | None:
    """Normalise to one line, single spaces and composed letters; None if it cannot be shown."""
    plain = " ".join(text.split())
    if not plain:
        return ""
    # Marks are counted first: composing takes quadratic time in the length of a run of them.
    if not plain.isprintable() or _WIDE.search(plain) or _is_piled_up(plain):
        return None
    composed = unicodedata.normalize("NFC", plain)
    return composed if any(map(_is_visible, composed)) and not _ACCENTS.search(composed) else None


def appearances(name: str) -> set[str]:
    """A name ignoring case and letter forms, with and without look-alikes replaced."""
    plain = unicodedata.normalize("NFKD", name)
    return {plain.casefold(), plain.translate(_LOOKS_LIKE).casefold()}


def _is_visible(sign: str) -> bool:
    """Whether a character is visible by itself: no blank and no combining mark."""
    return sign not in _BLANK and unicodedata.category(sign)[0] in "LNPS"


def _is_piled_up(text: str) -> bool:
    """Whether a letter has so many marks that they cover other lines."""
    run = 0
    for sign in text:
        is_mark = unicodedata.combining(sign) or unicodedata.category(sign) in ("Mn", "Me")
        run = run + 1 if is_mark else 0
        if run > _MAX_MARKS:
            return True
    return False
