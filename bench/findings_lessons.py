"""What the minds taught us, in sentences that a player can use: made from the figures, so that they say no more than the figures can bear."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from findings_changes import COLOUR_NAMES
from findings_minds import BOTS, CHECKED, CHECKED_WITH
from grids import block, grid

import souk
from souk.lab.statistics import Figure

TOLD_WITH = 4  # players
VERDICTS = ("yes", "cannot be told", "no")

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

    def win(self, question: str, case: str) -> str:
        """The change of the win chance where four play, which sentences tell; the table has the others too."""
        return points(self.found[TOLD_WITH, question, case].win)

    def score(self, question: str, case: str) -> str:
        return score(self.found[TOLD_WITH, question, case].score)

    def by_play(self, question: str, case: str) -> str:
        """What play to the end says to it."""
        mind, play = (self.found[CHECKED_WITH, asked, case] for asked in (question, f"{question}, played"))
        said = {verdict: [what for what, each in agrees(mind, play).items() if each == verdict] for verdict in VERDICTS}
        words = {"yes": "agrees on", "cannot be told": "cannot tell about", "no": "disagrees on"}
        return " and ".join(f"{words[each]} {' and '.join(whats)}" for each, whats in said.items() if whats)


# ---------------------------------------------------------------- figures as one reads them


def points(figure: Figure) -> str:
    """A change of the win chance in percentage points."""
    value, low, high = (100 * each for each in figure[:3])
    return f"**{value:+z.1f}** ({low:+z.1f} to {high:+z.1f}; n = {figure.cases:,})"


def score(figure: Figure) -> str:
    return f"**{figure.value:+z.2f}** ({figure.low:+z.2f} to {figure.high:+z.2f}; n = {figure.cases:,})"


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
        "Join your rugs rather than lay them for Omar's next walk",
        "Lay your rugs for Omar's next walk rather than join them",
        "Whether to join your rugs or lay them for Omar's next walk cannot be told",
    )
    close = all(abs(100 * figure.value) < 1 for figure in near)
    late = verdict(
        side(
            [
                found.found[TOLD_WITH, "piastres", "quarter 4"].win.less(
                    found.found[TOLD_WITH, "piastres", "quarter 1"].win.high
                )
            ]
        ),
        "With four, money tells most at the end",
        "With four, money tells most at the beginning",
        "With four, money tells as much at the beginning as at the end",
    )
    return [
        f"**{about}.** A half that makes an area of yours five fields large or larger is better than one that lies alone by {found.win('joined', 'all')} percentage points. Play {found.by_play('joined', 'all')}.",
        f"**{'One half in his way changes little' if close else 'A half in his way counts'}.** While a rival is to walk Omar, a half of yours where he may stop is better than "
        f"one elsewhere, in an area as large, by {found.win('near Omar', 'large area')} if the area has five fields or more, and by "
        f"{found.win('near Omar', 'small area')} if it has one or two.",
        f"**{late}.** Four piastres more are worth {found.win('piastres', 'quarter 1')} in the first quarter of the game, {found.win('piastres', 'quarter 2')} in the second and "
        f"{found.win('piastres', 'quarter 4')} in the last. One half more, alone and out of Omar's way, is worth {found.win('a half', 'quarter 1')} in the first and "
        f"{found.win('a half', 'quarter 4')} in the last: compare it with a quarter of the four piastres. (Of scores the mind is cautious: the four of the first "
        f"quarter it expects to be {found.score('piastres', 'quarter 1')} points in the end.)",
    ]


def better(found: Answers, part: str) -> str:
    """Gems or points: which are better in the first lap or deal, and in the last."""
    first, last = (
        verdict(side(found.wins("gems or points", f"{n} {part}")), "gems", "points", "either")
        for n in ("first", "last")
    )
    if first == last:
        return f"{first.capitalize()} from the first {part} to the last"
    return f"{first.capitalize()} in the first {part}, {last} in the last"


def gems_or_points(found: Answers, part: str, shown_by: str) -> str:
    """Gems rather than points of an arch or a card, by lap or deal."""
    first, second, last = (found.win("gems or points", f"{n} {part}") for n in ("first", "second", "last"))
    return (
        f"**{better(found, part)}.** To be given the gems of {shown_by} instead of its points changes your win chance by "
        f"{first} in the first {part}, {second} in the second and {last} in the last"
    )


def gem_more(found: Answers) -> str:
    """A gem more shortly before a scoring, by how one stands in its colour, and by colour."""
    others = [found.wins("a gem", f"lead {lead}") for lead in ("-1", "+1", "-2", "+2")]
    tie = [more(found.wins("a gem", "lead +0"), each) for each in others]
    about = "Fight for the gem that breaks a tie" if min(tie) > 0 else "No gem stands out"
    return (
        f"**{about}.** Shortly before a scoring a gem more is worth {found.win('a gem', 'lead +0')} where you are level with the best of the others, "
        f"{found.win('a gem', 'lead -1')} where you are one behind, and only {found.win('a gem', 'lead +1')} where you are ahead already. It breaks a tie in red for "
        f"{found.win('a gem', 'red')}, in blue for {found.win('a gem', 'blue')}."
    )


def lead_in_the_lap(found: Answers) -> str:
    about = verdict(
        side(found.wins("steps", "early in the lap")),
        "A lead in the lap is worth something from the start",
        "A lead in the lap is a burden at the start",
        "A lead in the lap makes no clear difference at the start",
    )
    return (
        f"**{about}.** Three arches more are worth {found.win('steps', 'early in the lap')} while all have more than half a lap before them; later "
        f"{found.win('steps', 'late in the lap, in front')} to one who is in front, and {found.win('steps', 'late in the lap, behind')} to one who is not."
    )


def basari(found: Answers) -> list[str]:
    return [
        f"{gems_or_points(found, 'lap', 'your arch')}, where it changes your score by {found.score('gems or points', 'last lap')} points. Play {found.by_play('gems or points', 'first lap')} in the first lap, and {found.by_play('gems or points', 'last lap')} in the last.",
        gem_more(found),
        lead_in_the_lap(found),
    ]


def basari_cards(found: Answers) -> list[str]:
    workers = verdict(
        more(found.wins("a worker", "12 to 14"), found.wins("a worker", "up to 7")),
        "The later a worker comes, the more it is worth",
        "The earlier a worker comes, the more it is worth",
        "Workers are worth as much early as late",
    )
    spread = verdict(
        side(found.wins("spread", "all")),
        "Three gems of one colour are better than one each of three colours",
        "One gem each of three colours is better than three of one colour",
        "Three gems of one colour are as good as one each of three colours",
    )
    return [
        f"{gems_or_points(found, 'deal', 'a card')}. {spread}: {found.win('spread', 'all')} for the one colour.",
        gem_more(found),
        f"**{workers}.** One more is worth {found.win('a worker', 'up to 7')} up to the seventh, {found.win('a worker', '8 to 11')} as the eighth to eleventh, and "
        f"{found.win('a worker', '12 to 14')} as the twelfth to fourteenth.",
    ]


def bazaar(found: Answers) -> list[str]:
    few, many = (found.wins("a chip", f"{n} in hand") for n in ("2 or 3", "4 or 5"))
    helps = "A chip of just any colour helps you while you hold up to three, and hurts from four on: roll with an empty hand, trade with a full one"
    roll = helps if side(few) > 0 > side(many) else "What a chip of just any colour is worth depends on your hand"
    rest = verdict(
        side(found.wins("left over", "one instead of none")),
        "A chip left over is worth more than it costs",
        "A chip left over does not make up for what it costs",
        "Whether a chip left over makes up for what it costs cannot be told",
    )
    turn = verdict(
        more(found.wins("the turn", "a purchase may end the game"), found.wins("the turn", "no stall empty")),
        "Be on turn when the next purchase may end the game",
        "The turn is worth least when the next purchase may end the game",
        "The turn is worth about as much early as late",
    )
    sizes = ", ".join(f"{found.win('a chip', f'{n} or {n + 1} in hand')} with {n} or {n + 1}" for n in (0, 2, 4, 6))
    return [
        f"**{roll}.** One more changes your win chance by {sizes} in hand: what does not fit the next ware is left over when you buy it. Play {found.by_play('a chip', '0 or 1 in hand')} with 0 or 1, and {found.by_play('a chip', '6 or 7 in hand')} with 6 or 7.",
        f"**{rest}.** A plain ware bought with one chip left over instead of none brings two points less, and you keep the chip. Together that is "
        f"{found.win('left over', 'one instead of none')}; two left over instead of one, for one point less, {found.win('left over', 'two instead of one')}. Play {found.by_play('left over', 'one instead of none')}.",
        f"**{turn}.** To move now, rather than when all others have moved, is worth {found.win('the turn', 'a purchase may end the game')} then, and "
        f"{found.win('the turn', 'no stall empty')} while no stall is empty.",
    ]


LESSONS: dict[str, Told] = {"suleika": suleika, "basari": basari, "basari-cards": basari_cards, "bazaar": bazaar}


# ---------------------------------------------------------------- all figures

# What a question is about, and its cases where they need words.
ABOUT = {
    "near Omar": "a half in Omar's way, not elsewhere",
    "joined": "a half in an area of five or more, not alone",
    "a half": "a half more",
    "piastres": "four piastres more",
    "a gem": "a gem more before a scoring",
    "gems or points": "gems instead of points",
    "spread": "three gems of one colour, not of three",
    "steps": "three arches further on",
    "a worker": "a worker more",
    "a chip": "a chip more",
    "left over": "chips left over",
    "the turn": "on turn, not last",
}
CASES = {
    "all": "",
    "small area": "area of one or two",
    "middling area": "area of three or four",
    "large area": "area of five or more",
}
CASES |= {
    "lead -2": "two behind",
    "lead -1": "one behind",
    "lead +0": "level",
    "lead +1": "one ahead",
    "lead +2": "two ahead",
}
CASES |= {colour: f"level, {colour}" for colour in COLOUR_NAMES}
CASES |= {f"{n} {part}": f"{n} {part}" for part in ("lap", "deal") for n in ("first", "second", "last")}
CASES |= {"up to 7": "up to the 7th", "8 to 11": "the 8th to 11th", "12 to 14": "the 12th to 14th"}


def table(found: Answers) -> list[str]:
    """All answers about a game: a row for each case, columns by number of players."""
    rows = []
    for question in ABOUT:
        for case in sorted({case for _, asked, case in found.found if asked == question}, key=_place):
            answers = [found.found[players, question, case] for players in found.counts]
            cells = [cell for answer in answers for cell in figures_of(answer)]
            rows.append([ABOUT[question], CASES.get(case, case), *cells])
    heads = [f"{what}, {players} players" for players in found.counts for what in ("win chance", "score")]
    return grid(["", "", *heads], rows)


def _place(case: str) -> tuple[int, str]:
    """Cases with words of their own stand in the order of these."""
    return (list(CASES).index(case), "") if case in CASES else (len(CASES), case)


# ---------------------------------------------------------------- whether play agrees


def agreement(kept: Kept) -> list[str]:
    """The cases that were played to the end as well."""
    rows = []
    for (game, question), cases in CHECKED.items():
        found = Answers(kept, game).found
        for case in cases:
            mind, play = found[CHECKED_WITH, question, case], found[CHECKED_WITH, f"{question}, played", case]
            rows.append(
                [
                    souk.game(game).title,
                    f"{ABOUT[question]}: {CASES.get(case, case)}".removesuffix(": "),
                    *figures_of(mind),
                    *figures_of(play),
                    ", ".join(f"{what}: {each}" for what, each in agrees(mind, play).items()),
                ]
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


def agrees(mind: Answer, play: Answer) -> dict[str, str]:
    """Whether wins and scores agree: the intervals have something in common, and that of play is clear of zero."""
    found = {}
    for what, one, other in zip(("wins", "scores"), mind, play, strict=True):
        common = one.low <= other.high and other.low <= one.high
        found[what] = "no" if not common else "yes" if side([other]) else "cannot be told"
    return found


# ---------------------------------------------------------------- the page


def lessons(kept: Kept) -> list[str]:
    games = max(row["win"][4] for row in kept["asked"])
    about = (
        f"Every figure is the mean of n pairs of positions, out of {games:,} games for each number of players, which {BOTS['suleika']}s (Suleika) and searches without a mind "
        f"(`{BOTS['bazaar']}`) played against each other; now and then just any move was made. The sentences tell what is so with {TOLD_WITH} players; "
        "their first words hold for both numbers of players, unless they name one."
    )
    lines = [about, ""]
    for game, tell in LESSONS.items():
        found = Answers(kept, game)
        lines += block(souk.game(game).title, [f"* {lesson}" for lesson in tell(found)], [""], table(found))
    played = (
        f"With {CHECKED_WITH} players some of the pairs were also played to the end, both positions with the same dice, by bots that have no mind. Play agrees where the "
        "intervals have something in common and its own is clear of zero."
    )
    return [*lines, *block("Does play agree?", [played, ""], agreement(kept))]
