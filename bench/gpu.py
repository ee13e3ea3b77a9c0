"""The four games on a GPU, in one run beside pgx's backgammon, and each compared with the CPU byte for byte.

pip install souk[gpu] pgx; python bench/gpu.py [SECONDS] [GAMES TO COMPARE] [GAME ...]
"""

import argparse
import importlib.util
import sys
import time
from typing import Any

import numpy as np

from souk.core.game import Game
from souk.games import game, names
from souk.kernel.batches import play_games
from souk.lab.simulate.speed import events_per_second


def pgx_steps_per_second(batch: int = 65536, steps: int = 200) -> float:
    """Random play of pgx's backgammon, restarted automatically, all on the GPU."""
    import jax
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit  # type: ignore[untyped-decorator]
    def run(state: Any, key: Any) -> Any:
        def one(carry: Any, _: Any) -> Any:
            state, key = carry
            key, for_action, for_dice = jax.random.split(key, 3)
            logits = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
            action = jax.random.categorical(for_action, logits, axis=-1)
            return (step(state, action, jax.random.split(for_dice, batch)), key), None

        return jax.lax.scan(one, (state, key), None, length=steps)[0]

    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    carry = jax.block_until_ready(run(state, jax.random.PRNGKey(1)))
    begin = time.perf_counter()
    jax.block_until_ready(run(*carry))
    return batch * steps / (time.perf_counter() - begin)


def same_as_cpu(found: Game, players: int, games: int) -> bool:
    """Whether the final records and results of the same seeds are the same bytes on both."""
    options = found.start(players).options
    ours, records, _ = play_games(found, players, options, games, 7, target="cpu", keep=True)
    theirs, gpu_records, _ = play_games(found, players, options, games, 7, target="cuda", keep=True)
    same = [np.array_equal(getattr(ours, name), getattr(theirs, name)) for name in ("scores", "winners", "lengths")]
    return all(same) and records.tobytes() == gpu_records.tobytes()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=2.0)
    parser.add_argument("compared", nargs="?", type=int, default=10_000)
    parser.add_argument("games", metavar="GAME", nargs="*", default=names())
    given = parser.parse_args()
    seconds, compared = given.seconds, given.compared
    theirs = None
    if importlib.util.find_spec("pgx"):
        theirs = pgx_steps_per_second()
        print(f"pgx, backgammon: {theirs / 1e6:,.1f} million steps/s", flush=True)
    different = 0
    for name in given.games:
        found = game(name)
        for players in found.players:
            begin = time.perf_counter()
            same = same_as_cpu(found, players, compared)
            different += not same
            speed = events_per_second(found, players, seconds, target="cuda", at_least=1 << 20)
            ratio = f", {speed / theirs:,.0f} times pgx" if theirs else ""
            verdict = "the same bytes as" if same else "NOT the same as"
            took = time.perf_counter() - begin
            print(
                f"{name}, {players} players: {speed / 1e9:.2f} billion events/s{ratio}; {compared} games {verdict} on the CPU ({took:.0f} s)",
                flush=True,
            )
    sys.exit(different)


if __name__ == "__main__":
    main()
