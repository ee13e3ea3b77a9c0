"""Tables of docs/research/findings.md, from docs/findings/*.json.

Cells show a figure, its 95 % interval and the number of cases.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from statistics import mean as average

from bench.findings.nets import CHECKED, CHECKED_WITH
from bench.support.provenance import Figures
from bench.tables.markdown import filled, grid, percent, title
from souk.core.report_spec import FigureLine, chance, kind, mean, part, seen_of
from souk.games.basari.report import ACTIONS as BASARI_ACTIONS
from souk.games.basari_cards.report import ACTIONS as CARD_ACTIONS
from souk.lab.formatting import number
from souk.lab.report import Measurement
from souk.lab.statistics import Figure

STRONGEST = "vizier:seconds=0.02"
PLAYS = ("random", "merchant", STRONGEST)
GAMES = ("suleika", "basari", "basari-cards", "bazaar")
FILES = tuple(f"findings/{game}" for game in GAMES)

Column = tuple[int, str]  # number of players and bot
Reports = dict[Column, Measurement]


def read_reports(figures: Figures) -> Reports:
    reports = [Measurement.from_json(row) for row in figures["measured"]]
    return {(report.table.players, report.table.bot): report for report in reports}


def player_counts(reports: Reports) -> list[int]:
    return sorted({players for players, _ in reports if players > 1})


def cell(figure: Figure | None, share: bool = True) -> str:
    return f"{interval(figure, share)[:-1]}; {figure.cases:,})" if figure else "–"


def interval(figure: Figure, share: bool) -> str:
    to = " to " if figure.low < 0 else "–"
    value, low, high = (number(each, share) for each in (figure.value, figure.low, figure.high))
    return f"{value} ({low}{to}{high})"


def level(bot: str) -> str:
    return bot.partition(":")[0]


def measured(reports: Reports, columns: Sequence[Column], lines: Sequence[FigureLine]) -> list[str]:
    """A row for each figure, a column for each number of players and bot."""
    rows = []
    for line in lines:
        share = line.reading.share
        cells = [cell(reports[column].read(line.reading), share) for column in columns]
        rows.append([line.about + ", %" * share, *cells])
    return grid(["", *(f"{level(bot)}, {players}" for players, bot in columns)], rows)


def by_players(lines: Sequence[FigureLine], figures: Figures) -> list[str]:
    """Viziers at the fewest and the most players, and random play at the most."""
    reports = read_reports(figures)
    counts = player_counts(reports)
    columns = [(players, STRONGEST) for players in (counts[0], counts[-1])]
    return measured(reports, [*columns, (counts[-1], "random")], lines)


# ---------------------------------------------------------------- all games


def tables(games: Sequence[Figures]) -> Iterator[tuple[list[str], dict[str, Measurement]]]:
    """Title and number of players, with the reports by bot."""
    for name, figures in zip(GAMES, games, strict=True):
        reports = read_reports(figures)
        for players in player_counts(reports):
            yield [title(name), str(players)], {bot: reports[players, bot] for bot in PLAYS}


def going_first(*games: Figures) -> list[str]:
    """The first seat's share of wins."""
    rows, heads = [], []
    for table, by_bot in tables(games):
        wins = {bot: by_bot[bot].outcome.wins[0] for bot in ("random", STRONGEST)}
        heads = [f"{level(bot)}, n = {win.cases:,}" for bot, win in wins.items()]
        even = f"{100 * by_bot[STRONGEST].outcome.even:.1f}"
        rows.append([*table, even, *(interval(win, True) for win in wins.values())])
    return grid(["game", "players", "even", *heads], rows)


def endings(*games: Figures) -> list[str]:
    """How close games are among viziers."""
    rows = []
    for table, by_bot in tables(games):
        end = by_bot[STRONGEST].outcome
        counts = (interval(figure, False) for figure in (end.length, end.margin))
        rows.append([*table, *counts, interval(end.level, True), interval(end.shared, True)])
    heads = "game | players | events | lead over the second | level at the top, % | win shared, %"
    return grid(heads, rows)


def matches(figures: Figures) -> list[str]:
    rows = [row | {"cell": percent(*row["share"])} for row in figures["matches"]]
    heads = "game | players | games | share of wins, %"
    return filled(rows, heads, "{title} | {players} | {games:,} | {cell}")


# ---------------------------------------------------------------- Suleika

WALKS = [
    chance("a walk goes round a balcony", "balcony"),
    kind("Omar stops on an opponent's rug", "ground", "another's"),
    mean("piastres paid there", "payment"),
    mean("cost of a walk, first quarter", "toll in part 1"),
    mean("cost of a walk, last quarter", "toll in part 4"),
    chance("the payer cannot pay in full", "short"),
    kind("a rug covers two halves of others", "covered", 2),
    chance("a covered half was an opponent's", "covers another's"),
]
LEADS = [
    mean("winner's lead in piastres", "winner's lead in money"),
    mean("winner's lead in halves", "winner's lead in halves"),
]


def stops(figures: Figures) -> list[str]:
    """The three busiest and the three quietest squares."""
    reports, rows = read_reports(figures), []
    players = player_counts(reports)[-1]
    for bot in PLAYS:
        shares = reports[players, bot].tally.shares("stop")
        walks = next(iter(shares.values())).cases
        rows.append([level(bot), f"{walks:,}", *ends(shares, 3, 3)])
    return grid("play | walks | busiest, % | quietest, %", rows)


def ends(shares: Mapping[str, Figure], most: int, least: int) -> list[str]:
    """The names with the largest and the smallest shares."""
    ranked = sorted(shares, key=lambda name: -shares[name].value)
    return [
        ", ".join(f"{name} {number(shares[name].value, True)}" for name in names)
        for names in (ranked[:most], ranked[-least:])
    ]


# ---------------------------------------------------------------- both Basari games


def choices(actions: Iterable[str]) -> list[FigureLine]:
    lost = [action for action in actions if action != "D"]
    return [
        *(FigureLine(f"{action} chosen", seen_of("choice", action)) for action in actions),
        *(kind(f"{action} lost to a crowd", f"fate of {action}", "lost") for action in lost),
    ]


def haggles(points: str, gems: str) -> list[FigureLine]:
    return [
        chance("more than one offer", "more than one offer"),
        mean("points for a gem given", f"stake for a gem, {points}"),
        mean("gems for a gem given", f"stake for a gem, {gems}"),
    ]


def winning(actions: Iterable[str]) -> list[FigureLine]:
    return [
        part(f"wins when choosing {action} most", f"win of the keenest on {action}")
        for action in actions
    ]


SCORING = [
    chance("the supply is short when gems are taken", "short"),
    chance("a majority is tied", "majority tied"),
]


# ---------------------------------------------------------------- Bazaar

TURNS = mean("turns for a purchase", "turns for a purchase")
BUYING = [
    *(kind(f"purchases with {left} left over", "chips left over", left) for left in range(2)),
    kind("purchases with 3 or more", "chips left over", 3),
    *(mean(f"points of a ware, {left} left", f"points with {left} left") for left in (0, 1, 3)),
    TURNS,
    chance("actions that are trades", "trade"),
    mean("chips gained by a trade", "chips gained by a trade"),
    mean("points of a starred ware", "points of starred wares"),
    mean("points of a plain ware", "points of plain wares"),
]
FAST = [
    kind("purchases with 3 or more left over", "chips left over", 3),
    mean("points of a ware", "points of a ware"),
    TURNS,
]
ALONE = [
    mean("actions above par", "actions above par"),
    chance("bought within 200 actions", "bought"),
]


def rates(figures: Figures) -> list[str]:
    """How often an available rate is used, among four viziers."""
    tally = read_reports(figures)[4, STRONGEST].tally
    names = [name for name in tally.names() if name.startswith("use of ")]
    used = {
        name.removeprefix("use of "): figure for name in names if (figure := tally.chance(name))
    }
    rows = []
    for label, is_card in (("cards", True), ("trades, given > got", False)):
        shares = {name: used[name] for name in used if name.startswith("card ") == is_card}
        rows.append([label, *ends(shares, 3, 2)])
    return grid(["", "most used, %", "least used, %"], rows)


def traders(figures: Figures) -> list[str]:
    reports = read_reports(figures)
    return measured(reports, list(reports), FAST)


def alone(figures: Figures) -> list[str]:
    return measured(read_reports(figures), [(1, bot) for bot in PLAYS], ALONE)


def par(figures: Figures) -> list[str]:
    """Expected actions of optimal play, over all puzzles of two rate cards and a ware."""
    pairs: dict[str, list[float]] = {}
    wares: dict[str, list[float]] = {}
    for (one, two), by_ware in figures["pars"]:
        for ware, actions in by_ware.items():
            pairs.setdefault(f"rates {one} and {two}", []).append(actions)
            wares.setdefault(ware, []).append(actions)
    pars = sorted(actions for several in wares.values() for actions in several)
    tenth = len(pars) // 10
    quantiles = (average(pars), pars[0], pars[tenth], pars[-1 - tenth], pars[-1])
    rows = [["one puzzle", *(f"{actions:.2f}" for actions in quantiles)]]
    for label, groups in (("pair of rate cards", pairs), ("ware", wares)):
        means = {name: average(several) for name, several in groups.items()}
        least, most = (pick(means, key=lambda name: means[name]) for pick in (min, max))
        low, high = (f"{means[name]:.2f} ({name})" for name in (least, most))
        rows.append([f"mean of a {label}", "", low, "", "", high])
    return grid(["", "mean", "least", "10 % below", "10 % above", "most"], rows)


# ---------------------------------------------------------------- nets

QUESTIONS = {
    "near Omar": "a half in Omar's way",
    "joined": "a half joining five or more",
    "a half": "a half",
    "piastres": "four piastres",
    "a gem": "a gem",
    "gems or points": "gems, not points",
    "spread": "three gems alike",
    "steps": "three arches ahead",
    "a worker": "a worker",
    "a chip": "a chip",
    "left over": "chips left over",
    "the turn": "on turn",
}
CASES = {
    "all": "",
    "small area": "area of 1 or 2",
    "middling area": "area of 3 or 4",
    "large area": "area of 5 or more",
    "lead -2": "two behind",
    "lead -1": "one behind",
    "lead +0": "level",
    "lead +1": "one ahead",
    "lead +2": "two ahead",
    **{colour: f"level, {colour}" for colour in ("red", "yellow", "green", "blue")},
    **{
        f"{nth} {part}": f"{nth} {part}"
        for part in ("lap", "deal")
        for nth in ("first", "second", "last")
    },
    "up to 7": "up to the 7th",
    "8 to 11": "the 8th to 11th",
    "12 to 14": "the 12th to 14th",
}

Answers = dict[tuple[int, str, str], Figures]  # by number of players, question and case


def answers(figures: Figures, game: str) -> Answers:
    rows = (row for row in figures["asked"] if row["game"] == game)
    return {(row["players"], row["question"], row["case"]): row for row in rows}


def change(figure: Sequence[float], scale: int) -> str:
    value, low, high = (scale * number for number in figure[:3])
    digits = 1 if scale > 1 else 2
    return f"{value:+z.{digits}f} ±{(high - low) / 2:.{digits}f} ({figure[3]:,.0f})"


def label(question: str, case: str) -> str:
    return f"{QUESTIONS[question]}: {CASES.get(case, case)}".removesuffix(": ")


def worth(game: str, figures: Figures) -> list[str]:
    """Changes of the win chance in percentage points, with the most players asked about."""

    def order(case: str) -> tuple[int, str]:
        return (list(CASES).index(case), "") if case in CASES else (len(CASES), case)

    by_case = answers(figures, game)
    players = max(by_case)[0]
    rows = []
    for question in QUESTIONS:
        cases = {case for *table, case in by_case if table == [players, question]}
        for case in sorted(cases, key=order):
            win = by_case[players, question, case]["win"]
            rows.append([label(question, case), change(win, 100)])
    return grid(["", f"{players} players"], rows)


def agreement(figures: Figures) -> list[str]:
    """The net beside games played to the end, with four players."""
    rows = []
    for (game, question), cases in CHECKED.items():
        by_case = answers(figures, game)
        for case in cases:
            sources = [
                by_case[CHECKED_WITH, name, case] for name in (question, f"{question}, played")
            ]
            wins = (change(source["win"], 100) for source in sources)
            scores = (change(source["score"], 1) for source in sources)
            rows.append([title(game), label(question, case), *wins, *scores])
    heads = "game |  | win chance, net | wins, played | score, net | score, played"
    return grid(heads, rows)


def _of_game(game: str, lines: Sequence[FigureLine]) -> tuple[Callable[[Figures], list[str]], str]:
    return partial(by_players, lines), f"findings/{game}"


TABLES = {
    "going first": (going_first, *FILES),
    "how games end": (endings, *FILES),
    "skill": (matches, "findings/skill"),
    "walks": _of_game("suleika", WALKS),
    "leads": _of_game("suleika", LEADS),
    "stops": (stops, "findings/suleika"),
    "choices, basari": _of_game("basari", choices(BASARI_ACTIONS)),
    "haggles, basari": _of_game("basari", haggles("points", "gems")),
    "winning choices, basari": _of_game("basari", winning(BASARI_ACTIONS)),
    "scoring, basari": _of_game("basari", SCORING),
    "choices, basari-cards": _of_game("basari-cards", choices(CARD_ACTIONS)),
    "haggles, basari-cards": _of_game("basari-cards", haggles("B", "C")),
    "winning choices, basari-cards": _of_game("basari-cards", winning(CARD_ACTIONS)),
    "scoring, basari-cards": _of_game("basari-cards", SCORING),
    "buying": _of_game("bazaar", BUYING),
    "rates": (rates, "findings/bazaar"),
    "buying fast": (traders, "findings/traders"),
    "fast against patient": (matches, "findings/traders"),
    "alone": (alone, "findings/bazaar"),
    "par": (par, "findings/puzzle"),
    **{f"worth, {game}": (partial(worth, game), "findings/net-questions") for game in GAMES},
    "played to the end": (agreement, "findings/net-questions"),
}
