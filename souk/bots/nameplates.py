"""The names that bots go by, so that a table is not four times "bot"; and what a person is called who gives none."""

PERSON = "Traveller"
BOTS = (
    "Aziza",
    "Bilal",
    "Chadi",
    "Dunya",
    "Emir",
    "Farida",
    "Ghassan",
    "Hala",
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
