"""Reports: what happens in a game, at each number of players and for each kind of play, in figures with intervals."""
