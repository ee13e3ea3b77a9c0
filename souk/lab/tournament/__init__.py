"""Tournaments: who beats whom, and how sure that is."""

from souk.lab.tournament.entering import check_tournament
from souk.lab.tournament.tournament import Tournament, play_tournament

__all__ = ["Tournament", "check_tournament", "play_tournament"]
