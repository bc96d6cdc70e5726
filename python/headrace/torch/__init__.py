# SPDX-License-Identifier: Apache-2.0
"""PyTorch: training of quality models. Importing this imports no torch; calling does.

>>> from headrace.torch import train_quality
>>> trained = train_quality("labels.jsonl", output="models/quality")   # doctest: +SKIP
>>> trained.card["evaluation"]["average_precision"]                     # doctest: +SKIP
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from headrace.quality.labels import PathLike
from headrace.quality.train import Options, Trained, train

__all__ = ["Options", "Trained", "train_quality"]


def train_quality(labels: PathLike | Iterable[PathLike], output: PathLike, **options: Any) -> Trained:
    """Trains a small BERT to tell texts apart by people's labels.

    Writes into the folder `output`: `quality.onnx` (batch and length dynamic; proved on held-out texts to give what PyTorch
    gives), `quality.card.json`, `vocab.txt`, `tokenizer.json`, and `quality.pt`, the weights as `torch.load` reads them.
    The same labels, options and seed give the same model on the same machine with as many threads, and the model that
    `headrace.mindspore.train_quality` gives but for rounding.

    Args:
        labels: Files with texts and labels: JSON Lines, also .gz, Parquet, or labels.jsonl of `headrace audit`.
        output: A folder; made, and its files of these names replaced.
        options: Fields of `Options`.

    Raises:
        Unsupported: A package is missing; the message has the line for pip.
        InvalidArgument: Options out of range, fewer than two labels.
        Internal: The ONNX graph differs from the model by more than 1e-4; it is not written.
    """
    from headrace.torch.network import start

    return train(start, labels, output, Options(**options))
