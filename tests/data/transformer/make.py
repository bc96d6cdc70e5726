# SPDX-License-Identifier: Apache-2.0
"""Makes the small models of src/score/transformer_test.cc, and what onnxruntime says of some texts:

    $(tests/interop/environment transformer)/venv/bin/python tests/data/transformer/make.py

A BERT in miniature: token and place embeddings (places are looked up, or cut from the table), one layer of masked
attention, the mean of its rows, a linear head. The row of the token `nan` holds no number.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

HERE = Path(__file__).parent
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "of", "word", "##s", "a", "##b", "nan", ".", "中", "国", "long", "##er"]
PLACES = 40
WIDTH = 8
TEXTS = ["", "the word", "The words of a.", "中国 longer", "ab the " * 30]
TEXTS += ["unknown word", "a", "the word of nan", "longer longer of the words ."]


def found_places() -> list[onnx.NodeProto]:
    return [
        helper.make_node("Shape", ["input_ids"], ["shape"]),
        helper.make_node("Gather", ["shape", "one"], ["length"]),
        helper.make_node("Range", ["zero", "length", "one"], ["range"]),
        helper.make_node("Gather", ["places", "range"], ["place"]),
    ]


def cut_places() -> list[onnx.NodeProto]:
    return [
        helper.make_node("Shape", ["input_ids"], ["length"], start=1, end=2),
        helper.make_node("Slice", ["places", "first", "length"], ["place"]),
    ]


def model(classes: int, seed: int, output: str = "logits") -> onnx.ModelProto:
    draw = np.random.default_rng(seed)
    constants = {
        "tokens": draw.normal(0, 1, (len(WORDS), WIDTH)).astype(np.float32),
        "places": draw.normal(0, 0.3, (PLACES, WIDTH)).astype(np.float32),
        **{name: draw.normal(0, 0.6, (WIDTH, WIDTH)).astype(np.float32) for name in ("query", "key", "value")},
        "head": draw.normal(0, 1, (WIDTH, classes)).astype(np.float32),
        "bias": draw.normal(0, 0.3, classes).astype(np.float32),
        "zero": np.array(0, dtype=np.int64),
        "first": np.array([0], dtype=np.int64),
        "one": np.array(1, dtype=np.int64),
        "middle": np.array([1], dtype=np.int64),
        "last": np.array([2], dtype=np.int64),
        "far": np.array(-1e4, dtype=np.float32),
        "whole": np.array(1, dtype=np.float32),
    }
    constants["tokens"][WORDS.index("nan")] = np.nan
    node = helper.make_node
    nodes = [
        node("Gather", ["tokens", "input_ids"], ["found"]),
        *(found_places() if classes < 3 else cut_places()),
        node("Add", ["found", "place"], ["x"]),
        *[node("MatMul", ["x", name], [name + "_x"]) for name in ("query", "key", "value")],
        node("Transpose", ["key_x"], ["key_t"], perm=[0, 2, 1]),
        node("MatMul", ["query_x", "key_t"], ["all_scores"]),
        node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        node("Sub", ["whole", "mask"], ["hidden"]),
        node("Mul", ["hidden", "far"], ["distance"]),
        node("Unsqueeze", ["distance", "middle"], ["distance3"]),
        node("Add", ["all_scores", "distance3"], ["scores"]),
        node("Softmax", ["scores"], ["weights"], axis=-1),
        node("MatMul", ["weights", "value_x"], ["attended"]),
        node("Add", ["x", "attended"], ["y"]),
        node("Unsqueeze", ["mask", "last"], ["mask3"]),
        node("Mul", ["y", "mask3"], ["kept"]),
        node("ReduceSum", ["kept", "middle"], ["sum"], keepdims=0),
        node("ReduceSum", ["mask", "middle"], ["count"], keepdims=1),
        node("Div", ["sum", "count"], ["mean"]),
        node("MatMul", ["mean", "head"], ["product"]),
        node("Add", ["product", "bias"], ["logits"]),
    ]
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "length"]) for name in ("input_ids", "attention_mask")]
    shape = ["batch", classes] if output == "logits" else ["batch", "length", WIDTH]
    outputs = [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)]
    used = {name for each in nodes for name in each.input}
    weights = [numpy_helper.from_array(value, name) for name, value in constants.items() if name in used]
    graph = helper.make_graph(nodes, "tiny", inputs, outputs, weights)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(made)
    return made


def tokenizer(path: Path) -> Tokenizer:
    made = Tokenizer(models.WordPiece.from_file(str(path), unk_token="[UNK]"))
    made.normalizer = normalizers.BertNormalizer()
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    made.enable_truncation(PLACES)
    return made


def main() -> None:
    (HERE / "vocab.txt").write_text("\n".join(WORDS) + "\n", encoding="utf-8")
    encoder = tokenizer(HERE / "vocab.txt")
    expected: dict[str, object] = {"texts": TEXTS, "ids": [encoder.encode(text).ids for text in TEXTS]}
    for name, classes in (("tiny", 2), ("one_logit", 1), ("three_classes", 3)):
        path = HERE / f"{name}.onnx"
        onnx.save(model(classes, classes), path)
        session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
        rows = []
        for text in TEXTS:
            ids = np.array([encoder.encode(text).ids], dtype=np.int64)
            (logits,) = session.run(["logits"], {"input_ids": ids, "attention_mask": np.ones_like(ids)})
            rows.append([None if np.isnan(value) else float(value) for value in logits[0]])
        expected[name] = rows
    onnx.save(model(2, 2, output="kept"), HERE / "no_classifier.onnx")
    onnx.save(model(2, 2), HERE / "external.onnx", save_as_external_data=True, location="external.weights", size_threshold=0)
    (HERE / "external.weights").unlink()
    (HERE / "expected.json").write_text(json.dumps(expected, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
