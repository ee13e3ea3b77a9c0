"""For game authors: `check_game` certifies a game."""

from souk.core.game_contract import Certificate, Failed, check_game

__all__ = ["Certificate", "Failed", "check_game"]
