"""Stopping kernels whose playouts never end: on timeout, in a hurry, and on Ctrl-C."""

import json
import signal
import subprocess
import sys

import numpy as np
import pytest

from souk.bots.endgame import EndgameSearch
from souk.bots.kernels.one_ply import look_ahead
from souk.bots.kernels.search import memory_type, think
from souk.bots.kernels.simultaneous import improve_strategies
from souk.bots.kernels.tree import EDGE, NODE
from souk.bots.workspace import Workspace, kernel
from tests.support.endless_games import POSITIONS

LONG = 300.0  # seconds after which a process counts as hung; it may compile first
TIMED = ("merchant", "vizier", "search", "uct")
UNTIMED = ("apprentice", "trader", "greedy", *(f"{name}:playouts=1000000000" for name in TIMED))
positions = pytest.mark.parametrize("where", POSITIONS)

ASKING = """
import contextlib, json, sys
import souk
from souk.kernel.interpreter import without_compiling
from tests.support.endless_games import POSITIONS

where, how, *names = sys.argv[1:]
pos = POSITIONS[where]
for name in names:
    bot = souk.bot(name)
    bot.hurried = how == "hurried"
    with without_compiling() if how == "interpreted" else contextlib.nullcontext():
        choice = bot.choose(pos, pos.actors[0])
    print(json.dumps([choice.move, *(each.move for each in choice.considered)]), flush=True)
"""

# A thread reports when the main thread has been in the same kernel for a while.
INTERRUPTED = """
import signal, sys, threading, time
import souk
from souk.analysis.win_chances import Effort, win_chances
from tests.support.endless_games import POSITIONS

# Background processes of a shell start without this handler.
signal.signal(signal.SIGINT, signal.default_int_handler)
where, *names = sys.argv[1:]
pos, main = POSITIONS[where], threading.get_ident()

def think(name, hurried):
    if name == "study":
        win_chances(pos, Effort())
    else:
        bot = souk.bot(name)
        bot.hurried = hurried
        bot.choose(pos, pos.actors[0])

def tell():
    seen = []
    while len(seen) < 3 or len(set(seen[-3:])) > 1 or seen[-1][0] not in ("play", "look"):
        time.sleep(0.1)
        frame = sys._current_frames()[main]
        seen.append((frame.f_code.co_name, frame.f_lasti))
    print("thinking", flush=True)

for name in names:
    if name != "study":
        think(name, hurried=True)  # loads the kernels
    threading.Thread(target=tell, daemon=True).start()
    try:
        think(name, hurried=False)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def check_answers(where: str, how: str, *names: str) -> None:
    words = [sys.executable, "-c", ASKING, where, how, *names]
    done = subprocess.run(words, stdout=subprocess.PIPE, text=True, timeout=LONG, check=True)
    pos = POSITIONS[where]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(names)
    for move, *considered in found:
        assert pos.is_legal(pos.actors[0], move)
        assert move in considered


@pytest.mark.parametrize("how", ["compiled", "interpreted"])
@positions
def test_no_position_costs_more_than_the_time_given(where: str, how: str) -> None:
    check_answers(where, how, *(f"{name}:seconds=0.05" for name in TIMED))


@positions
def test_a_bot_that_nobody_waits_for_answers(where: str) -> None:
    check_answers(where, "hurried", *UNTIMED)


@positions
def test_ctrl_c_ends_a_long_think(where: str) -> None:
    words = [*UNTIMED, "study"]
    command = [sys.executable, "-c", INTERRUPTED, where, *words]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            for _ in words:
                assert process.stdout is not None
                assert process.stdout.readline() == "thinking\n"
                process.send_signal(signal.SIGINT)
                assert process.stdout.readline() == "interrupted\n"
            assert process.wait(LONG) == 0
        finally:
            process.kill()


@positions
def test_a_kernel_that_was_told_to_stop_counts_nothing(where: str) -> None:
    """It returns at once, but the root moves are listed."""
    pos = POSITIONS[where]
    seat = pos.actors[0]
    workspace, nodes, edges = Workspace(pos, seat), np.zeros(256, NODE), np.zeros(8192, EDGE)
    workspace["stopped"], workspace["exploration"] = 1, 0.3
    work, memory = kernel(pos.game, think), np.zeros(0, memory_type(pos.game))
    for guided in (True, False):
        workspace.lay_out(pos, seat, 0)
        workspace["guided"], nodes["key"] = guided, 0
        arrays = workspace.states, workspace.array, nodes, edges, workspace.lookup, workspace.net
        work(*arrays, 10, memory)
        assert workspace["played"] == 0
        assert not edges["visits"].any()
        assert workspace["edges"] > 0
    assert kernel(pos.game, look_ahead)(workspace.states, workspace.array, workspace.lookup, 10) > 0
    if pos.game.secrets:
        workspace.lay_out(pos, seat, 0)
        kernel(pos.game, improve_strategies)(
            workspace.states, workspace.array, edges, workspace.lookup, 10
        )
    assert workspace["played"] == 0
    assert not workspace["reasons"].any()
    ending = EndgameSearch(pos, 0) if len(pos.actors) == 1 else None
    if ending:
        ending.workspace["stopped"] = 1
        assert not ending.look(1000)
        assert ending.looked_at == 0
