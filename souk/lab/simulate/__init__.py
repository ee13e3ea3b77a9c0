"""Many games of random play: kept game by game, or only counted."""
