"""The puzzles of the day: a year of them, how they are made, and how they are checked."""
