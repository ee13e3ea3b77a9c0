"""A study as a page shows it: shorter, and with moves in words."""

from typing import Any

from souk.bots.bot import Considered
from souk.study.inquiring import Inquiry
from souk.study.reasons import differences, told_of
from souk.study.study import Balance, Step, Study
from souk.table.protocol import Told
from souk.table.study_protocol import Lookback, OpenMove, Turning

_MOST_CONSIDERED = 5
_REASONS = 2  # for a better move
_DIGITS = 4


class Album:
    """Puts what an inquiry has found into words. What has been said is kept, as it is asked for again and again while the inquiry goes on."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._inquiry = inquiry
        self._positions = list(inquiry.record.positions())
        self._words: dict[tuple[int, str], list[Told]] = {}

    def lookback(self) -> Lookback:
        study, unseen = self._inquiry.study(), self._inquiry.unseen()
        steps = [self._turning(number, step, number in unseen) for number, step in enumerate(study.steps)]
        # That of a game's end alone would be taken for that of the whole.
        accuracy = [] if unseen else _accuracy(study)
        return Lookback(_short(study.start), [_short_balance(each) for each in study.seats], steps, accuracy)

    def _turning(self, number: int, step: Step, unseen: bool) -> Turning:
        better = step.best is not None and step.best != step.text and step.loss > 0
        alone = len(step.after) == 1
        return Turning(
            seat=step.seat,
            kind=step.kind,
            after=_short(step.after),
            luck=_short(step.luck),
            gifts=_short(step.gifts),
            weight=round(step.weight, _DIGITS),
            loss=round(step.loss, _DIGITS),
            error=round(step.error, _DIGITS),
            mark=step.mark,
            move="" if step.seat is None else step.text,
            best=step.best or "" if better else "",
            better=self._told(number, step.best or "") if better else [],
            reasons=self._why(number, step) if better else [],
            mix={move: round(share, _DIGITS) for move, share in step.mix.items()},
            considered=[self._weighed(number, each, alone) for each in _few(step)] if step.kind == "move" else [],
            exact=step.exact,
            unseen=unseen,
        )

    def _weighed(self, number: int, each: Considered, alone: bool) -> OpenMove:
        return OpenMove(each.move, self._told(number, each.move), round(each.score if alone else each.win, _DIGITS))

    def _why(self, number: int, step: Step) -> list[Told]:
        """What speaks for the better move, where the two differ."""
        key = number, f"{step.best} {step.text}"
        if key not in self._words:
            found = differences(self._positions[number], step.seat or 0, step.best or "", step.text)
            self._words[key] = [each.one.to_json() for each in found if each.one][:_REASONS]
        return self._words[key]

    def _told(self, number: int, move: str) -> list[Told]:
        if (number, move) not in self._words:
            seat = self._inquiry.record.events[number][0]
            told = told_of(self._positions[number], seat or 0, move)
            self._words[number, move] = [message.to_json() for message in told]
        return self._words[number, move]


def _few(step: Step) -> list[Considered]:
    """The best, and what was played."""
    best = list(step.considered[:_MOST_CONSIDERED])
    return best + [each for each in step.considered[_MOST_CONSIDERED:] if each.move == step.text]


def _short(values: Any) -> list[float]:
    return [round(value, _DIGITS) for value in values]


def _accuracy(study: Study) -> list[float | None]:
    return [None if share is None else round(share, _DIGITS) for share in study.accuracy]


def _short_balance(balance: Balance) -> Balance:
    return Balance(*_short((balance.start, balance.luck, balance.own, balance.others, balance.result)))
