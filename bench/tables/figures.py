"""Tables of docs/figures.md, from docs/figures/*.json."""

from statistics import median
from typing import Any

from bench.support.provenance import Figures
from bench.tables.markdown import Row, Rows, filled, grid, large, title

MOST_PLAYERS = {"suleika": 4, "basari": 4, "basari-cards": 5, "bazaar": 6}
STORES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def by_game(figures: Figures) -> dict[str, Row]:
    """Rows of the largest number of players, by game."""
    rows: Rows = figures["rows"]
    return {row["game"]: row for row in rows if row["players"] == MOST_PLAYERS[row["game"]]}


def random_play(speed: Figures, gpu: Figures, openspiel: Figures) -> list[str]:
    on_cpu, on_gpu, beside = by_game(speed), by_game(gpu), by_game(openspiel)
    rows = []
    for game, players in MOST_PLAYERS.items():
        cpu, gpu_speed = on_cpu[game], on_gpu[game]["events_per_second"]
        nodes = beside[game]["nodes_per_second"] / openspiel["openspiel"]["nodes_per_second"]
        speeds = map(large, (cpu["one_core"], cpu["all_cores"], gpu_speed))
        ratios = [gpu_speed / gpu["pgx"], nodes]
        ratios += [cpu["one_core"] / cpu[slower] for slower in ("interpreted", "position")]
        rows.append([title(game), str(players), *speeds, *(f"{ratio:,.0f}" for ratio in ratios)])
    heads = "game | players | one core | all cores | one GPU | × pgx | × OpenSpiel | × interpreted"
    return grid(heads + " | × `Position`", rows)


def checks(gpu: Figures, interpreter: Figures, billion: Figures, batch: Figures) -> list[str]:
    """Differences between targets that should play the same games."""

    def different(figures: Figures) -> str:
        return str(sum(not row["same"] for row in figures["rows"]))

    census, batches = billion["different"], batch["compared"]
    games = f"{gpu['compared']:,} of each game and number of players"
    variants = f"{interpreter['games_of_each']:,} of each of {interpreter['variants']} variants"
    rows = [
        ["GPU and CPU, games", games, different(gpu)],
        ["GPU and CPU, census", f"the first {billion['compared']:,} games", str(len(census))],
        [
            "GPU and CPU, batches",
            "{games:,} games, {steps} steps".format(**batches),
            different(batch),
        ],
        ["interpreted and compiled", variants, str(interpreter["different"])],
    ]
    return grid("compared | games | differences", rows)


def whole_jobs(billion: Figures, solitaire: Figures) -> list[str]:
    job = "a billion games of {} with {} players, played and counted on one GPU"
    rows = [
        [job.format(title(billion["game"]), billion["players"]), f"{billion['seconds']:.1f}"],
        ["all puzzles of Bazaar alone, solved on one core", f"{solitaire['seconds']:.1f}"],
    ]
    return grid("job | seconds", rows)


def learning(cpu: Figures, cuda: Figures, environments: Figures) -> list[str]:
    on_cpu, on_gpu, turns = by_game(cpu), by_game(cuda), by_game(environments)
    rows = []
    for game, players in MOST_PLAYERS.items():
        core, gpu = on_cpu[game]["steps_per_second"], on_gpu[game]["steps_per_second"]
        ratio = f"{gpu / cuda['pgx']:,.0f}"
        turn_rate = f"{round(turns[game]['turns_per_second'], -3):,.0f}"
        rows.append([title(game), str(players), large(core), large(gpu), ratio, turn_rate])
    tictactoe = f"{round(environments['tictactoe'], -3):,.0f}"
    rows.append(["PettingZoo's tic-tac-toe", "2", "", "", "", tictactoe])
    heads = "game | players | steps/s, one core | steps/s, one GPU | × pgx"
    return grid(heads + " | PettingZoo turns/s, one core", rows)


def ray(figures: Figures) -> list[str]:
    rows = [[f"two {name}", f"{times:.2f}"] for name, times in figures["times"].items()]
    rows.append(["seconds to start Ray", f"{figures['start_seconds']:.1f}"])
    return grid(["", "times the games of one"], rows)


def load(thousand: Figures, full: Figures) -> list[str]:
    form = "{moves_per_second:,.0f}|{p50_ms:.1f} ms|{p99_ms:.1f} ms|{kb_per_table:.1f}"
    rows = []
    for run in (thousand, full):
        cells = form.format(**run["steady"]).split("|")
        lost = str(run["reckoning"]["lost"])
        rows.append([f"{run['tables']:,} tables", f"{run['every']:g} s", *cells, lost])
    lobby = thousand["lobby"]
    for name in ("without", "with"):
        times = [f"{lobby[f'{name}_{quantile}_ms']:.1f} ms" for quantile in ("p50", "p99")]
        label = f"{thousand['tables']:,} tables, {name} {lobby['people']:,} people in the lobby"
        rows.append([label, rows[0][1], rows[0][2], *times, "", ""])
    heads = "run | a move every | moves/s | half within | 99 % within | KB a table | lost"
    return grid(heads, rows)


def ramp(warm: Figures, fresh: Figures) -> list[str]:
    """The highest rates, after minutes of play and from a fresh start."""
    runs = (("after play", warm), ("fresh", fresh))
    rows = [step | {"run": run} for run, figures in runs for step in figures["ramp"][-4:]]
    heads = "run | asked for, moves/s | acknowledged, moves/s | half within | 99 % within"
    cells = "{run} | {wanted_per_second:,.0f} | {moves_per_second:,.0f}"
    return filled(rows, heads, cells + " | {p50_ms:,.1f} ms | {p99_ms:,.0f} ms")


def boardgameio(figures: Figures) -> list[str]:
    rows = []
    for name, key in (("Souk, on disk", "souk"), ("boardgame.io, in memory", "boardgame")):
        rates = " / ".join(f"{rate:,.0f}" for rate in figures["moves_per_second"][key])
        rows.append([name, rates, f"{median(figures['driver_us'][key]):.0f} µs"])
    return grid("server | moves/s, by round | the driver's core, a move", rows)


def stores(figures: Figures) -> list[str]:
    """Medians over all rounds."""
    rounds: dict[tuple[int, str], Rows] = {}
    for row in figures["rows"]:
        rounds.setdefault((row["tables"], row["store"]), []).append(row)
    fields = ("events_per_second", "half_ms", "p99_ms", "cpu_us_per_event")
    rows = [
        {name: median(row[name] for row in same) for name in fields}
        | {"tables": tables, "store": STORES[store]}
        for (tables, store), same in rounds.items()
    ]
    heads = "tables at once | store | events/s | half within | 99 % within | server CPU an event"
    cells = "{tables:,} | {store} | {events_per_second:,.0f} | {half_ms:.1f} ms | {p99_ms:.1f} ms"
    return filled(rows, heads, cells + " | {cpu_us_per_event:.0f} µs")


def bots(figures: Figures) -> list[str]:
    crowd, move = figures["crowd"], figures["move"]
    tables = f"{figures['tables']} tables of a person and three viziers"
    rows = [
        [f"{tables}: longest wait for a turn", f"{crowd['longest']:.1f} s"],
        ["an apprentice's answer to a newcomer then", f"{crowd['apprentice']:.1f} s"],
        ["moves among people then, 99 % within", f"{crowd['among_themselves']['p99_ms']:.0f} ms"],
        ["memory of a bot process", f"{move['memory_mb']:.0f} MB"],
        ["start of a bot process", f"{move['start']:.1f} s"],
        ["a move there, longer than in a thread by", f"{move['process'] - move['thread']:.1f} ms"],
    ]
    return grid(["", ""], rows)


def processes(figures: Figures) -> list[str]:
    heads = "processes | servers' CPU a move | times one process | moves/s that fill their cores"
    heads += " | database CPU a move | moves/s that fill a core of it"
    cells = "{processes} | {servers_ms:.2f} ms | {times_one:.2f} | {full_at:,}"
    return filled(figures["rows"], heads, cells + " | {database_ms:.2f} ms | {database_full_at:,}")


def bus(figures: Figures) -> list[str]:
    heads = "processes | announcements/s | database cores | database CPU each | own CPU each"
    cells = "{processes} | {said_per_second:,.0f} | {database_cores:.2f} | {database_us:.0f} µs"
    cells += " | {own_us:.0f} µs | {half_ms:.0f} ms | {p99_ms:.0f} ms"
    return filled(figures["rows"], heads + " | half within | 99 % within", cells)


def kills(cluster: Figures, containers: Figures) -> list[str]:
    rows = []
    for name, figures in (("processes", cluster), ("containers", containers)):
        wrong = figures["lost"] + figures["gaps"] + figures["not_replayed"]
        recovery = figures["healing"]
        longest = [f"{recovery[kind]['longest']:.1f} s" for kind in ("server", "database")]
        moves = f"{figures['acknowledged']:,} + {figures['bot_moves']:,}"
        row = [name, str(figures["rounds"]), str(figures["games"]), moves, str(wrong), *longest]
        rows.append(row)
    heads = "killed | kills | games | moves of people + bots | lost, doubled or not replayed"
    return grid(heads + " | longest: server | database", rows)


def network_cut(figures: Figures) -> list[str]:
    heads = "cuts | of | first refusal after at most | play goes on within | acknowledged moves"
    cells = "{rounds} | {seconds:.0f} s | {told:.1f} s | {healed:.1f} s | {acknowledged:,}"
    return filled([figures], heads + " | missing or doubled", cells + " | {wrong}")


# Labels of a year's times, and their paths in a row.
YEAR: dict[str, tuple[str, ...]] = {
    "the lobby": ("lobby",),
    "a person's games": ("mine",),
    "a table nobody has open": ("table",),
    "a move, on disk": ("move",),
    "a step of upkeep": ("expiry", "chore"),
    "a move during a backup": ("backup",),
}


def year(figures: Figures) -> list[str]:
    """A tenth of a year and a whole year in both databases; half and 99 % within."""

    def times(row: Row, path: tuple[str, ...]) -> str:
        part: Row | None = row
        for name in path:
            part = part and part[name]
        return "{half_ms:.1f} / {p99_ms:.1f} ms".format(**part) if part else "–"

    rows: Rows = figures["rows"]
    backups = (f"{row['backup']['seconds']:.0f} s" if row["backup"] else "–" for row in rows)
    heads = ["", *(f"{STORES[row['store']]}, {row['tables']:,} tables" for row in rows)]
    cells = [
        ["events", *(f"{row['events']:,}" for row in rows)],
        ["size", *(f"{row['mb']:,.0f} MB" for row in rows)],
        *([label, *(times(row, path) for row in rows)] for label, path in YEAR.items()),
        ["opening the database", *(f"{row['opened_s']:.1f} s" for row in rows)],
        ["`souk host backup`", *backups],
    ]
    return grid(heads, cells)


def compiling(start: Figures, speed: Figures) -> list[str]:
    sizes = {row["game"]: row["bytes"] for row in speed["rows"]}
    rows = [
        {"game": game, "bytes": sizes[game]} | start["compiling"][game] for game in MOST_PLAYERS
    ]
    cells = "{title} | {rules:.0f} s | {bots:.0f} s | {batch:.0f} s | {bytes}"
    return filled(rows, "game | rules | bots | batch | bytes of a position", cells)


def starting(start: Figures, install: Figures, first_load: Figures, load: Figures) -> list[str]:
    fetched = install["fetched"]
    pages = first_load["bytes"].items()
    rows = [
        ["`import souk`", f"{start['import']:.1f} s"],
        ["compiled rules loaded, from the start of Python", f"{start['loading']:.1f} s"],
        ["the server answers", f"{start['serving']:.1f} s"],
        ["`python3 dev.py play` sets up, once", f"{install['seconds']:.0f} s"],
        ["downloaded for it", f"{sum(fetched.values()) / 1e6:.0f} MB"],
        ["of which Node, where there is none", f"{fetched['node'] / 1e6:.0f} MB"],
        *(
            [f"page, empty browser to first move, {code}", f"{n / 1000:.0f} kB"]
            for code, n in pages
        ),
        ["message of a move, 95 of 100 at most", f"{load['steady']['p95_bytes'] / 1000:.1f} kB"],
    ]
    return grid(["", ""], rows)


def _of(write: Any, *names: str) -> tuple[Any, ...]:
    return (write, *(f"figures/{name}" for name in names))


TABLES = {
    "random play": _of(random_play, "speed", "gpu", "openspiel-nodes"),
    "checks": _of(checks, "gpu", "cpu-vs-interpreter", "billion", "batch-cuda"),
    "whole jobs": _of(whole_jobs, "billion", "solitaire"),
    "learning programs": _of(learning, "batch-cpu", "batch-cuda", "environments"),
    "ray": _of(ray, "ray"),
    "load": _of(load, "load", "load-full"),
    "ramp": _of(ramp, "load", "load-fresh"),
    "boardgame.io": _of(boardgameio, "boardgameio"),
    "stores": _of(stores, "stores"),
    "bots": _of(bots, "bot-wait"),
    "several processes": _of(processes, "processes"),
    "announcements": _of(bus, "bus"),
    "kills": _of(kills, "cluster", "containers"),
    "network cut": _of(network_cut, "network-cut"),
    "year": _of(year, "year"),
    "compiling": _of(compiling, "start-time", "speed"),
    "starting": _of(starting, "start-time", "install", "first-load", "load"),
}
