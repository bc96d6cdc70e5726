# SPDX-License-Identifier: Apache-2.0
"""Training: what is written, that it is the same again, the same by both frameworks, and what others read in it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import onnx
import pytest
import tokenizers
from conftest import FRAMEWORKS, OPTIONS, Models, call, texts, train
from reading import onnx_scores

OWN = {"mindspore": {"quality.ckpt", "quality.mindir"}, "torch": {"quality.pt"}}


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_what_is_written(models: Models, labels: Path, framework: str):
    model = models[framework]
    shared = {"quality.onnx", "quality.card.json", "vocab.txt", "tokenizer.json"}
    assert {path.name for path in model.folder.iterdir()} == shared | OWN[framework]
    card = model.card
    assert (card["card"], card["kind"], card["model"]) == (1, "transformer", "quality.onnx")
    assert (card["positive"], card["labels"]) == ("1", ["0", "1"])
    assert card["training"]["data"] == {"files": [str(labels)], "documents": 180, "by_label": {"0": 120, "1": 60}}
    assert card["training"]["framework"].startswith(framework)
    evaluation = card["evaluation"]
    assert evaluation["data"] == {"positives": 20, "negatives": 40, "invalid": 0, "files": [str(labels)]}
    assert evaluation["average_precision"] > 0.9, "it did not learn"
    low, high = evaluation["best_f1"]["threshold_interval"]
    assert low <= evaluation["best_f1"]["threshold"] <= high
    differences = card["largest_difference"]["files"]
    assert set(differences) == {"quality.onnx"} | ({"quality.mindir"} if framework == "mindspore" else {"quality.pt"})
    assert all(value < 1e-4 for value in differences.values())
    assert len({tuple(shape) for shape in card["largest_difference"]["batches"]}) >= 3


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_card_is_what_the_model_gives(models: Models, framework: str):
    """Of the texts on which it trained and was measured, as many are at the best threshold or above as it should keep."""
    scores = onnx_scores(models[framework].folder, [text for text, _ in texts(240, 1)])
    wanted = np.array([label for _, label in texts(240, 1)]) == 1
    kept = scores >= models[framework].card["evaluation"]["best_f1"]["threshold"] - 1e-5
    assert (kept & wanted).sum() / wanted.sum() > 0.8
    assert (kept & ~wanted).sum() / (~wanted).sum() < 0.2


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_same_again(models: Models, labels: Path, tmp_path: Path, framework: str):
    again = train(framework, labels, tmp_path / "again", *OPTIONS)
    for name in ("quality.onnx", "vocab.txt", "tokenizer.json", "quality.card.json"):
        assert (again.folder / name).read_bytes() == (models[framework].folder / name).read_bytes(), name


def test_both_frameworks_make_the_same_model(models: Models):
    first, second = (models[framework].folder for framework in FRAMEWORKS)
    assert (first / "vocab.txt").read_bytes() == (second / "vocab.txt").read_bytes()
    others = [text for text, _ in texts(50, 2)]
    assert np.abs(onnx_scores(first, others) - onnx_scores(second, others)).max() < 1e-2


def test_the_graph_takes_any_shape(models: Models):
    model = onnx.load(models["mindspore"].folder / "quality.onnx")
    shapes = {v.name: [d.dim_param or d.dim_value for d in v.type.tensor_type.shape.dim] for v in [*model.graph.input, *model.graph.output]}
    assert shapes == {"input_ids": ["batch", "length"], "attention_mask": ["batch", "length"], "logits": ["batch", 2]}
    others = [text for text, _ in texts(50, 3)]
    one_by_one = onnx_scores(models["mindspore"].folder, others, batch=1)
    assert np.abs(one_by_one - onnx_scores(models["mindspore"].folder, others, batch=50)).max() < 1e-5


def test_both_files_of_the_vocabulary_give_the_same_ids(models: Models):
    folder = models["torch"].folder
    by_json = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    by_list = tokenizers.BertWordPieceTokenizer.from_file(str(folder / "vocab.txt"))
    odd = ["Café 石山水runs", "[SEP] [MASK]x", "", "\u0000\u200b a\tb", "x" * 150, "ÀÉ…—“引”", "한국어 カナ"]
    for text in [*odd, *(text for text, _ in texts(50, 4))]:
        assert by_json.encode(text).ids == by_list.encode(text).ids, text


def test_a_vocabulary_that_is_given(models: Models, labels: Path, tmp_path: Path):
    vocabulary = models["torch"].folder / "vocab.txt"
    model = train("torch", labels, tmp_path / "given", *OPTIONS, "--steps", 2, "--vocabulary", vocabulary)
    assert (model.folder / "vocab.txt").read_bytes() == vocabulary.read_bytes()


def test_labels_of_the_audit_page_and_more_than_two(tmp_path: Path):
    path = tmp_path / "labels.jsonl"
    lines = []
    for number, (text, label) in enumerate(texts(90, 5)):
        lines.append({"id": f"0:{number}", "text": text, "label": 1 - label, "decision": "unsure"})
        lines.append({"id": f"0:{number}", "text": text, "label": (None, 1, 0)[number % 3], "decision": "keep"})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    (tmp_path / "third.jsonl").write_text("".join(json.dumps({"text": f"三 {n}", "label": "third"}) + "\n" for n in range(20)))
    card = train("torch", path, tmp_path / "model", *OPTIONS, "--steps", 2).card
    assert card["training"]["data"]["by_label"] == {"0": 22, "1": 22}
    call("torch", "train", path, tmp_path / "third.jsonl", "--output", tmp_path / "three", *OPTIONS, "--steps", 2, "--positive", "third")
    card = json.loads((tmp_path / "three/quality.card.json").read_text())
    assert (card["labels"], card["positive"]) == (["0", "1", "third"], "third")
