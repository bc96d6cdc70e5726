# SPDX-License-Identifier: Apache-2.0
"""The network of headrace.quality.bert in plain mindspore.nn, graph mode, and its training.

Graph mode: a training step is compiled once for each length of batch (the buckets), the network of inference once for
all shapes. Only operators that run on CPU and Ascend and come through MindIR with shapes left open.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import Corrupt, Internal
from headrace.mindspore.framework import ms, use
from headrace.quality.backend import BETAS, CLIP_NORM, EPSILON_ADAM
from headrace.quality.batches import TrainingBatch
from headrace.quality.bert import EPSILON, MASKED, Config, Weights
from headrace.quality.files import whole
from headrace.quality.vocabulary import Ids

nn: Any = ms.nn
ops: Any = ms.ops


class _Named:
    """Makes layers and keeps their parameters by the names of headrace.quality.bert."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self.parameters: dict[str, Any] = {}

    def table(self, name: str) -> Any:
        self.parameters[name] = ms.Parameter(ms.Tensor(self._weights[name]), name=name)
        return self.parameters[name]

    def _take(self, name: str, weight: Any, bias: Any) -> None:
        for part, parameter in (("weight", weight), ("bias", bias)):
            parameter.set_data(ms.Tensor(self._weights[f"{name}.{part}"]))
            self.parameters[f"{name}.{part}"] = parameter

    def dense(self, name: str) -> Any:
        out, into = self._weights[f"{name}.weight"].shape
        made = nn.Dense(into, out)
        self._take(name, made.weight, made.bias)
        return made

    def norm(self, name: str) -> Any:
        made = nn.LayerNorm(self._weights[f"{name}.weight"].shape, epsilon=EPSILON)
        self._take(name, made.gamma, made.beta)
        return made


class _Layer(nn.Cell):
    def __init__(self, named: _Named, name: str, config: Config) -> None:
        super().__init__()
        self.heads, self.width = config.heads, config.width // config.heads
        self.scale = 1 / sqrt(self.width)
        self.query = named.dense(f"{name}.attention.self.query")
        self.key = named.dense(f"{name}.attention.self.key")
        self.value = named.dense(f"{name}.attention.self.value")
        self.mixed = named.dense(f"{name}.attention.output.dense")
        self.mixed_norm = named.norm(f"{name}.attention.output.LayerNorm")
        self.inner = named.dense(f"{name}.intermediate.dense")
        self.gelu = nn.GELU()  # by tanh
        self.outer = named.dense(f"{name}.output.dense")
        self.outer_norm = named.norm(f"{name}.output.LayerNorm")
        self.softmax = nn.Softmax(-1)
        self.product = ops.BatchMatMul()
        self.product_turned = ops.BatchMatMul(transpose_b=True)

    def split(self, x: Any, rows: Any, length: Any) -> Any:
        return ops.transpose(ops.reshape(x, (rows, length, self.heads, self.width)), (0, 2, 1, 3))

    def construct(self, x: Any, hidden: Any) -> Any:
        rows, length, width = x.shape
        query = self.split(self.query(x), rows, length) * self.scale
        key = self.split(self.key(x), rows, length)
        value = self.split(self.value(x), rows, length)
        shares = self.softmax(self.product_turned(query, key) + hidden)
        mixed = ops.reshape(ops.transpose(self.product(shares, value), (0, 2, 1, 3)), (rows, length, width))
        x = self.mixed_norm(self.mixed(mixed) + x)
        return self.outer_norm(self.outer(self.gelu(self.inner(x))) + x)


class _Bert(nn.Cell):
    def __init__(self, named: _Named, config: Config) -> None:
        super().__init__()
        self.words = named.table("embeddings.word_embeddings.weight")
        self.positions = named.table("embeddings.position_embeddings.weight")
        self.norm = named.norm("embeddings.LayerNorm")
        self.layers = nn.CellList([_Layer(named, f"encoder.layer.{layer}", config) for layer in range(config.layers)])
        self.pooler = named.dense("pooler.dense")
        self.tanh = nn.Tanh()
        self.classifier = named.dense("classifier")

    def construct(self, ids: Any, mask: Any) -> Any:
        seen = ops.cast(mask, ms.float32)
        hidden = ops.expand_dims(ops.expand_dims((1.0 - seen) * MASKED, 1), 1)
        length = ids.shape[1]
        x = self.norm(ops.gather(self.words, ids, 0) + self.positions[:length])
        for layer in self.layers:
            x = layer(x, hidden)
        tokens = ops.maximum(ops.ReduceSum(keep_dims=True)(seen, 1), ms.Tensor(1.0, ms.float32))
        mean = ops.ReduceSum()(x * ops.expand_dims(seen, 2), 1) / tokens
        return self.classifier(self.tanh(self.pooler(mean)))


class _Loss(nn.Cell):
    def __init__(self, network: Any) -> None:
        super().__init__()
        self.network = network
        self.entropy = nn.CrossEntropyLoss()

    def construct(self, ids: Any, mask: Any, labels: Any) -> Any:
        return self.entropy(self.network(ids, mask), labels)


class _Step(nn.Cell):
    def __init__(self, loss: Any, optimizer: Any) -> None:
        super().__init__()
        self.optimizer = optimizer
        self.gradients = ops.value_and_grad(loss, None, optimizer.parameters)

    def construct(self, ids: Any, mask: Any, labels: Any) -> Any:
        loss, gradients = self.gradients(ids, mask, labels)
        self.optimizer(ops.clip_by_global_norm(gradients, CLIP_NORM))
        return loss


def _open() -> list[Any]:
    """ids and mask of any batch and length."""
    return [ms.Tensor(shape=[None, None], dtype=ms.int32) for _ in range(2)]


class MindSporeModel:
    """A backend: see headrace.quality.backend."""

    def __init__(self, config: Config, weights: Weights, rates: list[float], device: str) -> None:
        use(device or "CPU")
        ms.set_deterministic(True)
        self.version = f"mindspore {ms.__version__}"
        named = _Named(weights)
        network = _Bert(named, config)
        self._parameters = named.parameters
        optimizer = nn.Adam(list(named.parameters.values()), learning_rate=rates, beta1=BETAS[0], beta2=BETAS[1], eps=EPSILON_ADAM)
        self._step = _Step(_Loss(network), optimizer)
        self._step.set_train()
        self._config = config
        self._inference: Any = None

    def step(self, batch: TrainingBatch) -> float:
        self._inference = None
        return float(self._step(ms.Tensor(batch.ids), ms.Tensor(batch.mask), ms.Tensor(batch.labels)).asnumpy())

    def _trained(self) -> Any:
        """A network of the weights as they are, for any shape."""
        if self._inference is None:
            self._inference = _Bert(_Named(self.weights()), self._config)
            self._inference.set_train(False)
            self._inference.set_inputs(*_open())
        return self._inference

    def logits(self, ids: Ids, mask: Ids) -> NDArray[np.float32]:
        return np.asarray(self._trained()(ms.Tensor(ids), ms.Tensor(mask)).asnumpy(), np.float32)

    def weights(self) -> Weights:
        return {name: np.array(parameter.asnumpy(), np.float32) for name, parameter in self._parameters.items()}

    def write(self, folder: Path, name: str, proof: Sequence[tuple[Ids, Ids]]) -> dict[str, float]:
        checkpoint, mindir = folder / f"{name}.ckpt", folder / f"{name}.mindir"
        with whole(checkpoint) as made:
            ms.save_checkpoint([{"name": key, "data": ms.Tensor(values)} for key, values in self.weights().items()], str(made))
        with whole(mindir) as made:
            ms.export(self._trained(), *_open(), file_name=str(made), file_format="MINDIR")
        read = load_mindir(mindir)
        difference = float(np.max([np.abs(read(ids, mask) - self.logits(ids, mask)).max() for ids, mask in proof]))
        if not difference <= 1e-4:
            raise Internal(f"{mindir}: read back, it differs from the trained model by {difference:.3g}; please report it")
        return {mindir.name: difference}


def load_mindir(path: Path) -> Any:
    """A function of (ids, mask) → logits."""
    try:
        graph = nn.GraphCell(ms.load(str(path)))
    except (RuntimeError, ValueError, TypeError) as error:
        raise Corrupt(f"{path}: no MindIR that mindspore {ms.__version__} reads: {str(error).strip().splitlines()[0]}") from error
    return lambda ids, mask: np.asarray(graph(ms.Tensor(ids), ms.Tensor(mask)).asnumpy(), np.float32)


def start(config: Config, weights: Weights, rates: list[float], device: str) -> MindSporeModel:
    return MindSporeModel(config, weights, rates, device)
