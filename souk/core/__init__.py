"""The public face: a game, its positions and records, facts, and messages in every language. It knows no game by name."""
