"""Minds: what was learned of games, kept in files. `souk.kernel.mind` says what a mind makes of a position, a game's `mind.py` what it sees;
`souk.lab.training` teaches."""
