"""A mind learns: a net of the shape that kernels know (`souk.kernel.mind_shape`), taught with PyTorch by positions of games, then put into whole numbers.

This is the only module that needs PyTorch (`pip install souk[train]`). Its net is that of `souk.kernel.mind` in floating point; a test holds them
together.
"""

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from souk.kernel.mind import POINTS, TILTS, USUAL_WIDTH
from souk.kernel.mind_shape import CEILING, FINE, FIRST, OUTPUTS, SCORE, SECOND, TILT, WIDTH, MindArray, mind_type
from souk.lab.training.selfplay import Samples

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it a GPU adds up in any order

_MOST = CEILING / FINE
_LARGEST = 16.0  # weights are kept within this
_SELDOM = 30  # of what was seen less often than this there is nothing to be learned
_SCORE_MATTERS = 1.0  # how much an error of POINTS counts beside one of the chances to win
_PART = 1 << 14  # positions that are judged at a time


@dataclass(frozen=True)
class Lessons:
    """How a net is taught."""

    epochs: float = 3.0
    batch: int = 8192
    rate: float = 3e-3
    decay: float = 1e-5
    trust: float = 0.0  # in what the search found, against how the game ended
    tilts: bool = True  # whether who wins may follow from more than the scores
    reviews: int = 2  # how often it is taught again, by what it has come to say itself of the positions that followed
    hindsight: float = 0.4  # then: in what came after the next position, against what it says of that one
    belief: float = 1.0  # in its corrections of scores, once it has learned
    held_out: float = 0.05  # of the games
    seed: int = 0


@dataclass(frozen=True)
class Errors:
    """How far off positions are judged that were not learned from: chances as the cross entropy of who won, scores in points."""

    chances: float
    score: float


class Net(nn.Module):
    """What `souk.kernel.mind` works out, for many seats at once."""

    def __init__(self, rows: int, tilts: bool = True) -> None:
        super().__init__()
        self.tilts = tilts
        self.rows = nn.Parameter(torch.randn(rows + 1, FIRST) * 0.05)  # the last stands for nothing
        self.floor = nn.Parameter(torch.full((FIRST,), 0.25))
        self.second, self.third = nn.Linear(FIRST, SECOND), nn.Linear(SECOND, OUTPUTS)
        nn.init.zeros_(self.third.weight)
        nn.init.zeros_(self.third.bias)

    def forward(self, seen: torch.Tensor, outlook: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Of positions (n, players, most seen): the expected scores, and the logarithms of the chances."""
        n, players, most = seen.shape
        first = (self._added_up(seen.reshape(n * players, most)) + self.floor).clamp(0.0, _MOST)
        answers = self.third(self.second(first).clamp(0.0, _MOST)).reshape(n, players, OUTPUTS)
        values = outlook + POINTS * answers[..., SCORE]
        width = torch.exp(USUAL_WIDTH + answers[..., WIDTH].mean(1, keepdim=True))
        # Scores are learned from scores alone: there is more to be learned from them than from who won.
        tilt = TILTS * answers[..., TILT] if self.tilts else 0.0
        return values, torch.log_softmax(values.detach() / width + tilt, 1)

    def _added_up(self, seen: torch.Tensor) -> torch.Tensor:
        """The rows of all that is seen, added up. A GPU multiplies with what there is of each row: ten times as fast there as to pick rows."""
        if not seen.is_cuda:
            return nn.functional.embedding_bag(seen, self.rows, mode="sum", padding_idx=len(self.rows) - 1)
        there = torch.zeros(len(seen), len(self.rows), device=seen.device)
        torch.use_deterministic_algorithms(False)  # whole numbers are counted here: their order is of no importance
        there.scatter_add_(1, seen, torch.ones_like(seen, dtype=there.dtype))
        torch.use_deterministic_algorithms(True)
        return there @ self.rows

    @torch.no_grad()
    def keep_small(self) -> None:
        for weights in self.parameters():
            weights.clamp_(-_LARGEST, _LARGEST)
        self.rows[-1] = 0.0


class Lecture:
    """Positions as a net takes them, on its device."""

    def __init__(self, samples: Samples, rows: int, trust: float, device: str) -> None:
        def there(field: str) -> torch.Tensor:
            return torch.from_numpy(samples[field].copy()).to(device)

        seen = there("seen")
        seen.masked_fill_(torch.arange(seen.shape[1], device=device)[None, :, None] >= there("n")[:, None, None], rows)
        self.seen = seen.transpose(1, 2).contiguous()
        self.outlook, self.trust = there("outlook"), trust
        self.ended = there("wins"), there("score")
        self.found = there("found_wins"), there("found_score")
        self.last = torch.from_numpy(np.append(np.flatnonzero(np.diff(samples["game"])), len(samples) - 1)).to(device)
        self.wins, self.score = self._told(self.ended)

    def __len__(self) -> int:
        return len(self.seen)

    def _told(self, came: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
        """What is to be learned, from what came of the positions and what a search found in them."""
        return [(1 - self.trust) * after + self.trust * found for after, found in zip(came, self.found, strict=True)]

    @torch.no_grad()
    def review(self, net: "Net", hindsight: float) -> None:
        """Let what came of a position be what the net says of the next one that was kept of its game, and in part what came of that: it is less a matter of
        luck than how the game ended."""
        parts = (self.part(slice(begin, begin + _PART)) for begin in range(0, len(self), _PART))
        says = [net(seen, outlook) for seen, outlook, *_ in parts]
        said = torch.cat([chances.exp() for _, chances in says]), torch.cat([values for values, _ in says])
        came = tuple(each.clone() for each in self.ended)
        lengths = torch.diff(self.last, prepend=self.last.new_tensor([-1]))
        for back in range(1, int(lengths.max())):
            at = self.last[lengths > back] - back
            for after, now in zip(came, said, strict=True):
                after[at] = hindsight * after[at + 1] + (1 - hindsight) * now[at + 1]
        self.wins, self.score = self._told(came)

    def part(self, which: Any, symmetry: torch.Tensor | None = None) -> tuple[torch.Tensor, ...]:
        seen = self.seen[which].to(torch.int64)
        if symmetry is not None:
            seen = symmetry[seen]
        return seen, self.outlook[which], self.wins[which], self.score[which]


def errors(
    net: Net, seen: torch.Tensor, outlook: torch.Tensor, wins: torch.Tensor, score: torch.Tensor
) -> tuple[Any, Any]:
    """The cross entropy of who wins, and the mean square error of the scores."""
    values, chances = net(seen, outlook)
    return -(wins * chances).sum(1).mean(), ((values - score) ** 2).mean()


class Learner:
    """A net and what it takes to teach it."""

    def __init__(self, rows: int, symmetries: Sequence[np.ndarray[Any, Any]], lessons: Lessons, device: str) -> None:
        torch.manual_seed(lessons.seed)
        torch.use_deterministic_algorithms(True)
        self.count, self.lessons, self.device = rows, lessons, device
        self.net = Net(rows, lessons.tilts).to(device)
        mapped = [np.append(each, rows) for each in symmetries]  # what is not there stays so
        self.symmetries = [torch.from_numpy(each).to(device) for each in mapped]
        self.seen = np.zeros(rows + 1, np.int64)  # how often each row was there to learn from

    def teach(self, samples: Samples) -> Iterator[tuple[int, int, torch.Tensor]]:
        """Learn from positions; after every batch: its number, how many there will be, and the loss."""
        lecture = Lecture(samples, self.count, self.lessons.trust, self.device)
        self.seen += times_seen(lecture, self.symmetries)
        for course in range(1 + self.lessons.reviews):
            if course > 0:
                lecture.review(self.net, self.lessons.hindsight)
            for batch, batches, loss in self._course(lecture):
                yield course * batches + batch, (1 + self.lessons.reviews) * batches, loss

    def _course(self, lecture: Lecture) -> Iterator[tuple[int, int, torch.Tensor]]:
        """Through all positions so often as is set, the slower the nearer the end is."""
        batches = max(1, int(self.lessons.epochs * len(lecture) / self.lessons.batch))
        optimizer = torch.optim.AdamW(self.net.parameters(), lr=self.lessons.rate, weight_decay=self.lessons.decay)
        rng = np.random.default_rng(self.lessons.seed)
        order = rng.permutation(len(lecture))
        at = 0
        for batch in range(batches):
            if at + self.lessons.batch > len(order):
                order, at = rng.permutation(len(lecture)), 0
            which = torch.from_numpy(order[at : at + self.lessons.batch]).to(self.device)
            at += self.lessons.batch
            for group in optimizer.param_groups:
                group["lr"] = self.lessons.rate * 0.5 * (1.0 + math.cos(math.pi * batch / batches))
            chances, score = errors(self.net, *lecture.part(which, self.symmetries[batch % len(self.symmetries)]))
            loss = chances + _SCORE_MATTERS * score / POINTS**2
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            self.net.keep_small()
            yield batch, batches, loss.detach()

    @torch.no_grad()
    def examined(self, samples: Samples, net: Net | None = None) -> Errors:
        """How far off it is with positions, by how their games ended."""
        lecture = Lecture(samples, self.count, 0.0, self.device)
        sums = np.zeros(2)
        for begin in range(0, len(lecture), _PART):
            part = lecture.part(slice(begin, begin + _PART))
            sums += len(part[0]) * np.array([float(each) for each in errors(net or self.net, *part)])
        return Errors(float(sums[0] / len(lecture)), math.sqrt(sums[1] / len(lecture)))

    @torch.no_grad()
    def in_whole_numbers(self) -> MindArray:
        """The mind as kernels take it. Of what was hardly ever seen nothing is known, and so nothing is said; of its corrections of scores as much counts as they are
        believed: what it is wrong about itself is then added to what the insight is wrong about by so much less."""

        def whole(weights: torch.Tensor, fine: int) -> np.ndarray[Any, Any]:
            return np.rint(weights.cpu().numpy().astype(np.float64) * fine)

        mind, net = np.zeros(1, mind_type(self.count)), self.net
        mind["awake"] = 1
        mind["rows"] = whole(net.rows, FINE) * (self.seen >= _SELDOM)[:, None]  # the last stands for nothing
        mind["floor"] = whole(net.floor, FINE)
        mind["second"], mind["second_floor"] = whole(net.second.weight.T, FINE), whole(net.second.bias, FINE * FINE)
        believed = torch.ones_like(net.third.bias)
        believed[SCORE] = self.lessons.belief
        mind["third"] = whole(net.third.weight * believed[:, None], FINE)
        mind["third_floor"] = whole(net.third.bias * believed, FINE * FINE)
        return mind


def times_seen(lecture: Lecture, symmetries: Sequence[torch.Tensor]) -> np.ndarray[Any, np.dtype[np.int64]]:
    """How often each row is seen in positions, looked at in every way in which they look the same; none for the row of nothing."""
    rows = len(symmetries[0])
    counts = np.zeros(rows, np.int64)
    for part in lecture.seen.split(_PART):
        counts += torch.bincount(part.flatten().to(torch.int64), minlength=rows).cpu().numpy()
    counts[-1] = 0
    found: np.ndarray[Any, np.dtype[np.int64]] = np.zeros(rows, np.int64)
    for each in symmetries:
        found += np.bincount(each.cpu().numpy(), counts, rows).astype(np.int64)
    return found


def of_games(samples: Samples, held_out: float) -> tuple[Samples, Samples]:
    """Positions to learn from, and those of the last games, which are held out: one game at least."""
    begins = np.flatnonzero(np.diff(samples["game"])) + 1  # of all games but the first
    if not len(begins):
        raise ValueError("positions of one game only: there is none to hold out; ask for more positions")
    wanted = int(len(samples) * (1.0 - held_out))
    split = int(begins[min(int(np.searchsorted(begins, wanted)), len(begins) - 1)])
    return samples[:split], samples[split:]
