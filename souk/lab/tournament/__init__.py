"""Tournaments between bots, with confidence intervals."""

from souk.lab.tournament.tournament import Tournament, play_tournament
from souk.lab.tournament.validation import check_tournament

__all__ = ["Tournament", "check_tournament", "play_tournament"]
