"""Ratings, leaderboards and the ladder."""
