# SPDX-License-Identifier: Apache-2.0
"""The network of headrace.quality.bert in PyTorch, and its training."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.quality.backend import BETAS, CLIP_NORM, EPSILON_ADAM
from headrace.quality.batches import TrainingBatch
from headrace.quality.bert import EPSILON, MASKED, Config, Weights
from headrace.quality.files import whole
from headrace.quality.needs import need
from headrace.quality.vocabulary import Ids

torch: Any = need("torch", "headrace.torch")
functional: Any = torch.nn.functional


def forward(weights: dict[str, Any], config: Config, ids: Any, mask: Any) -> Any:
    """Logits; a function of the weights by name, so that there is one list of names."""
    width = config.width // config.heads

    def dense(name: str, x: Any) -> Any:
        return functional.linear(x, weights[f"{name}.weight"], weights[f"{name}.bias"])

    def norm(name: str, x: Any) -> Any:
        return functional.layer_norm(x, (config.width,), weights[f"{name}.weight"], weights[f"{name}.bias"], EPSILON)

    def heads(x: Any) -> Any:
        return x.reshape(*ids.shape, config.heads, width).transpose(1, 2)

    seen = mask.to(torch.float32)
    hidden = ((1 - seen) * MASKED)[:, None, None, :]
    x = weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = norm("embeddings.LayerNorm", x)
    for layer in range(config.layers):
        name = f"encoder.layer.{layer}"
        query, key, value = (heads(dense(f"{name}.attention.self.{part}", x)) for part in ("query", "key", "value"))
        shares = torch.softmax((query / sqrt(width)) @ key.transpose(2, 3) + hidden, -1)
        mixed = (shares @ value).transpose(1, 2).reshape(*ids.shape, config.width)
        x = norm(f"{name}.attention.output.LayerNorm", dense(f"{name}.attention.output.dense", mixed) + x)
        inner = functional.gelu(dense(f"{name}.intermediate.dense", x), approximate="tanh")
        x = norm(f"{name}.output.LayerNorm", dense(f"{name}.output.dense", inner) + x)
    mean = (x * seen[:, :, None]).sum(1) / seen.sum(1, keepdim=True).clamp(min=1)
    return dense("classifier", torch.tanh(dense("pooler.dense", mean)))


class TorchModel:
    """A backend: see headrace.quality.backend."""

    def __init__(self, config: Config, weights: Weights, rates: list[float], device: str) -> None:
        torch.use_deterministic_algorithms(True)
        self.version = f"torch {torch.__version__}"
        self._config = config
        self._rates = iter(rates)
        self._device = torch.device(device or "cpu")
        self._weights = {name: torch.tensor(values, device=self._device, requires_grad=True) for name, values in weights.items()}
        self._optimizer = torch.optim.Adam(self._weights.values(), betas=BETAS, eps=EPSILON_ADAM)

    def _on_device(self, *arrays: NDArray[Any]) -> list[Any]:
        return [torch.as_tensor(array, dtype=torch.int64, device=self._device) for array in arrays]

    def step(self, batch: TrainingBatch) -> float:
        for group in self._optimizer.param_groups:
            group["lr"] = next(self._rates)
        ids, mask, labels = self._on_device(batch.ids, batch.mask, batch.labels)
        loss = functional.cross_entropy(forward(self._weights, self._config, ids, mask), labels)
        self._optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self._weights.values(), CLIP_NORM)
        self._optimizer.step()
        return float(loss.item())

    def logits(self, ids: Ids, mask: Ids) -> NDArray[np.float32]:
        with torch.no_grad():
            found = forward(self._weights, self._config, *self._on_device(ids, mask))
        return np.asarray(found.cpu().numpy(), np.float32)

    def weights(self) -> Weights:
        return {name: values.detach().cpu().numpy() for name, values in self._weights.items()}

    def write(self, folder: Path, name: str, proof: Sequence[tuple[Ids, Ids]]) -> dict[str, float]:
        path = folder / f"{name}.pt"
        with whole(path) as made:
            torch.save({key: values.detach().cpu() for key, values in self._weights.items()}, made)
        read = torch.load(path, weights_only=True, map_location=self._device)
        differences = []
        for ids, mask in proof:
            with torch.no_grad():
                found = forward(read, self._config, *self._on_device(ids, mask)).cpu().numpy()
            differences.append(np.abs(found - self.logits(ids, mask)).max())
        return {path.name: float(np.max(differences))}


def start(config: Config, weights: Weights, rates: list[float], device: str) -> TorchModel:
    return TorchModel(config, weights, rates, device)
