"""Fields: two players mark fields of a 7 by 7 board in turn, 96 times. As simple as a turn-based game can be; server.cjs has it too."""

from souk.core.game import Game

from . import box, notation, rules

GAME = Game("fields", range(2, 3), rules, notation, box)
