"""The figures of the README and of the docs' prose, from what the programs of bench/ measured."""

from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from statistics import median

from grids import grid
from pedigree import Figures, Pedigree, read_figures

import souk

MOST_PLAYERS = {"suleika": 4, "basari": 4, "basari-cards": 5, "bazaar": 6}  # in the order of the README
SOURCES = {
    "load": "tables in play",
    "ramp": "faster and faster",
    "full-house": "many tables",
    "boardgame": "beside boardgame.io",
    "starting": "importing, starting, compiling",
    "first-load": "the first load of the page",
    "install": "setting up",
    "speed": "random play on the CPU",
    "gpu": "random play on a GPU",
    "peers": "beside OpenSpiel",
    "agree": "interpreted and compiled games",
    "solve": "Bazaar alone",
    "billion": "a billion games",
    "batch-cpu": "steps on the CPU",
    "batch-cuda": "steps on a GPU",
    "environments": "PettingZoo",
    "ray": "Ray",
}


class Shelf:
    """The JSON files of a docs folder."""

    def __init__(self, docs: Path) -> None:
        self.docs = docs

    def read(self, name: str) -> tuple[Pedigree, Figures]:
        return read_figures(self.docs / f"{name}.json")

    def figures(self, name: str) -> Figures:
        return self.read(f"figures/{name}")[1]

    def pedigree(self, name: str) -> Pedigree:
        return self.read(f"figures/{name}")[0]


# ---------------------------------------------------------------- how figures are written


def large(number: float) -> str:
    """Millions and billions in words, three digits of them."""
    unit, name = (1e9, "billion") if number >= 1e9 else (1e6, "million")
    scaled = number / unit
    return f"{scaled:.1f} {name}" if scaled < 100 else f"{scaled:,.0f} {name}"


def between(numbers: Collection[float]) -> str:
    """From the smallest to the largest; one of them where they look alike."""
    least, most = (f"{end(numbers):,.0f}" for end in (min, max))
    return least if least == most else f"{least} to {most}"


def joined(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def counted(number: int, word: str) -> str:
    """So many of something."""
    return f"{'a billion' if number == 10**9 else f'{number:,}'} {word}"


def titled(game: str) -> str:
    return souk.game(game).title


def of_most_players(rows: list[Figures]) -> dict[str, Figures]:
    """By game the row with the most players."""
    return {row["game"]: row for row in rows if row["players"] == MOST_PLAYERS[row["game"]]}


def gpu_of(shelf: Shelf, name: str) -> str:
    return shelf.pedigree(name).machine.gpu.removeprefix("NVIDIA ")


# ---------------------------------------------------------------- the table


def the_table(shelf: Shelf) -> list[str]:
    return [*_load(shelf), _ramp(shelf), _full_house(shelf), _boardgame(shelf), _start_and_size(shelf)]


def _load(shelf: Shelf) -> list[str]:
    found = shelf.figures("load")
    steady, reckoning = found["steady"], found["reckoning"]
    lost = f"{reckoning['lost'] or 'nothing'} lost"
    lobby = found["lobby"]
    beside = (
        f"With {lobby['people']:,} people in the public lobby, where tables come and go, 99 % come within {lobby['with_p99_ms']:.0f} ms; "
        f"in turn with that, without them, within {lobby['without_p99_ms']:.0f} ms (medians of {len(lobby['rounds'])} rounds each). "
    )
    return [
        f"* One server process, {found['tables']:,} tables in play with {2 * found['tables']:,} sockets, every table a move every {found['every']:g} seconds for "
        f"{found['seconds']:g} seconds, each move on disk before it is acknowledged: half of the acknowledgements within {steady['p50_ms']:.1f} ms, 99 % within "
        f"{steady['p99_ms']:.0f} ms, {lost}, {steady['kb_per_table']:.0f} KB of memory for a table. {beside}Faster and faster, 99 % come "
        f"{_last_steps(found)}. In half of the tables a third player is a bot of the same process. Server and players share a machine.",
    ]


def _last_steps(load: Figures) -> str:
    """How soon nearly all acknowledgements come where a ramp ends: the last that is borne and the first that is not, and what lies between."""
    steps = sorted(load["ramp"], key=lambda step: float(step["wanted_per_second"]))[-3:]
    told = (f"{step['p99_ms']:,.0f} ms at {step['moves_per_second']:,.0f}" for step in steps)
    return f"within {joined(told)} moves a second"


def _ramp(shelf: Shelf) -> str:
    """Without lobby, and so early that hardly any game ends."""
    return f"* The same from a fresh start, faster and faster at once, while hardly any game ends: 99 % {_last_steps(shelf.figures('ramp'))}."


def _full_house(shelf: Shelf) -> str:
    """As many tables as the open files of this machine allow."""
    found = shelf.figures("full-house")
    steady = found["steady"]
    return (
        f"* The same with {found['tables']:,} tables open and {2 * found['tables']:,} sockets, {steady['moves_per_second']:.0f} moves a second together: 99 % within "
        f"{steady['p99_ms']:.0f} ms, {steady['kb_per_table']:.1f} KB for a table with its two sockets."
    )


def _boardgame(shelf: Shelf) -> str:
    found = shelf.figures("boardgame")
    ours, theirs = (joined(f"{each:,.0f}" for each in rates) for rates in found["moves_per_second"].values())
    to_ours, to_theirs = (median(each) for each in found["driver_us"].values())
    return (
        f"* Beside boardgame.io's own server in the same run, the same simple game at {found['tables']} tables: {found['times']:.2f} times as many acknowledged moves "
        f"a second by the medians of all rounds ({ours} against {theirs}), though ours are on disk and theirs in memory. The driver that makes the moves needs {to_ours:.0f} µs of a core "
        f"for each with us, {to_theirs:.0f} with them."
    )


def _start_and_size(shelf: Shelf) -> str:
    sizes = [size / 1000 for size in shelf.figures("first-load")["bytes"].values()]
    message = shelf.figures("load")["steady"]["p95_bytes"] / 1000
    return (
        f"* The server answers {shelf.figures('starting')['serving']:.1f} s after it was started. From an empty browser to the first move {between(sizes)} kB are "
        f"sent, by language (a test sees to it that this stays below 150 kB); a move's message takes {message:.1f} kB or less in 95 of 100 cases."
    )


# ---------------------------------------------------------------- random play


def random_play(shelf: Shelf) -> list[str]:
    return [*_speeds(shelf), *_about_speeds(shelf), *_compared_and_counted(shelf)]


def _speeds(shelf: Shelf) -> list[str]:
    on_cpu, on_gpu, peers = (of_most_players(shelf.figures(name)["rows"]) for name in ("speed", "gpu", "peers"))
    pgx, openspiel = shelf.figures("gpu")["pgx"], shelf.figures("peers")["openspiel"]["nodes_per_second"]
    cores = shelf.pedigree("speed").machine.cores
    heads = ["events a second", "players", "one core", f"{cores} cores", f"one {gpu_of(shelf, 'gpu')}"]
    heads += ["× pgx", "× OpenSpiel", "× interpreted", "× `Position`"]
    rows = [
        [
            titled(game),
            str(players),
            large(cpu["one_core"]),
            large(cpu["all_cores"]),
            large(gpu["events_per_second"]),
            f"{gpu['events_per_second'] / pgx:,.0f}",
            f"{peer['nodes_per_second'] / openspiel:,.0f}",
            f"{cpu['one_core'] / cpu['interpreted']:,.0f}",
            f"{cpu['one_core'] / cpu['position']:,.0f}",
        ]
        for game, players in MOST_PLAYERS.items()
        for cpu, gpu, peer in [(on_cpu[game], on_gpu[game], peers[game])]
    ]
    return grid(heads, rows)


def _about_speeds(shelf: Shelf) -> list[str]:
    gpu, openspiel = shelf.figures("gpu"), shelf.figures("peers")["openspiel"]
    interpreted = [row["interpreted"] / 1000 for row in shelf.figures("speed")["rows"]]
    fewer = [row for row in gpu["rows"] if row["players"] < MOST_PLAYERS[row["game"]]]
    best = sorted(fewer, key=lambda row: -row["events_per_second"])[:2]
    named = [f"{large(row['events_per_second'])} for {titled(row['game'])} with {row['players']}" for row in best]
    return [
        f"* *× pgx*: one {gpu_of(shelf, 'gpu')} beside pgx's backgammon on that GPU in the same run ({large(gpu['pgx'])} steps a second, 65,536 games at once, restarted "
        "automatically).",
        f"* *× OpenSpiel*: one core beside OpenSpiel's C++ MCTS bot on backgammon with random rollouts in the same run ({openspiel['nodes_per_second'] / 1000:,.0f} thousand "
        "nodes a second, counting every move and chance outcome of a rollout).",
        f"* *× interpreted*: the same playouts run by the Python interpreter ({between(interpreted)} thousand events a second). *× `Position`*: random play as a "
        "Python program does it, with texts.",
        f"* With fewer players, on the {gpu_of(shelf, 'gpu')}: {joined(named)}.",
    ]


def _compared_and_counted(shelf: Shelf) -> list[str]:
    gpu, agree, solved = shelf.figures("gpu"), shelf.figures("agree"), shelf.figures("solve")
    billion, games = shelf.figures("billion"), counted(shelf.pedigree("billion").n, "games")
    differ = [row for row in gpu["rows"] if not row["same"]]
    equal = "equal CPU games byte for byte" if not differ else f"DIFFER from CPU games in {len(differ)} tables"
    alike = "So do" if not (differ or agree["different"]) else f"In {agree['different']} variants there differ"
    verdict = "counted as on the CPU" if not billion["different"] else "NOT counted as on the CPU"
    actions = solved["actions"]
    return [
        f"* GPU games {equal}: {gpu['compared']:,} of every game and number of players. {alike} interpreted and compiled games: {agree['games_of_each']:,} of each of "
        f"{agree['variants']} variants.",
        f"* Bazaar alone: all {shelf.pedigree('solve').n:,} puzzles are solved in {solved['seconds']:.0f} s on one core: {actions['mean']:.2f} actions on average with best "
        f"play, from {actions['least']:.2f} to {actions['most']:.2f}.",
        f"* {games[0].upper() + games[1:]} of {titled(billion['game'])} with {billion['players']} players are played and counted on the {gpu_of(shelf, 'billion')} in {billion['seconds']:.1f} s "
        f"(the first {billion['compared']:,} {verdict}).",
    ]


# ---------------------------------------------------------------- learning programs, and the rest


def learning(shelf: Shelf) -> list[str]:
    on_cpu, on_gpu = (of_most_players(shelf.figures(f"batch-{device}")["rows"]) for device in ("cpu", "cuda"))
    turns, pgx = of_most_players(shelf.figures("environments")["rows"]), shelf.figures("batch-cuda")["pgx"]
    gpu = gpu_of(shelf, "batch-cuda")
    heads = ["steps a second", "one core", f"one {gpu}", "× pgx's backgammon, same run and GPU"]
    rows = [
        [
            f"{titled(game)}, {players}",
            large(on_cpu[game]["steps_per_second"]),
            large(on_gpu[game]["steps_per_second"]),
            f"{on_gpu[game]['steps_per_second'] / pgx:,.0f}",
            f"{round(turns[game]['turns_per_second'], -3):,.0f}",
        ]
        for game, players in MOST_PLAYERS.items()
    ]
    return [*grid([*heads, "PettingZoo turns a second, one core"], rows), *_about_learning(shelf)]


def _about_learning(shelf: Shelf) -> list[str]:
    batch, ray, rounds = shelf.figures("batch-cuda"), shelf.figures("ray"), shelf.pedigree("ray").n
    same = "show the same numbers" if all(row["same"] for row in batch["rows"]) else "DO NOT show the same numbers"
    tictactoe = round(shelf.figures("environments")["tictactoe"], -3)
    return [
        f"* A step is one action in one game, dice and new games included, drawn at random from the mask. GPU and CPU {same} for {batch['compared']['games']:,} games over "
        f"{batch['compared']['steps']} steps. A position of Bazaar, with all its cards, is five times as long as the others'.",
        f"* PettingZoo's own tic-tac-toe in the same run: {tictactoe:,.0f} turns a second.",
        f"* Ray with two workers on two cores plays {ray['times']['Ray workers']:.2f} times as many games as with one (medians of {rounds} rounds; two threads without Ray: "
        f"{ray['times']['threads']:.2f}).",
    ]


def more(shelf: Shelf) -> list[str]:
    records = {row["game"]: row["bytes"] for row in shelf.figures("speed")["rows"]}
    start = shelf.figures("starting")
    compiling = sum(took["rules"] for took in start["compiling"].values())
    return [
        f"* A position takes {joined(str(records[game]) for game in MOST_PLAYERS)} bytes, box data included. Compiling the rules of all four games takes {compiling:.0f} s, once; "
        f"compiled before, they are loaded {start['loading']:.1f} s after Python was started; `import souk` takes {start['import']:.1f} s.",
    ]


def sources(shelf: Shelf) -> list[str]:
    """Where each figure comes from."""
    rows = []
    for name, about in SOURCES.items():
        from_ = shelf.pedigree(name)
        gpu = f", {from_.machine.gpu}" if from_.machine.gpu else ""
        machine = f"{from_.machine.cpu}, {from_.machine.cores} core{'s' * (from_.machine.cores > 1)}{gpu}"
        when = f"{from_.date} {from_.measured and f'({from_.measured})'}".strip()
        n = f"{from_.n:,} {from_.of}"
        rows.append([about, f"`{from_.command}`", n, f"{machine}, Python {from_.python}", when, f"`{from_.commit}`"])
    return grid(["figures", "command", "n", "machine", "date", "commit"], rows)[:-1]


# ---------------------------------------------------------------- within a sentence


def setting_up(shelf: Shelf) -> str:
    found = shelf.figures("install")
    node, every = found["fetched"]["node"] / 1e6, sum(found["fetched"].values()) / 1e6
    return f"{found['seconds']:.0f} s, once; {every:.0f} MB are downloaded, {node:.0f} of them for Node where there is none"


def compiling(what: str) -> Callable[[Shelf], str]:
    def told(shelf: Shelf) -> str:
        games = shelf.figures("starting")["compiling"].values()
        return f"{between([took[what] for took in games])} s"

    return told


def record_sizes(shelf: Shelf) -> str:
    return f"{between([row['bytes'] for row in shelf.figures('speed')['rows']])} bytes"


def starting_ray(shelf: Shelf) -> str:
    return f"{shelf.figures('ray')['start_seconds']:.0f} s"


def a_thinking_process(shelf: Shelf) -> str:
    found = shelf.figures("thinkers")["move"]
    return f"{found['memory_mb']:.0f} MB, and is ready {found['start']:.1f} s after its start; a move takes {found['process'] - found['thread']:.1f} ms longer there than in a thread"


def bots_at_once(shelf: Shelf) -> str:
    found = shelf.figures("thinkers")
    crowd, people = found["crowd"], found["crowd"]["among_themselves"]
    return (
        f"with {found['tables']} people at tables with three viziers each everybody has their turn back within {crowd['longest']:.1f} s, an apprentice answers a newcomer "
        f"within {crowd['apprentice']:.1f} s, and of moves of people among themselves 99 in a hundred are kept within {people['p99_ms']:.0f} ms"
    )


def many_machines(shelf: Shelf) -> list[str]:
    ray, billion = shelf.figures("ray"), shelf.figures("billion")
    games = counted(shelf.pedigree("billion").n, "games")
    rows = [
        ["two Ray workers on two cores, beside one, in one run", f"{ray['times']['Ray workers']:.2f} times", _from(shelf, "ray")],
        ["two threads without Ray, beside one, in the same run", f"{ray['times']['threads']:.2f} times", _from(shelf, "ray")],
        [
            f"{games} of {titled(billion['game'])} on one {gpu_of(shelf, 'billion')}, {billion['compared']:,} compared with the CPU",
            f"{billion['seconds']:.1f} s",
            _from(shelf, "billion"),
        ],
    ]  # fmt: skip
    return grid(["", "", "measured by"], rows)[:-1]


_STORES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}


def stores(shelf: Shelf) -> list[str]:
    """SQLite beside PostgreSQL: the middle of all rounds."""
    rows = shelf.figures("stores")["rows"]
    fields = "events_per_second", "half_ms", "p99_ms", "cpu_us_per_event"
    found = []
    for tables, store in sorted(
        {(row["tables"], row["store"]) for row in rows}, key=lambda one: (one[0], one[1] != "sqlite")
    ):
        same = [row for row in rows if (row["tables"], row["store"]) == (tables, store)]
        events, half, p99, cpu = (median(row[field] for row in same) for field in fields)
        found.append(
            [f"{tables:,}", _STORES[store], f"{events:,.0f}", f"{half:.1f} ms", f"{p99:.0f} ms", f"{cpu:.0f} µs"]
        )
    heads = (
        "tables at once",
        "",
        "events a second",
        "half are kept within",
        "99 in 100 within",
        "the server's processor time for one",
    )
    return [*grid(heads, found), f"{_from(shelf, 'stores')}."]


def killed_in_turn(shelf: Shelf) -> str:
    """What came of killing servers, thinkers and the database."""
    longest = _longest(shelf, "cluster")
    return (
        f"{_kept_through_kills(shelf, 'cluster')}; every page went on within {longest['server']} after a server was killed, "
        f"{longest['thinker']} after a thinker, and {longest['database']} after the database was back"
    )


def containers(shelf: Shelf) -> str:
    """What came of killing the containers of compose.yaml."""
    found, longest = shelf.figures("containers"), _longest(shelf, "containers")
    left_out = f" (without {' and '.join(found['without'])})" if found["without"] else ""
    return (
        f"all{left_out} was up after {found['started']:.0f} s, its images being there; {_kept_through_kills(shelf, 'containers')}; every page went on within {longest['server']} after a "
        f"server was killed, {longest['thinker']} after a thinker, and {longest['database']} after the database. {_from(shelf, 'containers')}"
    )


def _kept_through_kills(shelf: Shelf, name: str) -> str:
    found = shelf.figures(name)
    wrong = found["lost"] + found["gaps"] + found["not_replayed"]
    return (
        f"{shelf.pedigree(name).n} kills while {found['tables']} people played {found['games']:,} games: of {found['acknowledged']:,} moves that were acknowledged and "
        f"{found['bot_moves']:,} of bots {wrong or 'nothing'} was lost, doubled or could not be replayed"
    )


def _longest(shelf: Shelf, name: str) -> dict[str, str]:
    return {kind: f"{each['longest']:.1f} s" for kind, each in shelf.figures(name)["healing"].items()}


def network_cut(shelf: Shelf) -> str:
    """What came of cutting the network between a server and its database."""
    found = shelf.figures("network_cut")
    return (
        f"in {found['rounds']} cuts of {found['seconds']:.0f} s the first of those who moved was told after at most {found['told']:.1f} s that it could not be kept, all tables went on within "
        f"{found['healed']:.1f} s after the cable was back, and of {found['acknowledged']:,} moves that were acknowledged {found['wrong'] or 'none'} was missing or there twice"
    )


def by_columns(shelf: Shelf, name: str, columns: dict[str, str]) -> list[str]:
    """A table of some figures' rows: what stands above each column, and how its cells are written."""
    rows = [[form.format(**row) for form in columns.values()] for row in shelf.figures(name)["rows"]]
    return [*grid(tuple(columns), rows), f"{_from(shelf, name)}."]


def news(shelf: Shelf) -> list[str]:
    """What it takes that processes hear of each other."""
    columns = {
        "processes": "{processes}",
        "words said a second, by all": "{said_per_second:,.0f}",
        "cores of the database": "{database_cores:.2f}",
        "for a word heard": "{database_us:.0f} µs",
        "and of whoever says and hears it": "{own_us:.0f} µs",
        "half are heard within": "{half_ms:.0f} ms",
        "99 in 100 within": "{p99_ms:.0f} ms",
    }
    return by_columns(shelf, "news", columns)


_OF_A_YEAR: dict[str, tuple[str, ...]] = {
    "the lobby": ("lobby",),
    "somebody's games": ("mine",),
    "a table that nobody has open": ("table",),
    "a move, on disk": ("move",),
    "looking for twenty old tables": ("expiry", "look"),
    "deleting one": ("expiry", "delete"),
    "giving a little of its room back to the disk": ("expiry", "shrink"),
    "all else of a round of upkeep, each step": ("expiry", "chore"),
    "a move while the file is copied": ("backup",),
}  # where in a row its times are


def year(shelf: Shelf) -> list[str]:
    """What grows with a year of play: a part of it beside the whole, in both databases."""
    rows = shelf.figures("year")["rows"]
    heads = ["half within, 99 in 100 within", *(f"{_STORES[row['store']]}, {row['tables']:,} tables" for row in rows)]
    cells = [
        ["events", *(f"{row['events']:,}" for row in rows)],
        ["people", *(f"{row['people']:,}" for row in rows)],
        ["its size", *(f"{row['mb']:,.0f} MB" for row in rows)],
        *([about, *(_half_and_p99(row, path) for row in rows)] for about, path in _OF_A_YEAR.items()),
        ["opening the database", *(f"{row['opened_s']:.1f} s" for row in rows)],
        ["copying it (`souk host backup`)", *(f"{row['backup']['seconds']:.0f} s" if row["backup"] else "–" for row in rows)],
    ]  # fmt: skip
    return [*grid(heads, cells), f"{_from(shelf, 'year')}."]


def _half_and_p99(row: Figures, path: tuple[str, ...]) -> str:
    found: Figures | None = row
    for name in path:
        found = found and found[name]
    return f"{found['half_ms']:.1f} ms, {found['p99_ms']:.1f} ms" if found else "–"


PEOPLE = 100_000  # at once, two at a table
EVENTS_A_MOVE = 2  # a move, and about one die or card after it
BUSY = 0.6  # of its time that a process should be at most
GATHERED = 1000 / 3  # announcements a second of one process at most: it gathers for three milliseconds
AT_LEISURE = 6.0  # announcements a second by a process whose tables nobody else has open: souk.table.news_line, souk.table.neighbours
WITH_A_VIZIER = 0.1  # of all tables
VIZIERS_SECOND = 1.0  # that it thinks about a move


def several(shelf: Shelf) -> list[str]:
    """What processes bear, by what a move takes."""
    columns = {
        "processes": "{processes}", "of all servers for a move": "{servers_ms:.2f} ms", "so they bear, beside one": "{times_one:.2f} times",
        "moves a second that fill a core each": "{full_at:,}",
        "of the database for a move": "{database_ms:.2f} ms", "moves a second that fill a core of it": "{database_full_at:,}",
    }  # fmt: skip
    return by_columns(shelf, "several", columns)


def on_paper(shelf: Shelf) -> list[str]:
    """What so many people would need, by what is measured: nothing but multiplied."""
    load = shelf.figures("load")
    steady, heard = load["steady"], shelf.figures("news")["rows"][-1]["database_us"] / 1e6
    writing = median(row["events_per_second"] for row in shelf.figures("stores")["rows"] if row["store"] == "postgresql" and row["tables"] == 500)  # fmt: skip
    tables = PEOPLE // 2
    moves = tables / load["every"]
    cores = moves * steady["server_cpu"] / steady["moves_per_second"]
    processes = -(-cores // BUSY)
    said = min(moves, processes * GATHERED)
    rows = [
        ["tables, each with a move every so many seconds", f"{tables:,}, {load['every']:.0f} s", f"{moves:,.0f} moves a second"],
        ["servers", f"{1000 * cores / moves:.1f} ms of a core for a move", f"{cores:.0f} cores: {processes:.0f} processes that are {BUSY:.0%} busy"],
        ["their memory", f"{steady['kb_per_table']:.0f} kB a table with two pages", f"{tables * steady['kb_per_table'] / 1e6:.1f} GB"],
        ["to the pages", f"{steady['mean_bytes'] / 1000:.1f} kB a message on average, one for each move to each of two pages", f"{moves * 2 * steady['mean_bytes'] * 8 / 1e6:,.0f} Mbit/s"],
        ["writing to PostgreSQL", f"{writing:,.0f} events a second on the measured machine, which its client shares", f"{moves * EVENTS_A_MOVE / writing:.1f} times that"],
        ["hearing of each other, where tables are at home at one process", f"{AT_LEISURE:.0f} announcements a second by each, heard by {processes - 1:.0f}; {1e6 * heard:.0f} µs of the database each", f"{processes * AT_LEISURE * (processes - 1) * heard:.1f} cores of the database"],
        ["the same where pages are anywhere", f"{said:,.0f} announcements a second", f"{said * (processes - 1) * heard:.0f} cores of the database"],
        ["viziers at one table in ten", f"{VIZIERS_SECOND:.0f} s of a core for a move", f"{WITH_A_VIZIER * moves * VIZIERS_SECOND:,.0f} cores of thinkers"],
    ]  # fmt: skip
    return [*grid(["", "measured", f"for {PEOPLE:,} people"], rows), f"{_from(shelf, 'load')}."]


def _from(shelf: Shelf, name: str) -> str:
    return str(shelf.pedigree(name))


def minds(shelf: Shelf) -> list[str]:
    """What minds cost."""
    found = shelf.figures("minds-cost")
    rows = []
    for row in found["rows"]:
        with_it, without = row["playouts"]
        figures = f"{row['judged_us']:.2f}", f"{row['outlook_us']:.2f}", f"{with_it:,.0f}", f"{with_it / without:.0%}"
        rows.append([titled(row["game"]), str(row["players"]), *figures])
    loading = found["loading"]
    heads = "", "players", "µs an evaluation", "µs without a mind", "playouts a second", "of those without a mind"
    told = f"All minds together load in {loading['ms']:.0f} ms and take {loading['mb']:.0f} MB. {_from(shelf, 'minds-cost')}."
    return [*grid(heads, rows), told]


BLOCKS: dict[str, Callable[[Shelf], list[str]]] = {
    "the table": the_table,
    "random play": random_play,
    "learning programs": learning,
    "more": more,
    "sources": sources,
    "many machines": many_machines,
    "minds, cost": minds,
    "stores": stores,
    "news": news,
    "several": several,
    "a year": year,
    "on paper": on_paper,
}
PHRASES: dict[str, Callable[[Shelf], str]] = {
    "setting up": setting_up,
    "compiling rules": compiling("rules"),
    "compiling bots": compiling("bots"),
    "compiling a batch": compiling("batch"),
    "record sizes": record_sizes,
    "starting Ray": starting_ray,
    "a thinking process": a_thinking_process,
    "bots at once": bots_at_once,
    "killed in turn": killed_in_turn,
    "containers": containers,
    "network cut": network_cut,
}
