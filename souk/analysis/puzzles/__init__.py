"""The daily puzzles: a year of them, their generation and their verification."""
