"""A study in words: what happened, what would have been better, and what it cost."""

from functools import cached_property

from souk.analysis.choose_reason import compare
from souk.analysis.explanations import as_seen, effects_of
from souk.analysis.study import MARKS, Step, Study
from souk.core.facts import Chose, Ended, Fact
from souk.core.messages import Message, Seat, Words
from souk.core.position import Position

_OFTEN = 0.05  # smallest share of a mix that is listed
_FELT = 0.02  # smallest effect on other seats that is mentioned, in win chance
_SMALL = 0.0005  # smaller win chances are not mentioned


class Narrator:
    """Tells a study in a language. Steps are numbered from 1, like the events of the record."""

    def __init__(self, study: Study, language: str = "en") -> None:
        self.study, self.language = study, language
        self.record = study.game()
        self.seats = range(self.record.start.players)
        self.alone = len(self.seats) == 1
        plain = Words(language)
        self.names = self.record.names or [
            plain("{seat:^}", seat=Seat(seat)) for seat in self.seats
        ]
        self.words = Words(language, self.names)

    @cached_property
    def positions(self) -> list[Position]:
        return list(self.record.positions())

    @cached_property
    def _happened(self) -> list[list[Fact]]:
        return list(self.record.facts())

    @property
    def title(self) -> str:
        return self.words("study.page.title", game=self.record.game.title_in(self.language))

    def result(self) -> str:
        """The end of the game, or its current state."""
        end = self.positions[-1]
        if not end.over:
            return self.words("study.page.unfinished")
        if self.alone:
            return self.words(
                "study.page.in_actions", n=end.scores[0], par=-self.study.seats[0].start
            )
        key = (
            "result.share"
            if len(end.winners) > 1
            else "result.wins"
            if end.winners
            else "result.nobody"
        )
        return self.words(key, names=[Seat(seat) for seat in end.winners]) + "."

    def effort(self) -> str:
        """The effort of the analysis."""
        if self.alone:
            return self.words("study.page.solved")
        return self.words("study.page.effort", playouts=self.study.playouts, seed=self.study.seed)

    # ------------------------------------------------------------ steps

    def turning_points(self, most: int = 5) -> list[int]:
        """The numbers of the steps that mattered most, by weight."""
        number = {id(step): k for k, step in enumerate(self.study.steps, 1)}
        return [number[id(step)] for step in self.study.turning_points(most)]

    def step(self, number: int) -> Step:
        return self.study.steps[number - 1]

    def before(self, number: int) -> Position:
        return self.positions[number - 1]

    def who(self, number: int) -> str:
        """The player of a step; "" for a die or card."""
        seat = self.step(number).seat
        return "" if seat is None else self.names[seat]

    def what(self, number: int) -> str:
        """The event itself, including a secret choice."""
        step, facts = self.step(number), self._happened[number - 1]
        text = self._said(facts)
        if step.seat is not None and step.kind == "secret":
            text = " ".join(filter(None, (self._plainly(step.seat, step.text), text)))
        return text or (step.text if step.seat is None else self._plainly(step.seat, step.text))

    def better(self, number: int) -> str:
        """The better move or mix; "" if none is known."""
        step = self.step(number)
        if step.mix and step.loss > _SMALL:
            often = sorted(
                (pair for pair in step.mix.items() if pair[1] >= _OFTEN), key=lambda pair: -pair[1]
            )
            return ", ".join(
                self.words("study.page.share", move=move, share=share) for move, share in often[:4]
            )
        if step.seat is None or not step.best or step.best == step.text:
            return ""
        text = self.words.say(*effects_of(self.before(number), step.seat, step.best))
        return text or self._plainly(step.seat, step.best)

    def why(self, number: int) -> str:
        """Why the better move is better than the one made; "" if no reason holds."""
        step = self.step(number)
        if step.kind != "move" or step.seat is None or not step.best or step.best == step.text:
            return ""
        view = as_seen(self.before(number), step.seat)
        better, made = (view.canonical_move(step.seat, move) for move in (step.best, step.text))
        comparison = compare(view, step.seat, better, made, step.loss, step.error)
        return self.words.say(comparison.sentence) if comparison.sentence else ""

    def cost(self, number: int) -> str:
        """The mover's loss, with its error; "" for nothing."""
        step = self.step(number)
        if step.loss <= _SMALL:
            return ""
        key = ("actions" if self.alone else "chance") + ("" if step.error else "_exactly")
        return self.words(f"study.page.{key}", n=step.loss, error=step.error)

    def fortune(self, number: int) -> str:
        """The seats that luck helped and hurt most; "" without luck."""
        luck = self.step(number).luck
        if self.alone:
            key = "study.page.actions_saved" if luck[0] > 0 else "study.page.actions_more"
            return self.words(key, n=abs(luck[0])) if abs(luck[0]) > _SMALL else ""
        best, worst = max(self.seats, key=luck.__getitem__), min(self.seats, key=luck.__getitem__)
        if luck[best] <= _SMALL:
            return ""
        return ", ".join(
            self.words("study.page.luck_of", who=Seat(seat), n=luck[seat]) for seat in (best, worst)
        )

    def effect(self, number: int) -> str:
        """The effect of a move on others, if it exceeds the cost to the mover; else ""."""
        step = self.step(number)
        felt = {seat: step.gifts[seat] for seat in self.seats if seat != step.seat}
        most = sorted(felt, key=lambda seat: -abs(felt[seat]))[:2]
        if not most or abs(felt[most[0]]) < step.loss + _FELT:
            return ""
        return ", ".join(
            self.words("study.page.luck_of", who=Seat(seat), n=felt[seat]) for seat in most
        )

    def mark(self, number: int) -> str:
        mark = self.step(number).mark
        return self.words(f"study.page.mark.{mark}") if mark else ""

    def _said(self, facts: list[Fact]) -> str:
        visible = [fact for fact in facts if not isinstance(fact, Chose | Ended)]
        return self.words.say(*self.record.game.describe(visible))

    def _plainly(self, seat: int, move: str) -> str:
        return self.words.say(Message("told.core.moves", who=Seat(seat), move=move))

    # ------------------------------------------------------------ seats

    def figure(self, value: float, *, sign: bool = True) -> str:
        """A part of a balance: win chance, or solitaire actions."""
        form = ("+" if sign else "") + (".2" if self.alone else ".1%")
        return self.words(f"{{n:{form}}}", n=value)

    def sum_note(self) -> str:
        """A note on how the parts of a balance add up."""
        return self.words("study.page.sum_alone" if self.alone else "study.page.sum_note")

    def accuracy(self, seat: int) -> str:
        """The accuracy of a seat; a dash if nothing was at stake."""
        share = self.study.accuracy[seat]
        return "–" if share is None else self.words("{n:%}", n=share)

    def accuracy_note(self) -> str:
        """The explanation of accuracy."""
        return self.words("study.page.accuracy_note", most=1.0, least=0.0)

    def marks(self, seat: int) -> list[int]:
        """The numbers of inaccuracies, mistakes and blunders of a seat."""
        given = [step.mark for step in self.study.steps if step.seat == seat]
        return [given.count(mark) for mark in MARKS]
