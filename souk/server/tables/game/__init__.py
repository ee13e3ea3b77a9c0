"""The game of a table: its events, its state, and what each seat sees of it."""
