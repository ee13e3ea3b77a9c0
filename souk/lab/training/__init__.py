"""Teaching minds: games of the present best against itself, a net that learns from them, and a match that decides whether it is kept."""
