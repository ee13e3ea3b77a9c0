"""Trains a net with PyTorch and quantises it to integers (`souk.kernel.net_layout`).

The only module that needs PyTorch (the extra `train`). The net is that of `souk.kernel.net` in
floating point; a test compares them.
"""

import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from souk.kernel.net import BASE_WIDTH, LOGIT_UNIT, SCORE_UNIT
from souk.kernel.net_layout import (
    CEILING,
    FIRST_WIDTH,
    FRACTION,
    LOGIT,
    OUTPUTS,
    SCORE,
    SECOND_WIDTH,
    WIDTH,
    NetArray,
    net_type,
)
from souk.lab.training.selfplay import Samples
from souk.lab.training.settings import LearningSettings

# required for deterministic sums on a GPU
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")

_MOST = CEILING / FRACTION
# weights are clamped to ± this
_LARGEST = 16.0
# rows seen less often are zeroed
_MIN_COUNT = 30
# weight of the score loss against the win loss
_SCORE_WEIGHT = 1.0
# positions per evaluation batch
_BATCH = 1 << 14


@dataclass(frozen=True)
class Errors:
    """Errors on held-out positions: cross entropy of the winner, and score RMSE in points."""

    chances: float
    score: float


class Net(nn.Module):
    """The net of `souk.kernel.net` in floating point, batched."""

    def __init__(self, rows: int, win_head: bool = True) -> None:
        super().__init__()
        self.win_head = win_head
        # the last row is padding
        self.rows = nn.Parameter(torch.randn(rows + 1, FIRST_WIDTH) * 0.05)
        self.floor = nn.Parameter(torch.full((FIRST_WIDTH,), 0.25))
        self.second = nn.Linear(FIRST_WIDTH, SECOND_WIDTH)
        self.third = nn.Linear(SECOND_WIDTH, OUTPUTS)
        nn.init.zeros_(self.third.weight)
        nn.init.zeros_(self.third.bias)

    def forward(
        self, seen: torch.Tensor, evaluate: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """The expected scores and log win chances of positions (n, players, features)."""
        n, players, most = seen.shape
        first = (self._sum_rows(seen.reshape(n * players, most)) + self.floor).clamp(0.0, _MOST)
        answers = self.third(self.second(first).clamp(0.0, _MOST)).reshape(n, players, OUTPUTS)
        values = evaluate + SCORE_UNIT * answers[..., SCORE]
        width = torch.exp(BASE_WIDTH + answers[..., WIDTH].mean(1, keepdim=True))
        # Scores are learned from scores alone, which carry more information than wins.
        logit = LOGIT_UNIT * answers[..., LOGIT] if self.win_head else 0.0
        return values, torch.log_softmax(values.detach() / width + logit, 1)

    def _sum_rows(self, seen: torch.Tensor) -> torch.Tensor:
        """The sum of the rows of all active features.

        On a GPU, multiplying by a count matrix is ten times as fast as gathering rows.
        """
        if not seen.is_cuda:
            return nn.functional.embedding_bag(
                seen, self.rows, mode="sum", padding_idx=len(self.rows) - 1
            )
        counts = torch.zeros(len(seen), len(self.rows), device=seen.device)
        # Integer counts do not depend on the order of summation.
        torch.use_deterministic_algorithms(False)
        counts.scatter_add_(1, seen, torch.ones_like(seen, dtype=counts.dtype))
        torch.use_deterministic_algorithms(True)
        return counts @ self.rows

    @torch.no_grad()
    def clamp_weights(self) -> None:
        for weights in self.parameters():
            weights.clamp_(-_LARGEST, _LARGEST)
        self.rows[-1] = 0.0


class TrainingData:
    """Positions as tensors on the net's device."""

    def __init__(self, samples: Samples, rows: int, search_weight: float, device: str) -> None:
        def tensor(field: str) -> torch.Tensor:
            return torch.from_numpy(samples[field].copy()).to(device)

        seen = tensor("seen")
        seen.masked_fill_(
            torch.arange(seen.shape[1], device=device)[None, :, None] >= tensor("n")[:, None, None],
            rows,
        )
        self.seen = seen.transpose(1, 2).contiguous()
        self.evaluation, self.search_weight = tensor("evaluation"), search_weight
        self.ended = tensor("wins"), tensor("score")
        self.found = tensor("found_wins"), tensor("found_score")
        self.last = torch.from_numpy(
            np.append(np.flatnonzero(np.diff(samples["game"])), len(samples) - 1)
        ).to(device)
        self.wins, self.score = self._targets(self.ended)

    def __len__(self) -> int:
        return len(self.seen)

    def _targets(self, outcomes: tuple[torch.Tensor, ...]) -> list[torch.Tensor]:
        """Mix outcomes with the search results."""
        return [
            (1 - self.search_weight) * outcome + self.search_weight * found
            for outcome, found in zip(outcomes, self.found, strict=True)
        ]

    @torch.no_grad()
    def relabel(self, net: "Net", td_lambda: float) -> None:
        """Bootstrap targets from the net's evaluation of the next kept position of the same game.

        These have less variance than the result of the game; `td_lambda` is the weight of the next
        position's target against its evaluation.
        """
        parts = (self.part(slice(begin, begin + _BATCH)) for begin in range(0, len(self), _BATCH))
        evaluations = [net(seen, evaluate) for seen, evaluate, *_ in parts]
        predictions = (
            torch.cat([chances.exp() for _, chances in evaluations]),
            torch.cat([values for values, _ in evaluations]),
        )
        outcomes = tuple(tensor.clone() for tensor in self.ended)
        lengths = torch.diff(self.last, prepend=self.last.new_tensor([-1]))
        for back in range(1, int(lengths.max())):
            indices = self.last[lengths > back] - back
            for outcome, prediction in zip(outcomes, predictions, strict=True):
                outcome[indices] = (
                    td_lambda * outcome[indices + 1] + (1 - td_lambda) * prediction[indices + 1]
                )
        self.wins, self.score = self._targets(outcomes)

    def part(self, which: Any, symmetry: torch.Tensor | None = None) -> tuple[torch.Tensor, ...]:
        seen = self.seen[which].to(torch.int64)
        if symmetry is not None:
            seen = symmetry[seen]
        return seen, self.evaluation[which], self.wins[which], self.score[which]


def errors(
    net: Net, seen: torch.Tensor, evaluate: torch.Tensor, wins: torch.Tensor, score: torch.Tensor
) -> tuple[Any, Any]:
    """The cross entropy of the winner, and the mean squared error of the scores."""
    values, chances = net(seen, evaluate)
    return -(wins * chances).sum(1).mean(), ((values - score) ** 2).mean()


class Learner:
    """A net and its training state."""

    def __init__(
        self,
        rows: int,
        symmetries: Sequence[np.ndarray[Any, Any]],
        settings: LearningSettings,
        device: str,
    ) -> None:
        torch.manual_seed(settings.seed)
        torch.use_deterministic_algorithms(True)
        self.count, self.settings, self.device = rows, settings, device
        self.net = Net(rows, settings.win_head).to(device)
        # padding stays padding
        padded = [np.append(symmetry, rows) for symmetry in symmetries]
        self.symmetries = [torch.from_numpy(symmetry).to(device) for symmetry in padded]
        # number of occurrences of each row
        self.seen = np.zeros(rows + 1, np.int64)

    def train(self, samples: Samples) -> Iterator[tuple[int, int, torch.Tensor]]:
        """Train on positions; yield batch number, number of batches, and loss after every batch."""
        data = TrainingData(samples, self.count, self.settings.search_weight, self.device)
        self.seen += row_counts(data, self.symmetries)
        passes = 1 + self.settings.bootstrap_passes
        for pass_number in range(passes):
            if pass_number > 0:
                data.relabel(self.net, self.settings.td_lambda)
            for batch, batches, loss in self._pass(data):
                yield pass_number * batches + batch, passes * batches, loss

    def _pass(self, data: TrainingData) -> Iterator[tuple[int, int, torch.Tensor]]:
        """Train for the configured epochs with a cosine learning rate."""
        batches = max(1, int(self.settings.epochs * len(data) / self.settings.batch))
        optimizer = torch.optim.AdamW(
            self.net.parameters(), lr=self.settings.rate, weight_decay=self.settings.decay
        )
        rng = np.random.default_rng(self.settings.seed)
        order = rng.permutation(len(data))
        start = 0
        for batch in range(batches):
            if start + self.settings.batch > len(order):
                order, start = rng.permutation(len(data)), 0
            indices = torch.from_numpy(order[start : start + self.settings.batch]).to(self.device)
            start += self.settings.batch
            for group in optimizer.param_groups:
                group["lr"] = self.settings.rate * 0.5 * (1.0 + math.cos(math.pi * batch / batches))
            chances, score = errors(
                self.net, *data.part(indices, self.symmetries[batch % len(self.symmetries)])
            )
            loss = chances + _SCORE_WEIGHT * score / SCORE_UNIT**2
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            self.net.clamp_weights()
            yield batch, batches, loss.detach()

    @torch.no_grad()
    def evaluate_on(self, samples: Samples, net: Net | None = None) -> Errors:
        """The errors on positions, measured against the results of their games."""
        data = TrainingData(samples, self.count, 0.0, self.device)
        sums = np.zeros(2)
        for begin in range(0, len(data), _BATCH):
            batch = data.part(slice(begin, begin + _BATCH))
            sums += len(batch[0]) * np.array(
                [float(error) for error in errors(net or self.net, *batch)]
            )
        return Errors(float(sums[0] / len(data)), math.sqrt(sums[1] / len(data)))

    @torch.no_grad()
    def quantized(self) -> NetArray:
        """The net as integers.

        Rows with too few occurrences are zeroed. Score corrections are scaled by
        `correction_scale`: errors of the net then weigh less on top of those of the heuristics.
        """

        def quantize(weights: torch.Tensor, scale: int) -> np.ndarray[Any, Any]:
            return np.rint(weights.cpu().numpy().astype(np.float64) * scale)

        packed, net = np.zeros(1, net_type(self.count)), self.net
        packed["awake"] = 1
        packed["rows"] = (
            quantize(net.rows, FRACTION) * (self.seen >= _MIN_COUNT)[:, None]
        )  # the last stands for nothing
        packed["floor"] = quantize(net.floor, FRACTION)
        packed["second"], packed["second_floor"] = (
            quantize(net.second.weight.T, FRACTION),
            quantize(net.second.bias, FRACTION * FRACTION),
        )
        output_scale = torch.ones_like(net.third.bias)
        output_scale[SCORE] = self.settings.correction_scale
        packed["third"] = quantize(net.third.weight * output_scale[:, None], FRACTION)
        packed["third_floor"] = quantize(net.third.bias * output_scale, FRACTION * FRACTION)
        return packed


def row_counts(
    data: TrainingData, symmetries: Sequence[torch.Tensor]
) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The number of occurrences of each row over all symmetries; 0 for padding."""
    rows = len(symmetries[0])
    counts = np.zeros(rows, np.int64)
    for part in data.seen.split(_BATCH):
        counts += torch.bincount(part.flatten().to(torch.int64), minlength=rows).cpu().numpy()
    counts[-1] = 0
    totals: np.ndarray[Any, np.dtype[np.int64]] = np.zeros(rows, np.int64)
    for symmetry in symmetries:
        totals += np.bincount(symmetry.cpu().numpy(), counts, rows).astype(np.int64)
    return totals


def hold_out_games(samples: Samples, held_out: float) -> tuple[Samples, Samples]:
    """Split positions into those to learn from and the last games, at least one, to hold out."""
    # of all games but the first
    begins = np.flatnonzero(np.diff(samples["game"])) + 1
    if not len(begins):
        raise ValueError(
            "positions of one game only, so none can be held out; ask for more positions"
        )
    target = int(len(samples) * (1.0 - held_out))
    split = int(begins[min(int(np.searchsorted(begins, target)), len(begins) - 1)])
    return samples[:split], samples[split:]
