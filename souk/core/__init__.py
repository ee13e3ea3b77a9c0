"""Public API: games, positions, records, facts, and localised messages. Knows no game by name."""
