# SPDX-License-Identifier: Apache-2.0
"""The architecture, apart from any framework: sizes, names and shapes of the weights, their first values.

BERT's encoder (layer norm behind each sum, learned positions, GELU by tanh, one type of segment, so without its
embedding); the mean over a text's tokens, a dense layer with tanh, and the classifier. The mean, not [CLS]: a model that
no one pretrained has nothing in that place. A weight of a dense layer is [out, in].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from headrace.quality.random import generator

Weights = dict[str, NDArray[np.float32]]

EPSILON = 1e-12  # of the layer norms
MASKED = -10000.0  # added to what attention says of padding: its share is 0 in float32

# (layers, width, heads), as BERT's own small models have them.
SIZES = {"tiny": (2, 128, 2), "mini": (4, 256, 4), "small": (4, 512, 8), "base": (12, 768, 12)}


@dataclass(frozen=True)
class Config:
    layers: int
    width: int
    heads: int
    vocabulary: int
    positions: int
    labels: int

    @classmethod
    def of(cls, size: str, vocabulary: int, positions: int, labels: int) -> Config:
        return cls(*SIZES[size], vocabulary, positions, labels)


def shapes(config: Config) -> dict[str, tuple[int, ...]]:
    """Name → shape, in the order in which weights are drawn, kept and written."""
    width = config.width
    made: dict[str, tuple[int, ...]] = {
        "embeddings.word_embeddings.weight": (config.vocabulary, width),
        "embeddings.position_embeddings.weight": (config.positions, width),
    }

    def norm(name: str) -> None:
        made.update({f"{name}.weight": (width,), f"{name}.bias": (width,)})

    def dense(name: str, into: int, out: int) -> None:
        made.update({f"{name}.weight": (out, into), f"{name}.bias": (out,)})

    norm("embeddings.LayerNorm")
    for layer in range(config.layers):
        name = f"encoder.layer.{layer}"
        for part in ("query", "key", "value"):
            dense(f"{name}.attention.self.{part}", width, width)
        dense(f"{name}.attention.output.dense", width, width)
        norm(f"{name}.attention.output.LayerNorm")
        dense(f"{name}.intermediate.dense", width, 4 * width)
        dense(f"{name}.output.dense", 4 * width, width)
        norm(f"{name}.output.LayerNorm")
    dense("pooler.dense", width, width)
    dense("classifier", width, config.labels)
    return made


def first_weights(config: Config, seed: int) -> Weights:
    """Normal with deviation 0.02 as in BERT; layer norms 1 and 0, biases 0."""
    made: Weights = {}
    for number, (name, shape) in enumerate(shapes(config).items()):
        if name.endswith(".bias"):
            made[name] = np.zeros(shape, np.float32)
        elif "LayerNorm" in name:
            made[name] = np.ones(shape, np.float32)
        else:
            made[name] = (0.02 * generator(seed, "first_weights", number).standard_normal(shape)).astype(np.float32)
    return made


def probabilities(logits: NDArray[np.float32]) -> NDArray[np.float64]:
    """Softmax of each row, in float64. A row that is not finite stays NaN."""
    with np.errstate(invalid="ignore"):
        wide = logits.astype(np.float64)
        powers = np.exp(wide - wide.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))
