# SPDX-License-Identifier: Apache-2.0
"""Weights → an ONNX model with dynamic batch and length, and the proof that it says what the framework says.

Written from the weights because exporters trace one shape: MindSpore's keeps it in its constants
(docs/decisions/0038). Inputs `input_ids` and `attention_mask`, int64 [batch, length]; output `logits`, float [batch,
labels]. Opset 17, the first with LayerNormalization.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import Internal
from headrace.quality.bert import EPSILON, MASKED, Config, Weights
from headrace.quality.files import whole
from headrace.quality.needs import need
from headrace.quality.vocabulary import Ids

Logits = Callable[[Ids, Ids], NDArray[np.float32]]

OPSET = 17
LARGEST_DIFFERENCE = 1e-4


class _Graph:
    """Nodes in order; each method adds some and returns the name of what they make."""

    def __init__(self, weights: Weights) -> None:
        self._onnx = need("onnx", "writing ONNX")
        self._weights = weights
        self._held: dict[str, Any] = {}
        self.nodes: list[Any] = []

    def held(self, name: str, values: NDArray[Any]) -> str:
        """An array that the model carries."""
        if name not in self._held:
            self._held[name] = self._onnx.numpy_helper.from_array(np.ascontiguousarray(values), name)
        return name

    def integers(self, *values: int) -> str:
        return self.held("int_" + "_".join(map(str, values)), np.array(values, np.int64))

    def number(self, value: float) -> str:
        return self.held(f"float_{value!r}", np.array(value, np.float32))

    def weight(self, name: str) -> str:
        return self.held(name, self._weights[name])

    def add(self, operator: str, *inputs: str, **attributes: object) -> str:
        name = f"{operator.lower()}_{len(self.nodes)}"
        self.nodes.append(self._onnx.helper.make_node(operator, list(inputs), [name], name, **attributes))
        return name

    def dense(self, name: str, x: str) -> str:
        turned = self.held(f"{name}.weight.T", self._weights[f"{name}.weight"].T)
        return self.add("Add", self.add("MatMul", x, turned), self.weight(f"{name}.bias"))

    def norm(self, name: str, x: str) -> str:
        return self.add("LayerNormalization", x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), axis=-1,
                        epsilon=EPSILON)

    def gelu(self, x: str) -> str:
        cube = self.add("Mul", self.add("Mul", x, x), x)
        inner = self.add("Add", x, self.add("Mul", cube, self.number(0.044715)))
        curve = self.add("Tanh", self.add("Mul", inner, self.number(sqrt(2 / pi))))
        return self.add("Mul", self.add("Mul", x, self.number(0.5)), self.add("Add", curve, self.number(1.0)))

    def finish(self, logits: str, config: Config) -> Any:
        helper, types = self._onnx.helper, self._onnx.TensorProto
        self.nodes.append(helper.make_node("Identity", [logits], ["logits"], "logits"))
        inputs = [helper.make_tensor_value_info(name, types.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")]
        output = helper.make_tensor_value_info("logits", types.FLOAT, ["batch", config.labels])
        graph = helper.make_graph(self.nodes, "quality", inputs, [output], list(self._held.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], producer_name="headrace", ir_version=8)
        self._onnx.checker.check_model(model)
        return model


def _attention(g: _Graph, name: str, x: str, mask: str, config: Config) -> str:
    width = config.width // config.heads

    def heads(part: str, order: Sequence[int]) -> str:
        split = g.add("Reshape", g.dense(f"{name}.self.{part}", x), g.integers(0, 0, config.heads, width))
        return g.add("Transpose", split, perm=list(order))

    query = g.add("Mul", heads("query", (0, 2, 1, 3)), g.number(1 / sqrt(width)))
    weights = g.add("Softmax", g.add("Add", g.add("MatMul", query, heads("key", (0, 2, 3, 1))), mask), axis=-1)
    mixed = g.add("Transpose", g.add("MatMul", weights, heads("value", (0, 2, 1, 3))), perm=[0, 2, 1, 3])
    joined = g.add("Reshape", mixed, g.integers(0, 0, config.width))
    return g.norm(f"{name}.output.LayerNorm", g.add("Add", g.dense(f"{name}.output.dense", joined), x))


def build(config: Config, weights: Weights) -> Any:
    """The model, an onnx.ModelProto."""
    g = _Graph(weights)
    length = g.add("Shape", "input_ids", start=1, end=2)
    positions = g.add("Slice", g.weight("embeddings.position_embeddings.weight"), g.integers(0), length)
    words = g.add("Gather", g.weight("embeddings.word_embeddings.weight"), "input_ids")
    x = g.norm("embeddings.LayerNorm", g.add("Add", words, positions))

    seen = g.add("Cast", "attention_mask", to=1)
    hidden = g.add("Mul", g.add("Sub", g.number(1.0), seen), g.number(MASKED))
    mask = g.add("Unsqueeze", hidden, g.integers(1, 2))
    for layer in range(config.layers):
        name = f"encoder.layer.{layer}"
        x = _attention(g, f"{name}.attention", x, mask, config)
        inner = g.gelu(g.dense(f"{name}.intermediate.dense", x))
        x = g.norm(f"{name}.output.LayerNorm", g.add("Add", g.dense(f"{name}.output.dense", inner), x))

    total = g.add("ReduceSum", g.add("Mul", x, g.add("Unsqueeze", seen, g.integers(2))), g.integers(1), keepdims=0)
    tokens = g.add("Max", g.add("ReduceSum", seen, g.integers(1), keepdims=1), g.number(1.0))
    pooled = g.add("Tanh", g.dense("pooler.dense", g.add("Div", total, tokens)))
    return g.finish(g.dense("classifier", pooled), config)


def reference(model: Any) -> Logits:
    """The model run by onnx's own reference, in NumPy: slow and independent of what the weights come from."""
    evaluator = need("onnx.reference", "checking ONNX").ReferenceEvaluator(model)

    def logits(ids: Ids, mask: Ids) -> NDArray[np.float32]:
        feed = {"input_ids": ids.astype(np.int64), "attention_mask": mask.astype(np.int64)}
        return np.asarray(evaluator.run(["logits"], feed)[0], np.float32)

    return logits


def write_proved(path: Path, model: Any, framework: Logits, batches: Sequence[tuple[Ids, Ids]]) -> float:
    """Writes a model that gives the framework's own logits on all batches; returns the largest difference.

    Raises:
        Internal: They differ by more than 1e-4, or one is not finite. Nothing is written.
    """
    ours = reference(model)
    differences = [np.abs(ours(ids, mask) - framework(ids, mask)).max() for ids, mask in batches]
    largest = float(np.max(differences))
    if not largest <= LARGEST_DIFFERENCE:
        raise Internal(f"{path}: not written: on batches of the shapes {[ids.shape for ids, _ in batches]} the ONNX graph and "
                       f"the trained model differ by {largest:.3g}, allowed is {LARGEST_DIFFERENCE:g}; please report it")
    with whole(path) as made:
        made.write_bytes(model.SerializeToString(deterministic=True))
    return largest
