"""Finished games over HTTP: analyses, replays, statistics and daily puzzles."""
