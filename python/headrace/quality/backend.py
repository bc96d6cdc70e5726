# SPDX-License-Identifier: Apache-2.0
"""What a framework does for training: arithmetic and files of its own. All else is shared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from headrace.quality.batches import TrainingBatch
from headrace.quality.bert import Config, Weights
from headrace.quality.vocabulary import Ids

CLIP_NORM = 1.0  # of all gradients together
BETAS = (0.9, 0.999)  # of Adam
EPSILON_ADAM = 1e-8


class Backend(Protocol):
    """A model in training. Deterministic: the same weights and batches give the same model."""

    version: str  # "mindspore 2.10.0"

    def step(self, batch: TrainingBatch) -> float:
        """One step of Adam by the mean cross entropy; returns it."""

    def logits(self, ids: Ids, mask: Ids) -> NDArray[np.float32]:
        """[rows, labels], for arrays of any shape."""

    def weights(self) -> Weights:
        """What bert.shapes() names, as trained so far."""

    def write(self, folder: Path, name: str, proof: Sequence[tuple[Ids, Ids]]) -> dict[str, float]:
        """Its own files, and for each the largest difference of what the file gives from logits() on `proof`."""


# (config, first weights, rate of each step, device) → a model.
Start = Callable[[Config, Weights, list[float], str], Backend]
