"""What a bot has noticed of the others: what they keep choosing where choices are secret.

It is written on the desk before a bot begins to think (`souk.bots.noticing`), and nothing is on it where nothing was noticed: `swayed` says
how far a seat goes by its habits, and `habits` what those are, both from 0 to 1.
"""

from souk.kernel.rule import rule


@rule
def expected(desk, seat, move, share):
    """How likely a seat is to choose a move that one who knows the game would choose in this share of cases."""
    habit = desk.habits[seat, move] if move < len(desk.found) else 0.0
    return share + desk.swayed[seat] * (habit - share)
