"""What the minds taught us, in sentences that a player can use: made from the figures, so that they say no more than the figures can bear."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from findings_minds import BOTS, CHECKED, CHECKED_WITH
from grids import block, grid

import souk
from souk.lab.statistics import Figure

Kept = dict[str, Any]
Told = Callable[["Answers"], list[str]]


class Answer(NamedTuple):
    """What having the thing changes: the win chance, and the score at the end."""

    win: Figure
    score: Figure


class Answers:
    """What has been found about one game, by number of players, question and case."""

    def __init__(self, kept: Kept, game: str) -> None:
        self.found = {
            (row["players"], row["question"], row["case"]): Answer(Figure(*row["win"]), Figure(*row["score"]))
            for row in kept["asked"]
            if row["game"] == game
        }
        self.counts = sorted({players for players, _, _ in self.found})

    def wins(self, question: str, case: str) -> list[Figure]:
        """The change of the win chance at every number of players."""
        return [self.found[players, question, case].win for players in self.counts]

    def scores(self, question: str, case: str) -> list[Figure]:
        return [self.found[players, question, case].score for players in self.counts]

    def told_wins(self, question: str, case: str) -> str:
        """In percentage points."""
        found = zip(self.counts, self.wins(question, case), strict=True)
        return "; ".join(f"{points(win)} with {players}" for players, win in found)

    def told_scores(self, question: str, case: str) -> str:
        found = zip(self.counts, self.scores(question, case), strict=True)
        return "; ".join(f"{score(figure)} with {players}" for players, figure in found)


# ---------------------------------------------------------------- figures as one reads them


def points(figure: Figure) -> str:
    """A change of the win chance in percentage points."""
    value, low, high = (100 * each for each in figure[:3])
    return f"**{value:+.1f}** ({low:+.1f} to {high:+.1f}; n = {figure.cases:,})"


def score(figure: Figure) -> str:
    return f"**{figure.value:+.2f}** ({figure.low:+.2f} to {figure.high:+.2f}; n = {figure.cases:,})"


def side(figures: Sequence[Figure]) -> int:
    """1 where all are clearly above nothing, -1 where all are clearly below, 0 where that cannot be told."""
    if all(figure.low > 0 for figure in figures):
        return 1
    return -1 if all(figure.high < 0 for figure in figures) else 0


def more(ones: Sequence[Figure], others: Sequence[Figure]) -> int:
    """The same of the first figures compared with the second, as far as their intervals can tell."""
    pairs = list(zip(ones, others, strict=True))
    if all(one.low > other.high for one, other in pairs):
        return 1
    return -1 if all(one.high < other.low for one, other in pairs) else 0


def verdict(which: int, above: str, below: str, unclear: str) -> str:
    return {1: above, -1: below, 0: unclear}[which]


# ---------------------------------------------------------------- by game


def suleika(found: Answers) -> list[str]:
    near, join = found.wins("near Omar", "large area"), found.wins("joined", "all")
    about = verdict(
        more(join, near),
        "Join your rugs; where Omar may stop next matters less",
        "Lay where Omar may stop next; joining rugs matters less",
        "Whether joining rugs or Omar's next walk matters more cannot be told",
    )
    late = [found.found[players, "a half", "quarter 4"] for players in found.counts]
    early = [found.found[players, "a half", "quarter 1"] for players in found.counts]
    halves = verdict(
        more([each.score for each in late], [each.score for each in early]),
        "A half laid late counts for more than one laid early",
        "A half laid early counts for more than one laid late",
        "A half counts for about as much early as late",
    )
    return [
        f"**{about}.** A half that makes an area of yours at least five fields large is better than one that lies alone by {found.told_wins('joined', 'all')} players.",
        f"**Omar's next walk.** While a rival is to walk him, a half of yours on a field where he may stop, rather than in an area as large elsewhere, changes your "
        f"chances by {found.told_wins('near Omar', 'large area')} players if that area has five fields or more, and by {found.told_wins('near Omar', 'small area')} "
        "if it has one or two.",
        f"**{halves}.** One half more, alone and out of Omar's way, brings so many points in the end: in the first quarter of the game "
        f"{found.told_scores('a half', 'quarter 1')}, in the last {found.told_scores('a half', 'quarter 4')} players. Four piastres change the win chance by "
        f"{found.told_wins('piastres', 'quarter 1')} in the first quarter and {found.told_wins('piastres', 'quarter 4')} players in the last.",
    ]


def gem_by_lead(found: Answers) -> str:
    """A gem more shortly before a scoring, by how one stands in its colour."""
    breaks = verdict(
        min(
            more(found.wins("a gem", "lead +0"), found.wins("a gem", f"lead {lead}"))
            for lead in ("-2", "-1", "+1", "+2")
        ),
        "Fight for the gem that breaks a tie",
        "The gem that breaks a tie is not the best",
        "Gems count most where you are level or one behind",
    )
    return (
        f"**{breaks}.** Shortly before a scoring a gem more changes the win chance, where you are two behind the best of the others, by {found.told_wins('a gem', 'lead -2')}; "
        f"one behind, by {found.told_wins('a gem', 'lead -1')}; level, by {found.told_wins('a gem', 'lead +0')}; one ahead, by {found.told_wins('a gem', 'lead +1')}; "
        f"two ahead, by {found.told_wins('a gem', 'lead +2')} players."
    )


def gem_by_colour(found: Answers) -> str:
    return (
        f"Where it breaks a tie it brings in points: red {found.told_scores('a gem', 'red')}; yellow {found.told_scores('a gem', 'yellow')}; "
        f"green {found.told_scores('a gem', 'green')}; blue {found.told_scores('a gem', 'blue')} players."
    )


def basari(found: Answers) -> list[str]:
    last = verdict(
        side(found.wins("gems or points", "last lap")),
        "gems even in the last lap",
        "points in the last lap",
        "in the last lap it makes no clear difference",
    )
    first = verdict(side(found.wins("gems or points", "first lap")), "Gems", "Points", "Either")
    steps = verdict(
        side(found.wins("steps", "early in the lap")),
        "Three arches more are worth having from the start",
        "Three arches more are a burden at the start",
        "Three arches more make no clear difference at the start",
    )
    return [
        f"**{first} in the first lap, {last}.** The gems of your arch instead of its points change your win chance in the first lap by "
        f"{found.told_wins('gems or points', 'first lap')}; in the second by {found.told_wins('gems or points', 'second lap')}; in the last by "
        f"{found.told_wins('gems or points', 'last lap')} players.",
        f"{gem_by_lead(found)} {gem_by_colour(found)}",
        f"**{steps}.** To be three arches further on in the lap is worth {found.told_wins('steps', 'early in the lap')} while all have more than half of it before "
        f"them; later {found.told_wins('steps', 'late in the lap, behind')} players to one who is behind, and {found.told_wins('steps', 'late in the lap, in front')} to one in front.",
    ]


def basari_cards(found: Answers) -> list[str]:
    workers = verdict(
        more(found.wins("a worker", "12 to 14"), found.wins("a worker", "up to 7")),
        "The last workers count for most",
        "The first workers count for most",
        "Every worker counts, early or late",
    )
    first = verdict(side(found.wins("gems or points", "first deal")), "Gems (C)", "Points (B)", "Either")
    last = verdict(
        side(found.wins("gems or points", "last deal")),
        "gems in the last too",
        "points in the last",
        "in the last it is open",
    )
    return [
        f"**{first} in the first deal; {last}.** The gems of a card instead of its points change your win chance in the first deal by "
        f"{found.told_wins('gems or points', 'first deal')}; in the second by {found.told_wins('gems or points', 'second deal')}; in the last by "
        f"{found.told_wins('gems or points', 'last deal')} players.",
        f"{gem_by_lead(found)} {gem_by_colour(found)}",
        f"**{workers}.** One worker more is worth {found.told_wins('a worker', 'up to 7')} if it is the seventh at most; {found.told_wins('a worker', '8 to 11')} as the eighth to eleventh; "
        f"{found.told_wins('a worker', '12 to 14')} players as the twelfth to fourteenth.",
    ]


def bazaar(found: Answers) -> list[str]:
    roll = verdict(
        more(found.scores("a chip", "0 or 1 in hand"), found.scores("a chip", "6 or 7 in hand")),
        "Roll with few chips, trade with many",
        "Roll with many chips, trade with few",
        "A chip counts for as much in a full hand as in an empty one",
    )
    rest = verdict(
        side(found.wins("left over", "one instead of none")),
        "A chip left over is worth its price",
        "A chip left over does not make up for what it costs",
        "Whether a chip left over makes up for what it costs cannot be told",
    )
    sizes = "; ".join(
        f"with {n} or {n + 1} {found.told_scores('a chip', f'{n} or {n + 1} in hand')}" for n in (0, 2, 4, 6)
    )
    turn = verdict(
        more(found.wins("the turn", "a purchase may end the game"), found.wins("the turn", "no stall empty")),
        "The turn is worth most when the next purchase may end the game",
        "The turn is worth least when the next purchase may end the game",
        "The turn is worth about as much early as late",
    )
    return [
        f"**{roll}.** One chip more, of just any colour, changes your score in the end, by what you have in hand: {sizes} players.",
        f"**{rest}.** A plain ware bought with one chip left over instead of none brings two points less, and you keep the chip: together that changes your win chance by "
        f"{found.told_wins('left over', 'one instead of none')} players.",
        f"**{turn}.** To move now, rather than after everybody else, is worth {found.told_wins('the turn', 'no stall empty')} players while no stall is empty, and "
        f"{found.told_wins('the turn', 'a purchase may end the game')} when one purchase can end the game.",
    ]


LESSONS: dict[str, Told] = {"suleika": suleika, "basari": basari, "basari-cards": basari_cards, "bazaar": bazaar}


# ---------------------------------------------------------------- whether play agrees


def agreement(kept: Kept) -> list[str]:
    """The cases that were played to the end as well."""
    rows = []
    for (game, question), cases in CHECKED.items():
        found = Answers(kept, game).found
        for case in cases:
            mind, play = found[CHECKED_WITH, question, case], found[CHECKED_WITH, f"{question}, played", case]
            rows.append(
                [souk.game(game).title, f"{question}: {case}", *figures_of(mind), *figures_of(play), agrees(mind, play)]
            )
    heads = [
        "game",
        "what",
        "win chance, by the mind",
        "score, by the mind",
        "wins, played",
        "score, played",
        "play agrees",
    ]
    return grid(heads, rows)


def figures_of(answer: Answer) -> list[str]:
    return [points(answer.win), score(answer.score)]


def agrees(mind: Answer, play: Answer) -> str:
    """Whether the intervals have something in common."""
    both = [one.low <= other.high and other.low <= one.high for one, other in zip(mind, play, strict=True)]
    return "yes" if all(both) else "no" if not any(both) else "in the score" if both[1] else "in the wins"


# ---------------------------------------------------------------- the page


def lessons(kept: Kept) -> list[str]:
    games = max(row["win"][4] for row in kept["asked"])
    about = (
        f"Every figure is the mean of n pairs of positions, out of {games:,} games for each number of players, which {BOTS['suleika']}s (Suleika) and searches without a mind "
        f"(`{BOTS['bazaar']}`) played against each other; now and then just any move was made."
    )
    lines = [about, ""]
    for game, tell in LESSONS.items():
        lines += block(souk.game(game).title, [f"* {lesson}" for lesson in tell(Answers(kept, game))], [""])
    played = (
        f"With {CHECKED_WITH} players some of the pairs were also played to the end, both positions with the same dice, by bots that have no mind. It agrees where the intervals "
        "have something in common."
    )
    return [*lines, *block("Does play agree?", [played, ""], agreement(kept))]
