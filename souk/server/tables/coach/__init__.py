"""Hints and warnings at a table, and keeping them out of games played without them."""
