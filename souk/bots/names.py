"""The names that bots go by, so that a table is not four times "bot"; and what a person is called who gives none."""

PERSON = "Traveller"
BOTS = (  # women and men by turns
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
FIGURES = ("he", "he", "she", "she", "she", "he")  # by seat: whom its figure shows (souk/games/art/figure-0.svg, …)


def gender(name: str) -> str:
    """Whether a bot of this name is a "she" or a "he"; "" where it is no name of a bot."""
    return ("she", "he")[BOTS.index(name) % 2] if name in BOTS else ""


def fitting(seat: int) -> list[str]:
    """The names that fit the figure of a seat."""
    return [name for name in BOTS if gender(name) == FIGURES[seat % len(FIGURES)]]
