"""Fields: two players mark squares of a 7 by 7 board in turn, 96 times, as in server.cjs."""

from souk.core.game import Game

from . import box, notation, rules

GAME = Game("fields", range(2, 3), rules, notation, box)
