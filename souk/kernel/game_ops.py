"""Game ops: the functions through which generic code plays any game.

Playouts, search, tables and environments are written against these. An op has one name for every
game; the type of the state it is given selects the rule that runs. Interpreted, that is a lookup on
the state's class; compiled, Numba resolves it at compile time, at no cost.

A move and a chance outcome are each one ``int32``. A die or card is *due* when `outcomes` lists it.
"""

from collections.abc import Callable
from typing import Any

GAME_OPS: dict[str, Callable[..., Any]] = {}


def game_op(stub: Callable[..., Any]) -> Callable[..., Any]:
    """Turn a stub into a generic function that dispatches to the rules of its state's game."""
    name = stub.__name__

    def generic(s: Any, *arguments: Any) -> Any:
        return getattr(s.rules, name)(s, *arguments)

    generic.__name__, generic.__qualname__, generic.__doc__ = name, name, stub.__doc__
    # Read by inspect.signature.
    generic.__wrapped__ = stub  # type: ignore[attr-defined]
    GAME_OPS[name] = generic
    return generic


@game_op
def setup(s):
    """Set up the start position in a state that holds only the options and the box data."""


@game_op
def over(s):
    """Whether the game has ended."""


@game_op
def actors(s):
    """Bit set of the seats that may move; 0 while a die or card is due and after the end."""


@game_op
def moves(s, seat, out):
    """Write a seat's legal moves to `out` in canonical order, as many as fit; return the count."""


@game_op
def legal(s, seat, move):
    """Whether a seat may make a move now: true for exactly the moves that `moves` lists."""


@game_op
def play(s, seat, move):
    """Make a legal move."""


@game_op
def outcomes(s, out, weights):
    """Write the outcomes of the due die or card with integer weights; return the count, or 0."""


@game_op
def resolve(s, outcome):
    """Let the due die or card show `outcome`."""


@game_op
def write_scores(s, scores):
    """Write the running scores; return the winners as a bit set, 0 until the game is over."""


# All ops below have a default (`souk.kernel.default_ops`), which a game may override.


@game_op
def rank(s, seat):
    """A seat's rank as one number; the highest wins. Used by `souk.kernel.ranking.leaders`."""


@game_op
def hide_secrets(s, seat):
    """Remove everything from the state that `seat` may not know (-1: a spectator)."""


@game_op
def random_move(s, seat, x, out):
    """The move picked by the random number `x`, by default uniformly. `out` is scratch space."""


@game_op
def random_outcome(s, x, out, weights):
    """The outcome picked by the random number `x` by weight. `out`, `weights` are scratch space."""


# Heuristics (`heuristics.py` in a game package) guide search and playouts. Without them, games are
# played out at random to the end. `workspace` is scratch space (`souk.kernel.workspace`): `out`,
# `weights` and `notes` have room for every move, at least 64, and the game's own fields
# (`WORKSPACE`) are shaped as it declares. The next op may overwrite all of it. `lookup` holds what
# `build_lookup` precomputed for this table.


@game_op
def rollout_move(s, seat, x, workspace, lookup):
    """A plausible move for playouts, picked by the random number `x`.

    Must not touch `workspace.found`.
    """


@game_op
def candidates(s, seat, workspace, lookup):
    """Write the legal moves worth considering to `workspace.found`, the most promising first.

    Returns the count, at least one.
    """


@game_op
def is_quiet(s):
    """Whether `evaluate` applies: nothing is half done. Never true without heuristics."""


@game_op
def evaluate(s, values, lookup):
    """Write each seat's expected final score.

    Returns the standard deviation of the score a seat has yet to make.
    """


@game_op
def features(s, workspace, lookup):
    """Write a quiet position's active features to `workspace.seen`, from each seat's perspective.

    Returns the number of features, the same for every seat. (`net_features.py` in a game package.)
    """


@game_op
def evaluate_with_features(s, workspace, lookup):
    """Run `evaluate` into `workspace.values`, then `features`, and return the number of features.

    A game may override this to share work between the two.
    """


@game_op
def beginner_score(s, seat, move, lookup):
    """How good a move looks to a beginner who does not look ahead. Higher is better."""


@game_op
def rule_of_thumb_move(s, seat, workspace, lookup):
    """The move a trader makes out of habit, or -1. Must not touch `workspace.found`."""


@game_op
def unhide_choices(s):
    """Undo choices that are still secret, so that those seats choose again."""


# Exact endgames (souk.bots.kernels.endgame): `endgame.py` in a game package.


@game_op
def endgame_size(s):
    """About how many positions an exact search to the end visits, or 0 if too many.

    Only for games in which a seat always wins when every line is played out.
    """


@game_op
def last_turns(s, scratch, ends):
    """Solve positions with at most two turns left, one result for each die roll.

    Every seat picks the move worth most to it, the first of equal ones. Writes to `ends` how the
    game ends, by the roll in the next-to-last turn (`before`) and then in the last; returns the
    count, or 0 if more turns are left. May alter the state.

    `scratch` is a workspace with fields of the game's own (`SHEET`) and persists between calls.
    `scratch.worths` is the worth of an end to a seat: by the number of winners including it (0 if
    it does not win), and by its lead over the best other seat, from `-MAX_LEAD` on. `looked_at`
    counts the ends visited.

    With two players, the search may stop once it is known that these turns are worth less than
    `low` or more than `high` to seat 0: set `cut` to 1 and `bound` to the upper or lower bound.
    Otherwise set `cut` to 0.
    """


@game_op
def endgame_key(s, words):
    """Write a transposition key: equal for positions with the same future.

    Returns its number of words (8 at most), or 0 where a lookup is not worth it.
    """


# Numeric observations and actions for learning programs: `observations.py` in a game package.


@game_op
def observe(s, seat, draft, out):
    """Write a seat's observation as integers, the seat itself first.

    `draft` is the part of a move chosen so far.
    """


@game_op
def action_mask(s, seat, draft, mask):
    """Write 1 for every legal action and 0 for all others. An action is a move or part of one."""


@game_op
def decode_action(s, seat, draft, action):
    """The move that a legal action completes, or -1 - (the new draft) if it is only a part."""
