"""Kernels that step games by actions, for `Batch` and the environments.

A slot holds one game after another: its state, and a `SLOT` record. Dice and cards come from the
random stream of the slot's current game, so results depend only on seed, slot and actions, on any
device.
"""

import numpy as np

from souk.kernel.bitset import count, lowest
from souk.kernel.game_ops import (
    action_mask,
    actors,
    decode_action,
    hide_secrets,
    moves,
    observe,
    over,
    play,
    random_outcome,
    resolve,
    setup,
    write_scores,
)
from souk.kernel.rng import below, draw, mix, stream_start, stream_step
from souk.kernel.rule import rule, u64

SLOT = np.dtype(
    [
        # start of the current game's random stream
        ("start", "u8"),
        # number of the current game: the slot's, then in steps of `every`
        ("game", "u8"),
        # random numbers used so far
        ("drawn", "i4"),
        # encoded partial move of the seat to move
        ("draft", "i4"),
        # seat to move
        ("seat", "i4"),
        # actions taken in the current game
        ("steps", "i4"),
    ],
    align=True,
)
# Mixed into the stream's start so that sampled actions are independent of the dice.
SAMPLING = 0x5EED


def scratch_type(widest: int, raw_actions: int) -> np.dtype[np.void]:
    """Scratch memory of a core or GPU thread: its parameters and lists to write to."""

    return np.dtype(
        [
            ("seed", "u8"),
            # distance to a slot's next game number; 0: no next game
            ("every", "u8"),
            # 1: actions are indices into `codes`
            ("raw", "i4"),
            # legal moves, for raw actions (a single slot)
            ("codes", "i4", raw_actions),
            ("out", "i4", widest),
            ("weights", "i4", widest),
        ],
        align=True,
    )


@rule
def go_to_actor(s, slot, scratch):
    """Draw dice and cards until a seat is to move or the game is over."""
    step = stream_step(slot.start)
    while not over(s) and actors(s) == 0:
        resolve(
            s, random_outcome(s, draw(slot.start, step, slot.drawn), scratch.out, scratch.weights)
        )
        slot.drawn += 1
    slot.draft = 0
    slot.seat = -1 if over(s) else lowest(actors(s))


@rule
def renew(blank, states, k, slot, game, scratch):
    """Begin a new game; `blank` holds the options and the box data and is otherwise zero."""
    states[k] = blank[0]
    setup(states[k])
    slot.start = stream_start(scratch.seed, game)
    slot.game = game
    slot.drawn = 0
    slot.steps = 0
    go_to_actor(states[k], slot, scratch)


@rule
def take_action(s, slot, action, scratch):
    """Take a legal action of the seat to move; after a whole move, draw chance events."""
    move = (
        scratch.codes[action]
        if scratch.raw != 0
        else decode_action(s, slot.seat, slot.draft, action)
    )
    slot.steps += 1
    if move < 0:
        slot.draft = -1 - move
    else:
        play(s, slot.seat, move)
        go_to_actor(s, slot, scratch)


@rule
def reward(winners, players, seat):
    """A seat's reward by the bit set of winners: 1 for a sole win, the others share the loss."""
    shared = count(winners)
    won = ((winners >> seat) & 1) / shared if shared > 0 else 0.0
    return (players * won - 1.0) / (players - 1) if players > 1 else won


@rule
def reward_all(s, scores, rewards):
    """The rewards of all seats at the end."""
    winners = write_scores(s, scores)
    for seat in range(s.players):
        rewards[seat] = reward(winners, s.players, seat)


@rule
def look(states, k, view, seat, draft, observation):
    """Write a seat's observation; `view` is scratch for hiding secrets, empty without secrets."""
    if len(view) == 0:
        observe(states[k], seat, draft, observation)
    else:
        view[0] = states[k]
        hide_secrets(view[0], seat)
        observe(view[0], seat, draft, observation)


@rule
def list_actions(s, slot, scratch, mask):
    """Write the mask of legal actions of the seat to move.

    Raw actions are indices into the list of moves; offers beyond the space's size are left out.
    """
    if scratch.raw == 0:
        action_mask(s, slot.seat, slot.draft, mask)
    else:
        n = moves(s, slot.seat, scratch.codes)
        for action in range(len(mask)):
            mask[action] = 1 if action < n else 0


@rule
def random_action(slot, mask):
    """A uniformly random legal action."""
    n = 0
    for action in range(len(mask)):
        n += mask[action]
    left = below(mix(u64(slot.start) ^ u64(u64(SAMPLING) + u64(slot.steps))), n)
    action = 0
    while left >= mask[action]:
        left -= mask[action]
        action += 1
    return action


# ---------------------------------------------------------------- one slot, with state `states[k]`


@rule
def show(states, k, view, slot, scratch, observation, mask):
    """Write the observation and mask of the slot's seat; at the end nothing is legal."""
    if slot.seat >= 0:
        look(states, k, view, slot.seat, slot.draft, observation)
        list_actions(states[k], slot, scratch, mask)
    else:
        for action in range(len(mask)):
            mask[action] = 0


@rule
def step_one(blank, states, k, slot, action, scratch, rewards, scores):
    """Take a legal action; return 1 if the game ended. With `every` set, the next game begins."""
    s = states[k]
    take_action(s, slot, action, scratch)
    for seat in range(len(rewards)):
        rewards[seat] = 0.0
    if not over(s):
        return 0
    reward_all(s, scores, rewards)
    if scratch.every != u64(0):
        renew(blank, states, k, slot, u64(slot.game) + scratch.every, scratch)
    return 1


# ---------------------------------------------------------------- many slots on one core


@rule
def begin_range(blank, states, view, slots, scratches, first, seen):
    """Begin the slots from number `first`; `seen` is (observations, masks)."""
    observations, masks = seen
    for i in range(len(slots)):
        renew(blank, states, i, slots[i], u64(first) + u64(i), scratches[0])
        show(states, i, view, slots[i], scratches[0], observations[i], masks[i])


@rule
def step_range(blank, states, view, slots, scratches, actions, seen, results):
    """Take an action in every slot.

    `seen` is (observations, masks), `results` is (rewards, ended, scores).
    """
    observations, masks = seen
    rewards, ended, scores = results
    for i in range(len(slots)):
        ended[i] = step_one(
            blank, states, i, slots[i], actions[i], scratches[0], rewards[i], scores[i]
        )
        show(states, i, view, slots[i], scratches[0], observations[i], masks[i])


@rule
def look_at(states, view, slots, seat, observations):
    """The observation of the first slot for any seat."""
    look(states, 0, view, seat, slots[0].draft if slots[0].seat == seat else 0, observations[0])


@rule
def resume_range(states, view, slots, scratches, seen):
    """Continue games whose states were changed from outside."""
    observations, masks = seen
    for i in range(len(slots)):
        go_to_actor(states[i], slots[i], scratches[0])
        show(states, i, view, slots[i], scratches[0], observations[i], masks[i])


@rule
def sample_range(slots, masks, actions):
    """A random legal action for every slot."""
    for i in range(len(actions)):
        actions[i] = random_action(slots[i], masks[i])


@rule
def first_refused(actions, masks):
    """The first slot with an illegal action, or -1."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    return -1
