"""Measures random games on a GPU beside pgx's backgammon, and compares them with the CPU's.

    python -m bench.speed.gpu [SECONDS] [COMPARED] [GAME ...] [--json FILE]

Needs pip install '.[gpu]' pgx. Exits with the number of games that differ.
"""

import importlib.util
import sys
import time
from typing import Any

import numpy as np

from bench.support.provenance import figures_parser, write_figures
from souk.core.game import Game
from souk.games import game, names
from souk.kernel.batch_play import play_games
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


def same_as_cpu(game: Game, players: int, games: int) -> bool:
    """Compare final positions and results on both targets, byte for byte."""
    options = game.start(players).options
    ours, records, _ = play_games(game, players, options, games, 7, target="cpu", keep=True)
    theirs, gpu_records, _ = play_games(game, players, options, games, 7, target="cuda", keep=True)
    same = [
        np.array_equal(getattr(ours, name), getattr(theirs, name))
        for name in ("scores", "winners", "lengths")
    ]
    return all(same) and records.tobytes() == gpu_records.tobytes()


def measure(name: str, players: int, seconds: float, compared: int) -> dict[str, Any]:
    """A row of figures."""
    same = same_as_cpu(game(name), players, compared)
    speed = events_per_second(game(name), players, seconds, target="cuda", at_least=1 << 20)
    return {"game": name, "players": players, "events_per_second": speed, "same": same}


def show(row: dict[str, Any], pgx: float | None, compared: int, seconds: float) -> None:
    speed = row["events_per_second"]
    ratio = f", {speed / pgx:,.0f} times pgx" if pgx else ""
    verdict = "equal to" if row["same"] else "DIFFERENT from"
    print(
        f"{row['game']}, {row['players']} players: {speed / 1e9:.2f} billion events/s{ratio}; "
        f"{compared} games {verdict} the CPU's ({seconds:.0f} s)",
        flush=True,
    )


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=2.0)
    parser.add_argument("compared", nargs="?", type=int, default=10_000)
    parser.add_argument("games", metavar="GAME", nargs="*", default=names())
    args = parser.parse_args()
    pgx, rows = None, []
    if importlib.util.find_spec("pgx"):
        pgx = pgx_steps_per_second()
        print(f"pgx, backgammon: {pgx / 1e6:,.1f} million steps/s", flush=True)
    for name in args.games:
        for players in game(name).players:
            begin = time.perf_counter()
            rows.append(measure(name, players, args.seconds, args.compared))
            show(rows[-1], pgx, args.compared, time.perf_counter() - begin)
    if args.json:
        figures = {"pgx": pgx, "compared": args.compared, "rows": rows}
        write_figures(
            args.json, figures, n=args.compared * len(rows), of="games compared", gpu=True
        )
    sys.exit(sum(not row["same"] for row in rows))


if __name__ == "__main__":
    main()
