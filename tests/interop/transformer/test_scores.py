# SPDX-License-Identifier: Apache-2.0
"""onnxruntime and we give the same score to every text, with weights in int8 and as floats; scores do not depend on what
stands beside a text, and models that do not fit are refused."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
import pytest
from conftest import program, records
from models import write_classifier
from onnx import helper
from tokenizers import Tokenizer

MAX_LENGTH = 48  # keeps 1,000 texts on a busy machine to a minute; the sums are those of longer texts
CLOSE = 1e-4  # probabilities
QUANTIZED = 0.1  # what int8 activations may do to one


@pytest.fixture(scope="session")
def vocabulary(data: Path) -> Path:
    return data / "tokenizers/bert-base-uncased/vocab.txt"


@pytest.fixture(scope="session")
def thousand(real_texts: list[str]) -> list[str]:
    """1,000 texts of both languages, from some words to more than fit."""
    assert len(real_texts) > 200
    places = ((real_texts[7 * i % len(real_texts)], 31 * i % 2000, 20 + 37 * i % 400) for i in range(1000))
    return [text[begin : begin + size] for text, begin, size in places]


@pytest.fixture(scope="session", params=["int8", "float"])
def model(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_classifier(tmp_path_factory.mktemp("model") / f"{request.param}.onnx", request.param)


def options(model: Path, vocabulary: Path, **more: object) -> list[str]:
    all_options = {"model": model, "tokenizer": vocabulary, "max_length": MAX_LENGTH, **more}
    return [f"{name}={value}" for name, value in all_options.items()]


def ours(texts: list[str], given: list[str], threads: int = 2, texts_per_call: int = 256) -> np.ndarray:
    output = program("HEADRACE_TRANSFORMER_RECORDS", str(threads), str(texts_per_call), *given, stdin=records(texts))
    return np.frombuffer(output, dtype="<f8")


def softmax(logits: np.ndarray) -> np.ndarray:
    powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def theirs(model: Path, encoder: Tokenizer, texts: list[str]) -> np.ndarray:
    """One text at a time, so nothing is padded."""
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    rows = []
    for sequence in encoder.encode_batch_fast(texts):
        ids = np.array([sequence.ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        rows.append(session.run(["logits"], inputs)[0])
    return softmax(np.concatenate(rows))


@pytest.fixture(scope="session")
def encoder(vocabulary: Path) -> Tokenizer:
    made = Tokenizer.from_file(str(vocabulary.with_name("tokenizer.json")))
    made.enable_truncation(MAX_LENGTH)
    return made


def test_scores_of_a_thousand_texts(model: Path, vocabulary: Path, encoder: Tokenizer, thousand: list[str]) -> None:
    assert len(thousand) == 1000
    texts = thousand if model.stem == "int8" else thousand[::5]
    wanted = theirs(model, encoder, texts)
    last = ours(texts, options(model, vocabulary))
    assert np.abs(last - wanted[:, 1]).max() < CLOSE
    assert wanted[:, 1].std() > 0.05  # the scores of this model differ
    first = ours(texts[:100], options(model, vocabulary, positive=0))
    assert np.abs(first - wanted[:100, 0]).max() < CLOSE


def test_quantized_activations_change_scores_within_bounds(
    model: Path, vocabulary: Path, thousand: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    texts = thousand[::4]
    off = ours(texts, options(model, vocabulary))
    on = ours(texts, options(model, vocabulary, quantized_activations="on"))
    error = np.abs(on - off)
    with capsys.disabled():
        print(f"\nquantized activations, {model.name}: mean {error.mean():.4f}, greatest {error.max():.4f} of a probability")
    if model.stem == "float":
        assert error.max() == 0  # only where the weights are int8
    else:
        assert 0 < error.max() < QUANTIZED


def test_batches_and_threads_change_no_bit(model: Path, vocabulary: Path, thousand: list[str]) -> None:
    texts = thousand[:100]
    reference = ours(texts, options(model, vocabulary)).tobytes()
    assert ours(texts, options(model, vocabulary), threads=1, texts_per_call=1).tobytes() == reference
    assert ours(texts, options(model, vocabulary, batch_tokens=200), threads=3, texts_per_call=70).tobytes() == reference
    backwards = ours(texts[::-1], options(model, vocabulary), texts_per_call=100)
    assert backwards[::-1].tobytes() == reference


def refused(given: list[str], says: str) -> None:
    done = subprocess.run(
        [os.environ["HEADRACE_TRANSFORMER_RECORDS"], "1", "1", *given], input="", capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert says in done.stderr


def test_the_vocabulary_of_another_model_is_refused(model: Path, data: Path) -> None:
    for name, size in (("bert-base-chinese", 21128), ("bert-base-cased", 28996)):
        path = data / "tokenizers" / name / "tokenizer.json"
        refused(options(model, path), f"has {size} tokens, the model's table 30522 rows")


def test_fixed_shapes_are_refused(model: Path, vocabulary: Path, tmp_path: Path) -> None:
    fixed = onnx.load(model)
    for value in fixed.graph.input:
        for dimension, size in zip(value.type.tensor_type.shape.dim, (1, 48)):
            dimension.Clear()
            dimension.dim_value = size
    onnx.save(fixed, tmp_path / "fixed.onnx")
    refused(options(tmp_path / "fixed.onnx", vocabulary), "is [1, 48]: it must be [?, ?]")


def test_a_model_that_scales_by_its_batch_gets_texts_one_by_one(tmp_path: Path, vocabulary: Path, thousand: list[str]) -> None:
    """As `dynamic quantization` exports: the last numbers are rounded by the range of the whole batch."""
    made = onnx.load(write_classifier(tmp_path / "int8.onnx"))
    last = made.graph.node[-1]
    last.output[0] = "exact"
    made.graph.node.extend(
        [
            helper.make_node("DynamicQuantizeLinear", ["exact"], ["rounded", "scale", "zero_point"]),
            helper.make_node("DequantizeLinear", ["rounded", "scale", "zero_point"], ["logits"]),
        ]
    )
    onnx.checker.check_model(made)
    path = tmp_path / "dynamic.onnx"
    onnx.save(made, path)
    texts = thousand[:60]
    reference = ours(texts, options(path, vocabulary), threads=1, texts_per_call=1)
    assert ours(texts, options(path, vocabulary), texts_per_call=60).tobytes() == reference.tobytes()
