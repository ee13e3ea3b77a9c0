"""Tables of docs/research/strength.md, docs/research/nets.md and docs/play/analysis.md."""

import souk
from bench.strength.ladder import LEVELS
from bench.strength.thinking_time import USUAL
from bench.support.provenance import Figures
from bench.tables.markdown import Row, Rows, filled, grid, percent, title
from souk.games import names
from souk.nets.loader import pedigree_of


def by_table(rows: Rows) -> dict[tuple[str, int], Rows]:
    """Rows by game and number of players, ordered by title."""
    tables: dict[tuple[str, int], Rows] = {}
    for row in sorted(rows, key=lambda row: (title(row["game"]), row["players"])):
        tables.setdefault((row["game"], row["players"]), []).append(row)
    return tables


def ordered(figures: Figures) -> Rows:
    return [row for rows in by_table(figures["rows"]).values() for row in rows]


def levels(figures: Figures) -> list[str]:
    """Each level's share of wins against the one below."""
    rows = []
    for (game, players), matches in by_table(figures["rows"]).items():
        shares = {row["better"]: share(row) for row in matches}
        steps = (shares[bot] for bot in ("trader", "merchant", "vizier:net=none"))
        rows.append([title(game), str(players), *steps])
    heads = [f"{better} – {other}" for better, other in zip(LEVELS[1:], LEVELS, strict=False)]
    return grid(["game", "players", *heads[:2], "vizier, no net – merchant"], rows)


def share(row: Row) -> str:
    return percent(row["share"], row["low"], row["high"], f"; {row['games']:,}")


def matches(figures: Figures) -> list[str]:
    rows = [row | {"cell": share(row)} for row in ordered(figures)]
    heads = "game | players | ms a move | share of wins, %"
    return filled(rows, heads, "{title} | {players} | {ms[0]:.0f} | {cell}")


def openspiel(figures: Figures) -> list[str]:
    rows = [row | {"cell": percent(row["share"], *row["interval"])} for row in figures["rows"]]
    heads = "game | games | share of wins, % | seconds a move | OpenSpiel's"
    cells = "{title} | {games} | {cell} | {seconds:.3f} | {openspiel_seconds:.3f}"
    heads += " | its simulations a move"
    return filled(rows, heads, cells + " | {openspiel_simulations:,.0f}")


def exploitability(figures: Figures) -> list[str]:
    heads = "vizier | positions | opponent gains | 95th percentile | most | vizier loses"
    cells = "{bot} | {positions} | {mean:.2%} ± {half:.2%} | {p95:.2%} | {most:.2%}"
    heads += " | gain against even choices"
    return filled(
        figures["rows"], heads, cells + " | {loss:.2%} ± {loss_half:.2%} | {even_mean:.2%}"
    )


def secret_choices(figures: Figures) -> list[str]:
    rows = []
    for row in figures["rows"]:
        rows.append(row | {"lost": percent(*row["lost"]), "haggle": percent(*row["haggle"])})
    heads = "game | four | rounds | action lost, % | haggle, % | gems, unaware | gems, aware"
    cells = "{title} | {bot} | {rounds:,} | {lost} | {haggle}"
    cells += " | {beside[untold]:.1%} | {beside[gems]:.1%} | {beside[lost]:.1%}"
    return filled(rows, heads + " | then lost", cells)


def playouts(figures: Figures) -> list[str]:
    heads = "game | players | playouts/s of a search | events each | without a tree"
    cells = "{title} | {players} | {own[0]:,.0f} | {events:.1f} | {own[1]:,.0f}"
    return filled(figures["rows"], heads, cells)


def time_kept(figures: Figures) -> list[str]:
    rows = [row | {"late": row["late_ms"]["0.05"], **row["ticks"]} for row in figures["rows"]]
    cells = "{title} | {players} | {late:+.1f} ms | {hold_ms:.1f} ms"
    cells += " | {thinking[0]:.0f} of {thinking[1]:,.0f}"
    return filled(rows, "game | players | late over 50 ms | GIL held | late ticks", cells)


def endgames(figures: Figures) -> list[str]:
    budgets = list(figures["rows"][0]["turns"])
    rows = []
    for row in figures["rows"]:
        turns = (str(row["turns"][seconds]) for seconds in budgets)
        rows.append([str(row["players"]), str(row["games"]), *turns])
    return grid(["players", "games", *(f"{seconds} s" for seconds in budgets)], rows)


def net_cost(figures: Figures) -> list[str]:
    rows = [row | {"left": row["playouts"][0] / row["playouts"][1]} for row in figures["rows"]]
    heads = "game | players | µs an evaluation | µs without a net | playouts/s | of those without"
    cells = "{title} | {players} | {judged_us:.2f} | {outlook_us:.2f} | {playouts[0]:,.0f}"
    return filled(rows, heads, cells + " | {left:.0%}")


def net_gain(figures: Figures) -> list[str]:
    """The vizier against itself without a net; seated alternately, and otherwise."""
    rows = []
    for row in ordered(figures):
        cells = [title(row["game"]), str(row["players"]), share(row)]
        for seating in ("turns", "beside"):
            games, value, low, high = row.get(seating, [0] * 4)
            cells.append(percent(value, low, high, f"; {games:,}") if games else "")
        rows.append(cells)
    return grid("game | players | share of wins, % | seated alternately | otherwise", rows)


def thinking_time(figures: Figures) -> list[str]:
    """Fewer and more playouts than usual, without luck."""
    counts = sorted({playouts_of(row) for row in figures["rows"]})
    rows = []
    for (game, players), matches in by_table(figures["rows"]).items():
        cells = {playouts_of(row): _without_luck(row) for row in matches}
        rows.append([title(game), str(players), *(cells.get(count, "") for count in counts)])
    return grid(["game", "players", *(f"{n:,} against {USUAL:,}" for n in counts)], rows)


def playouts_of(row: Row) -> int:
    return int(row["better"].partition("=")[2])


def _without_luck(row: Row) -> str:
    value, low, high = row["without_luck"]
    return percent(value, low, high, f"; {row['games']:,}")


def without_luck(figures: Figures) -> list[str]:
    rows = [
        [title(row["game"]), str(row["players"])]
        + [_side(row, side) for side in ("better", "other")]
        + [_without_luck(row)]
        for row in figures["rows"]
    ]
    return grid("game | players | one side | the other | share of wins, %", rows)


def _side(row: Row, side: str) -> str:
    """A bot, with its time per move unless its name gives it."""
    name = str(row[side])
    is_timed = "seconds" not in row or ":seconds=" in name
    return name if is_timed else f"{name}, {1000 * row['seconds']:g} ms"


def training() -> list[str]:
    """All nets, from the history inside their files."""
    rows = []
    for game in map(souk.game, names()):
        for players, net in sorted(pedigree_of(game).items()):
            rounds, last = net["rounds"], net["rounds"][-1]
            positions = sum(each["positions"] for each in rounds)
            seconds = sum(sum(each["seconds"].values()) for each in rounds)
            match = percent(last["share"], last["low"], last["high"], f"; {last['games']:,}")
            errors = f"{last['chances_before']:.3f} → {last['chances']:.3f}"
            cells = [game.title, str(players), str(len(rounds)), f"{positions:,}"]
            rows.append([*cells, f"{seconds:.0f}", errors, match])
    heads = "game | players | rounds | positions | seconds | error of chances | last match, %"
    return grid(heads, rows)


def training_curve(figures: Figures) -> list[str]:
    """The last round of a training from nothing, beside the shipped net."""
    rows = []
    for (game, players), rounds in by_table(figures["rows"]).items():
        last = max(rounds, key=lambda row: int(row["round"]))
        shipped = next(row for row in rounds if not row["round"])
        cells = [title(game), str(players), f"{last['seconds']:.0f}", f"{last['positions']:,}"]
        shares = (last["no_net"], shipped["no_net"], last["shipped"])
        rows.append(cells + [percent(*figure) for figure in shares])
    heads = "game | players | seconds | positions | against no net, %"
    return grid(heads + " | shipped against no net, % | against the shipped, %", rows)


def sums(figures: Figures) -> list[str]:
    cells = "{title} | {games} | {seats} | {gap:.1e}"
    return filled(figures["rows"], "game | games | seats | largest gap", cells)


def fairness(figures: Figures) -> list[str]:
    rows = []
    for row in figures["rows"]:
        means = zip(row["luck"], row["half"], strict=True)
        rows.append(row | {"means": "; ".join(f"{mean:+.1%} ± {half:.1%}" for mean, half in means)})
    heads = "game | games | mean luck by seat | luck of a seat, standard deviation"
    cells = "{title} | {games} | {means} | {spread:.1%} | {variance:.1%}"
    return filled(rows, heads + " | variance left without luck", cells)


def errors(figures: Figures) -> list[str]:
    rows = []
    for row in figures["rows"]:
        stake = row["of_stake"]
        seen = percent(stake["seen"] / row["games"], stake["low"], stake["high"])
        rows.append(row | {"seen": seen, "by_loss": row["a_decision"]["seen"] / row["games"]})
    heads = "game | games | told by accuracy, % | by loss a decision | stakes lost: vizier"
    cells = "{title} | {games} | {seen} | {by_loss:.1%}"
    cells += " | {of_stake[vizier]:.0%} | {of_stake[apprentice]:.0%} | {won:.0%}"
    return filled(rows, heads + " | apprentice | the vizier won", cells)


def two_seeds(figures: Figures) -> list[str]:
    rows = []
    for row in figures["rows"]:
        shares = {name: row[name] / row["called"] for name in ("agreed", "nearly")}
        rows.append(row | shares)
    heads = "game | games | playouts a decision | blunders | also a blunder | at least a mistake"
    cells = "{title} | {games} | {playouts} | {called} | {agreed:.1%} | {nearly:.1%}"
    return filled(rows, heads, cells)


def depths(figures: Figures) -> list[str]:
    heads = "game | decisions | playouts | mean difference | bias | within two standard errors"
    cells = "{title} | {decisions} | {playouts} | {difference:.2%} | {bias:+.2%} | {within:.0%}"
    return filled(figures["rows"], heads + " | correlation", cells + " | {together:.2f}")


def times(figures: Figures) -> list[str]:
    """The slowest number of players of each game."""
    rows: Rows = sorted(figures["rows"], key=lambda row: float(row["seconds"]))
    slowest = {row["game"]: row for row in rows}
    heads = "game | players | events | processes | seconds | at most"
    cells = "{title} | {players} | {events:.0f} | {processes} | {seconds:.1f} | {most:.1f}"
    return filled([slowest[game] for game in sorted(slowest, key=title)], heads, cells)


TABLES = {
    "levels": (levels, "strength/levels"),
    "uct": (matches, "strength/uct"),
    "openspiel": (openspiel, "strength/openspiel"),
    "exploitability": (exploitability, "strength/exploitability"),
    "secret choices": (secret_choices, "strength/secret-choices"),
    "playouts": (playouts, "strength/thinking"),
    "time kept": (time_kept, "strength/thinking"),
    "endgames": (endgames, "strength/endgames"),
    "nets": (net_gain, "strength/nets"),
    "thinking time": (thinking_time, "strength/thinking-time"),
    "without luck": (without_luck, "strength/without-luck"),
    "cost of nets": (net_cost, "figures/net-cost"),
    "training": (training,),
    "curve": (training_curve, "figures/training-curve"),
    "sums": (sums, "analysis/sum"),
    "fairness": (fairness, "analysis/fair"),
    "errors": (errors, "analysis/errors"),
    "two seeds": (two_seeds, "analysis/seeds"),
    "depth": (depths, "analysis/depth"),
    "analysis times": (times, "analysis/time"),
}
