"""Opponent habits in secret choices, as `souk.bots.opponent_model` writes them to the workspace.

`swayed` is how strongly a seat follows its habits, `habits` the observed frequency of each choice,
both from 0 to 1. Without observations both are 0.
"""

from souk.kernel.rule import rule


@rule
def expected_share(workspace, seat, move, share):
    """The probability that a seat chooses a move, given the `share` a skilled player gives it."""
    habit = workspace.habits[seat, move] if move < len(workspace.found) else 0.0
    return share + workspace.swayed[seat] * (habit - share)
