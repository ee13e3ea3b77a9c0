"""The verbs: all that generic code (playouts, search, tables, environments) needs to know of a game.

A verb is one name for every game; which rules it runs follows from the type of the state it is given. Interpreted
that is a look-up on the state's class, compiled it is decided by Numba while compiling and costs nothing.

A move and a chance outcome are each one ``int32``. A *due* die or card is whatever `outcomes` lists.
"""

from collections.abc import Callable
from typing import Any

VERBS: dict[str, Callable[..., Any]] = {}


def verb(stub: Callable[..., Any]) -> Callable[..., Any]:
    """A generic function that runs the function of the same name in the rules of the state it is given."""
    name = stub.__name__

    def generic(s: Any, *rest: Any) -> Any:
        return getattr(s.rules, name)(s, *rest)

    generic.__name__, generic.__qualname__, generic.__doc__ = name, name, stub.__doc__
    generic.__wrapped__ = stub  # type: ignore[attr-defined]  # what inspect.signature reads
    VERBS[name] = generic
    return generic


@verb
def setup(s):
    """Lay out the start position, in a state that holds the options and the box data and is otherwise zero."""


@verb
def over(s):
    """Whether the game has ended."""


@verb
def actors(s):
    """The seats that may move now, as a bit set: 0 while a die or card is due, and when the game is over."""


@verb
def moves(s, seat, out):
    """Write a seat's legal moves into `out` in canonical order, as many as fit; return how many were written."""


@verb
def legal(s, seat, move):
    """Whether a seat may make a move now: true for exactly those that `moves` lists."""


@verb
def play(s, seat, move):
    """Make a legal move."""


@verb
def outcomes(s, out, weights):
    """Write what the due die or card may show and the whole-number weights; return how many: 0 when none is due."""


@verb
def resolve(s, outcome):
    """The die or card that is due shows `outcome`."""


@verb
def standing(s, scores):
    """Write the running scores; return the winners as a bit set, 0 until the game is over."""


# The rest has an answer that fits most games (`souk.kernel.defaults`); a game may give its own.


@verb
def rank(s, seat):
    """How a seat stands, as one number to compare: for games whose `standing` asks `souk.kernel.ranking.leaders` who has won."""


@verb
def veil(s, seat):
    """Take out of the state what `seat` may not know (-1: a spectator)."""


@verb
def random_move(s, seat, x, out):
    """The move that the random number `x` picks: every legal move equally likely, unless the game says otherwise. `out` has room for
    a list of them."""


@verb
def random_outcome(s, x, out, weights):
    """The chance outcome that the random number `x` picks, by its weight. `out` and `weights` have room for a list of them."""


# What a strong player looks at: `insight.py` in a game's room. Bots search, play out and judge by these. A game without insight
# is played out at random to its end. `desk` is where to write down what it takes to answer (`souk.kernel.desk`): `out`, `weights` and
# `notes` hold as many numbers as there can be moves, 64 at least, and the insight's own fields (`DESK`) what it has made them for.
# All of these are scratch, which the next verb overwrites. `lore` is what the insight has worked out beforehand for this table (`study`).


@verb
def likely_move(s, seat, x, desk, lore):
    """A move that a player who knows the game might make at once, picked by the random number `x`: what playouts are made of. Leaves
    `desk.found` alone."""


@verb
def candidates(s, seat, desk, lore):
    """Write the legal moves worth a thought into `desk.found`, the most promising first; return how many: at least one."""


@verb
def quiet(s):
    """Whether the position may be judged by `outlook`: nothing is half done in it. Never, where there is no insight."""


@verb
def outlook(s, values, lore):
    """Write the final score each seat can expect from here; return the spread (standard deviation) of a seat's score to come."""


@verb
def sight(s, desk, lore):
    """Write what a mind sees of a quiet position into `desk.seen`: for every seat, looking from there, the numbers of all that is the case. Return
    how many, for every seat alike. (`mind.py` in a game's room.)"""


@verb
def survey(s, desk, lore):
    """`outlook` into `desk.values`, and `sight`, whose number is returned: the same as one after the other, for whoever wants both. A game whose insight and mind go by
    the same things may look for them once."""


@verb
def temptation(s, seat, move, lore):
    """How good a move looks to a beginner, who sees what lies before them and no further: any number, more is better."""


@verb
def habit(s, seat, desk, lore):
    """What a trader with a firm habit does now without another thought, or -1. Leaves `desk.found` alone."""


@verb
def reopen(s):
    """Forget that choices which may not be seen have been made, so that they can be imagined: those seats are to choose again."""


# What it takes to play an end out in full, every move, die and card (souk.bots.kernels.exact): `ending.py` in a game's room.


@verb
def ending(s):
    """About how many positions it takes to play the rest out in full; 0 where that is too many. (In a game that can be played out somebody always wins.)"""


@verb
def last_turns(s, sheet, ends):
    """Where no more is left than one turn, or two: write into `ends` how the game ends if everybody picks what is worth most, of moves alike the first, by what
    the die shows in the turn before (`before`) and then in the last one; return how many, or 0 elsewhere. May alter the state.

    `sheet` is to write on, with fields of the game's own (`SHEET`); what was written there is there again the next time. Its `worths` say what an end is worth to
    a seat: by how many win together with it, 0 where it does not, and by how many points it is ahead of the best of the others, from `-MOST_AHEAD` on.
    `looked_at` is to say at how many ends was looked. With two players it may be found out only that these turns are worth less to seat 0 than `low`, or more
    than `high`: then `cut` is to be 1, and `bound` what they are worth to it at most, or at least; else `cut` is to be 0."""


@verb
def essence(s, words):
    """Write all that matters for the rest of the game into `words`, the same for positions that come to the same; return how many (8 at most), or 0
    where it is not worth while to know a position again."""


# A position and its moves as numbers, for programs that learn: `numbers.py` in a game's room.


@verb
def observe(s, seat, draft, out):
    """Write what a seat sees as whole numbers, the seat itself always first; `draft` is what it has put together of a move so far."""


@verb
def allow(s, seat, draft, mask):
    """Write 1 for every action a seat may take and 0 for all others. An action is a move, or a part of one."""


@verb
def intent(s, seat, draft, action):
    """The move that an allowed action makes, or -1 - (the new draft) where it is only a part of one."""
