"""Games that are stepped through by actions, written once against the verbs: what `Batch` and the environments run compiled.

A slot is one game after another: its state, and beside it a `SLOT`. Dice and cards come from the stream of the slot's present game, so what
happens depends on seed, slot and actions alone, wherever it is computed.
"""

import numpy as np

from souk.kernel.bits import count, lowest
from souk.kernel.chance import below, draw, mix, stream_start, stream_step
from souk.kernel.rule import rule, u64
from souk.kernel.verbs import (
    actors,
    allow,
    intent,
    moves,
    observe,
    over,
    play,
    random_outcome,
    resolve,
    setup,
    standing,
    veil,
)

SLOT = np.dtype(
    [
        ("start", "u8"),  # of the present game's stream of random numbers
        ("game", "u8"),  # the number of the present game: the slot's, then every so-many-eth
        ("drawn", "i4"),  # how many numbers of the stream are used up
        ("draft", "i4"),  # what the seat that is to move has put together of its move
        ("seat", "i4"),  # that seat
        ("steps", "i4"),  # actions taken in the present game
    ],
    align=True,
)
SAMPLING = (
    0x5EED  # mixed into a stream's start for actions drawn at random, so that they have nothing to do with the dice
)


def pad_type(widest: int, raw_actions: int) -> np.dtype[np.void]:
    """What a core, or a thread of a GPU, has beside the slots it steps through: what it was told, and lists to write."""
    return np.dtype(
        [
            ("seed", "u8"),
            ("every", "u8"),  # how many numbers on a slot's next game is; 0: there is none
            ("raw", "i4"),  # 1: an action is the place of a move in `codes`
            ("codes", "i4", raw_actions),  # the moves there are, where actions are raw (then there is one slot)
            ("out", "i4", widest),
            ("weights", "i4", widest),
        ],
        align=True,
    )


@rule
def go_to_actor(s, slot, pad):
    """Dice and cards, until a seat is to move or the game is over."""
    step = stream_step(slot.start)
    while not over(s) and actors(s) == 0:
        resolve(s, random_outcome(s, draw(slot.start, step, slot.drawn), pad.out, pad.weights))
        slot.drawn += 1
    slot.draft = 0
    slot.seat = -1 if over(s) else lowest(actors(s))


@rule
def renew(blank, states, k, slot, game, pad):
    """A new game. `blank` holds the options and the box data and is otherwise zero."""
    states[k] = blank[0]
    setup(states[k])
    slot.start = stream_start(pad.seed, game)
    slot.game = game
    slot.drawn = 0
    slot.steps = 0
    go_to_actor(states[k], slot, pad)


@rule
def take_action(s, slot, action, pad):
    """An allowed action of the seat that is to move, and what chance does after a move."""
    move = pad.codes[action] if pad.raw != 0 else intent(s, slot.seat, slot.draft, action)
    slot.steps += 1
    if move < 0:
        slot.draft = -1 - move
    else:
        play(s, slot.seat, move)
        go_to_actor(s, slot, pad)


@rule
def reward(winners, players, seat):
    """What a game brings a seat, by the bit set of those who won: a win alone is 1, a shared one less, and the others share the loss."""
    shared = count(winners)
    won = ((winners >> seat) & 1) / shared if shared > 0 else 0.0
    return (players * won - 1.0) / (players - 1) if players > 1 else won


@rule
def reward_all(s, scores, rewards):
    """At the end: what the game brings everybody."""
    winners = standing(s, scores)
    for seat in range(s.players):
        rewards[seat] = reward(winners, s.players, seat)


@rule
def look(states, k, view, seat, draft, observation):
    """What a seat sees. Where the game has secrets there is a `view` to copy the state into and take them out of; else `view` is empty."""
    if len(view) == 0:
        observe(states[k], seat, draft, observation)
    else:
        view[0] = states[k]
        veil(view[0], seat)
        observe(view[0], seat, draft, observation)


@rule
def list_actions(s, slot, pad, mask):
    """What the seat that is to move may do. Raw, every move is an action of its own, by its place in the list of moves; offers that do not
    fit are left out."""
    if pad.raw == 0:
        allow(s, slot.seat, slot.draft, mask)
    else:
        n = moves(s, slot.seat, pad.codes)
        for action in range(len(mask)):
            mask[action] = 1 if action < n else 0


@rule
def random_action(slot, mask):
    """Any allowed action, all equally likely."""
    n = 0
    for action in range(len(mask)):
        n += mask[action]
    left = below(mix(u64(slot.start) ^ u64(u64(SAMPLING) + u64(slot.steps))), n)
    action = 0
    while left >= mask[action]:
        left -= mask[action]
        action += 1
    return action


# ---------------------------------------------------------------- one slot: its state is number k of `states`


@rule
def show(states, k, view, slot, pad, observation, mask):
    """What the slot's seat sees and may do. Nobody may do anything in a game that is over."""
    if slot.seat >= 0:
        look(states, k, view, slot.seat, slot.draft, observation)
        list_actions(states[k], slot, pad, mask)
    else:
        for action in range(len(mask)):
            mask[action] = 0


@rule
def step_one(blank, states, k, slot, action, pad, rewards, scores):
    """An allowed action. A game that ends gives way to the slot's next, if there is to be one. Returns 1 if it has ended."""
    s = states[k]
    take_action(s, slot, action, pad)
    for seat in range(len(rewards)):
        rewards[seat] = 0.0
    if not over(s):
        return 0
    reward_all(s, scores, rewards)
    if pad.every != u64(0):
        renew(blank, states, k, slot, u64(slot.game) + pad.every, pad)
    return 1


# ---------------------------------------------------------------- many slots on one core, which has a pad of its own


@rule
def begin_range(blank, states, view, slots, pads, first, seen):
    """Begin the slots from number `first` on. `seen` is the observations and the masks."""
    observations, masks = seen
    for i in range(len(slots)):
        renew(blank, states, i, slots[i], u64(first) + u64(i), pads[0])
        show(states, i, view, slots[i], pads[0], observations[i], masks[i])


@rule
def step_range(blank, states, view, slots, pads, actions, seen, brought):
    """An action in every slot. `seen` is the observations and the masks, `brought` the rewards, who has ended, and the scores."""
    observations, masks = seen
    rewards, ended, scores = brought
    for i in range(len(slots)):
        ended[i] = step_one(blank, states, i, slots[i], actions[i], pads[0], rewards[i], scores[i])
        show(states, i, view, slots[i], pads[0], observations[i], masks[i])


@rule
def look_at(states, view, slots, seat, observations):
    """What any seat sees of the first slot."""
    look(states, 0, view, seat, slots[0].draft if slots[0].seat == seat else 0, observations[0])


@rule
def go_on_range(states, view, slots, pads, seen):
    """Take up games in which moves were made otherwise."""
    observations, masks = seen
    for i in range(len(slots)):
        go_to_actor(states[i], slots[i], pads[0])
        show(states, i, view, slots[i], pads[0], observations[i], masks[i])


@rule
def sample_range(slots, masks, actions):
    """An allowed action for every slot, any of them."""
    for i in range(len(actions)):
        actions[i] = random_action(slots[i], masks[i])


@rule
def first_refused(actions, masks):
    """The first slot whose action is none or not allowed, -1 where all are."""
    for i in range(len(actions)):
        if actions[i] < 0 or actions[i] >= masks.shape[1] or masks[i, actions[i]] == 0:
            return i
    return -1
