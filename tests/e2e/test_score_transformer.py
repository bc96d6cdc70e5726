# SPDX-License-Identifier: Apache-2.0
"""A recipe whose quality is told by an ONNX classifier: its card's threshold, a line moved afterwards."""

import json
import pathlib
import random
import shutil

import pyarrow.parquet as pq
import pytest
from small_corpus import digest

TINY = pathlib.Path(__file__).parents[1] / "data/transformer"
WORDS = ["the", "of", "word", "words", "a", "ab", "中国", "longer", "."]


def write_texts(path, count, seed, **of_text):
    """Texts of different scores; each hundredth has a word for which the model gives no number."""
    choose = random.Random(seed)
    with open(path, "w") as file:
        for number in range(count):
            words = [*(["nan"] if number % 100 == 99 else []), *choose.choices(WORDS, k=choose.randint(1, 30))]
            row = {"text": " ".join(words)} | {name: value(number) for name, value in of_text.items()}
            file.write(json.dumps(row) + "\n")
    return path


@pytest.fixture
def model(headrace, tmp_path):
    """With its tokenizer and, from labels that its own scores give but for some, its card."""
    folder = tmp_path / "model"
    folder.mkdir()
    for name in ("tiny.onnx", "vocab.txt"):
        shutil.copy(TINY / name, folder)
    model = folder / "tiny.onnx"
    texts = [json.loads(line)["text"] for line in write_texts(tmp_path / "texts.jsonl", 300, 1).read_text().splitlines()]
    headrace("score", "apply", "--kind", "transformer", "--model", model, tmp_path / "texts.jsonl", "--output", tmp_path / "scores.parquet")
    values = pq.read_table(tmp_path / "scores.parquet").column(1).to_pylist()
    middle = sorted(value for value in values if value is not None)[150]
    rows = [{"text": text, "label": int(value > middle) if number % 10 else number % 20 // 10}
            for number, (text, value) in enumerate(zip(texts, values, strict=True)) if value is not None]
    labelled = tmp_path / "labelled.jsonl"
    labelled.write_text("".join(json.dumps(row) + "\n" for row in rows))
    headrace("score", "eval", "--kind", "transformer", "--model", model, "--data", labelled)
    return model


def write_recipe(path, texts, model, line):
    path.write_text(json.dumps({
        "sources": [{"domain": "web", "paths": [str(texts)]}],
        "score": [{"quality": {"kind": "transformer", "model": str(model), "min": line}}],
    }))
    return path


def test_the_threshold_of_the_card_and_a_line_that_moves(headrace, tmp_path, model):
    texts = write_texts(tmp_path / "raw.jsonl", 700, 2)
    run = tmp_path / "run"
    headrace("run", write_recipe(tmp_path / "best.yaml", texts, model, "best_f1"), "--output", run, "-q")
    threshold = json.loads(model.with_suffix(".card.json").read_text())["evaluation"]["best_f1"]["threshold"]
    scores = pq.read_table(run / "scores/quality").to_pydict()
    verdicts = {row["id"]: row["reason"] for row in pq.read_table(run / "verdict").to_pylist()}
    reasons = []
    for id, scored, value in zip(scores["id"], scores["scored"], scores["value"], strict=True):
        assert scored == 1
        reasons.append("quality_invalid" if value is None else "quality_below_min" if value < threshold else "")
        assert verdicts[id] == reasons[-1]
    assert len(reasons) == 700 and reasons.count("quality_invalid") == 7
    assert reasons.count("") > 100 and reasons.count("quality_below_min") > 100

    before = digest(run / "scores")
    valid = sorted(value for value in scores["value"] if value is not None and value >= threshold)
    higher = write_recipe(tmp_path / "higher.yaml", texts, model, valid[50])
    result = headrace.json("judge", run, "--recipe", higher)
    assert result["newly_scored"] == 0 and result["newly_dropped"] == sum(value < valid[50] for value in valid)
    assert digest(run / "scores") == before
    headrace("run", higher, "--output", tmp_path / "fresh", "-q")
    assert digest(run / "verdict") == digest(tmp_path / "fresh/verdict")
