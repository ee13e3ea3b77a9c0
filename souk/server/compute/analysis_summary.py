"""Converts an analysis to what the page shows: shorter, with moves in words."""

from typing import Any

from souk.analysis import voice
from souk.analysis.choose_reason import is_clear
from souk.analysis.explanations import as_seen, differences, effects_of
from souk.analysis.incremental import IncrementalAnalysis
from souk.analysis.study import Balance, Step, Study
from souk.bots.bot import Considered
from souk.server.protocol.analysis import AnalysedStep, AnalysisView, OpenMove
from souk.server.protocol.table import Spoken, Told

_MAX_CONSIDERED = 5
_MAX_REASONS = 2  # for a better move
_DIGITS = 4


class AnalysisSummary:
    """The results of a running analysis, with cached words."""

    def __init__(self, analysis: IncrementalAnalysis) -> None:
        self._analysis = analysis
        self._positions = list(analysis.record.positions())
        self._words: dict[tuple[int, str], list[Told]] = {}
        self._sentences: dict[tuple[int, str], Spoken] = {}

    def view(self) -> AnalysisView:
        study, unseen = self._analysis.study(), self._analysis.unseen()
        steps = [
            self._step(number, step, number in unseen) for number, step in enumerate(study.steps)
        ]
        # Accuracy of a part would be mistaken for that of the whole game.
        accuracy = [] if unseen else _accuracy(study)
        return AnalysisView(
            _rounded(study.start), [_rounded_balance(seat) for seat in study.seats], steps, accuracy
        )

    def _step(self, number: int, step: Step, unseen: bool) -> AnalysedStep:
        alone = len(step.after) == 1
        # Two moves that are equally good are not ranked.
        better = (
            step.best is not None
            and step.best != step.text
            and is_clear(step.loss, step.error, alone=alone)
        )
        return AnalysedStep(
            seat=step.seat,
            kind=step.kind,
            after=_rounded(step.after),
            luck=_rounded(step.luck),
            gifts=_rounded(step.gifts),
            weight=round(step.weight, _DIGITS),
            loss=round(step.loss, _DIGITS),
            error=round(step.error, _DIGITS),
            mark=step.mark,
            move="" if step.seat is None else step.text,
            best=step.best or "" if better else "",
            better=self._told(number, step.best or "") if better else [],
            name=self._name(number, step) if better else [],
            spoken=self._spoken(number, step) if better else None,
            reasons=self._reasons(number, step) if better else [],
            mix={move: round(share, _DIGITS) for move, share in step.mix.items()},
            considered=[self._open_move(number, option, alone) for option in _shown_moves(step)]
            if step.kind == "move"
            else [],
            exact=step.exact,
            unseen=unseen,
        )

    def _open_move(self, number: int, option: Considered, alone: bool) -> OpenMove:
        return OpenMove(
            option.move,
            self._told(number, option.move),
            round(option.score if alone else option.win, _DIGITS),
        )

    def _name(self, number: int, step: Step) -> Told:
        view = as_seen(self._positions[number], step.seat or 0)
        return view.game.explanations.name_move(view, step.best or "").to_json()

    def _spoken(self, number: int, step: Step) -> Spoken:
        """Why the better move is better: the sentence for whoever looks back."""
        key = number, f"{step.best} {step.text}"
        if key not in self._sentences:
            seat = step.seat or 0
            view = as_seen(self._positions[number], seat)
            spoken = voice.better_move(
                view,
                seat,
                view.canonical_move(seat, step.best or ""),
                view.canonical_move(seat, step.text),
                voice.Lead(step.loss, step.error),
            )
            self._sentences[key] = Spoken(spoken.sentence, spoken.further, spoken.equal, spoken.key)
        return self._sentences[key]

    def _reasons(self, number: int, step: Step) -> list[Told]:
        """Numbers about the better move, where the two moves differ."""
        key = number, f"{step.best} {step.text}"
        if key not in self._words:
            reasons = differences(
                self._positions[number], step.seat or 0, step.best or "", step.text
            )
            self._words[key] = [reason.one.to_json() for reason in reasons if reason.one][
                :_MAX_REASONS
            ]
        return self._words[key]

    def _told(self, number: int, move: str) -> list[Told]:
        if (number, move) not in self._words:
            seat = self._analysis.record.events[number][0]
            told = effects_of(self._positions[number], seat or 0, move)
            self._words[number, move] = [message.to_json() for message in told]
        return self._words[number, move]


def _shown_moves(step: Step) -> list[Considered]:
    """The best moves and the one played."""
    best = list(step.considered[:_MAX_CONSIDERED])
    return best + [
        option for option in step.considered[_MAX_CONSIDERED:] if option.move == step.text
    ]


def _rounded(values: Any) -> list[float]:
    return [round(value, _DIGITS) for value in values]


def _accuracy(study: Study) -> list[float | None]:
    return [None if share is None else round(share, _DIGITS) for share in study.accuracy]


def _rounded_balance(balance: Balance) -> Balance:
    return Balance(
        *_rounded((balance.start, balance.luck, balance.own, balance.others, balance.result))
    )
