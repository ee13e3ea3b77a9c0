"""Random play of many games: kept game by game, or summarised."""
