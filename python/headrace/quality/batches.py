# SPDX-License-Identifier: Apache-2.0
"""Ids → arrays of a few shapes. A framework compiles a graph, or plans its memory, once for each shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headrace.quality.random import generator
from headrace.quality.vocabulary import Ids

_SHORTEST = 32


def bucket(length: int, max_length: int) -> int:
    """The shortest of 32, 64, 128 ... max_length that holds a text.

    >>> bucket(33, 256), bucket(200, 200), bucket(3, 16)
    (64, 200, 16)
    """
    size = _SHORTEST
    while size < length:
        size *= 2
    return min(size, max_length)


def padded(rows: Sequence[Ids], length: int, pad: int) -> tuple[Ids, Ids]:
    """(ids, mask), both [rows, length]."""
    ids = np.full((len(rows), length), pad, np.int32)
    mask = np.zeros((len(rows), length), np.int32)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
        mask[number, : len(row)] = 1
    return ids, mask


def by_length(rows: Sequence[Ids], batch: int, max_length: int, pad: int) -> Iterator[tuple[NDArray[np.int64], Ids, Ids]]:
    """(which rows, ids, mask) for all rows, the short ones first. All batches of a length have the same shape: the last
    is filled up with its first row, so `which` may be shorter than the arrays."""
    order = np.argsort([len(row) for row in rows], kind="stable").astype(np.int64)
    sizes = np.array([bucket(len(rows[int(row)]), max_length) for row in order])
    for size in np.unique(sizes):
        of_size = order[sizes == size]
        for begin in range(0, len(of_size), batch):
            which = of_size[begin : begin + batch]
            filled = [rows[int(row)] for row in which] + [rows[int(which[0])]] * (batch - len(which))
            yield which, *padded(filled, int(size), pad)


@dataclass(frozen=True)
class TrainingBatch:
    ids: Ids
    mask: Ids
    labels: NDArray[np.int32]


@dataclass(frozen=True)
class Sampling:
    """How training batches are drawn. A batch has as many texts of each label, give or take one, whatever their share of
    the data; the texts of a label come in an order of their own in each round."""

    batch: int
    max_length: int
    pad: int
    mask: int
    drop_tokens: float  # share of tokens that become [MASK]: what keeps a small model from learning texts by heart
    seed: int

    def batches(self, rows: Sequence[Ids], labels: NDArray[np.int32], steps: int) -> Iterator[TrainingBatch]:
        classes = [np.flatnonzero(labels == number) for number in range(int(labels.max()) + 1)]
        drawn = [0] * len(classes)
        for step in range(steps):
            chosen = np.empty(self.batch, np.int64)
            for place in range(self.batch):
                number = (step * self.batch + place) % len(classes)
                turn, at = divmod(drawn[number], len(classes[number]))
                chosen[place] = self._order(classes[number], number, turn)[at]
                drawn[number] += 1
            texts = [rows[int(row)] for row in chosen]
            ids, mask = padded(texts, bucket(max(map(len, texts)), self.max_length), self.pad)
            random = generator(self.seed, "drop_tokens", step).random(ids.shape)
            inner = (mask == 1) & (np.arange(ids.shape[1]) > 0)
            ids[inner & (random < self.drop_tokens)] = self.mask
            yield TrainingBatch(ids, mask, labels[chosen])

    def _order(self, rows: NDArray[np.int64], number: int, turn: int) -> NDArray[np.int64]:
        return generator(self.seed, "order", number, turn).permutation(rows)


def rate_at(step: int, steps: int, rate: float) -> float:
    """Rises over the first tenth of the steps, then falls to 0 linearly.

    >>> [round(rate_at(step, 20, 1.0), 2) for step in (0, 1, 2, 11, 19)]
    [0.5, 1.0, 1.0, 0.5, 0.06]
    """
    rise = max(1, steps // 10)
    return rate * (step + 1) / rise if step < rise else rate * (steps - step) / max(1, steps - rise)
