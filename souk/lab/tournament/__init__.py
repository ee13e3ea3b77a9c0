"""Tournaments: who beats whom, and how sure that is."""

from souk.lab.tournament.tournament import Tournament, play_tournament

__all__ = ["Tournament", "play_tournament"]
