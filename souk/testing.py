"""For those who add a game: `check_game` certifies it."""

from souk.core.check import Certificate, Failed, check_game

__all__ = ["Certificate", "Failed", "check_game"]
