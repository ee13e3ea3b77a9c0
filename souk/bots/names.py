"""First names for bots, and the default name of a player."""

DEFAULT_NAME = "Traveller"
# Alternating female and male, see `gender`.
BOT_NAMES = (
    "Aziza",
    "Bilal",
    "Dunya",
    "Chadi",
    "Farida",
    "Emir",
    "Hala",
    "Ghassan",
    "Amina",
    "Yusuf",
    "Leyla",
    "Karim",
    "Zahra",
    "Idris",
    "Samira",
    "Tarik",
    "Nadia",
    "Hamid",
    "Soraya",
    "Faruk",
)
# By seat, as its figure is drawn (souk/drawing/figure-0.svg, …).
SEAT_GENDERS = ("he", "he", "she", "she", "she", "he")


def gender(name: str) -> str:
    """The pronoun of a bot name, "she" or "he"; "" for any other name."""
    return ("she", "he")[BOT_NAMES.index(name) % 2] if name in BOT_NAMES else ""


def names_for_seat(seat: int) -> list[str]:
    """The bot names whose gender matches the figure of a seat."""
    return [name for name in BOT_NAMES if gender(name) == SEAT_GENDERS[seat % len(SEAT_GENDERS)]]
