# SPDX-License-Identifier: Apache-2.0
"""The evaluation of a model card, by the engine: what `headrace score eval` would say of the same scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace import _core

RECALLS = (0.5, 0.8, 0.9, 0.95)


def evaluation(scores: NDArray[np.float64], wanted: NDArray[np.bool_], files: Sequence[str], seed: int) -> dict[str, Any]:
    """As docs/formats/model_card.md has it. `files` is where the labelled texts come from."""
    found = _core.evaluate(scores.tolist(), wanted.tolist(), list(RECALLS), seed)
    found["data"]["files"] = list(files)
    return found
