# SPDX-License-Identifier: Apache-2.0
"""Minutes: a tiny BERT trained by MindSpore on real articles, 5,000 documents scored by MindIR, by ONNX and by the engine."""

from __future__ import annotations

import itertools
import json
import os
from pathlib import Path

import numpy as np
import polars
import pytest
from conftest import call, train
from labelled import hancd
from reading import both_ways, onnx_scores, write_run

DOCUMENTS = 5000


@pytest.fixture(scope="module")
def data() -> Path:
    if "HEADRACE_LONG" not in os.environ:
        pytest.skip("skipped: minutes; make test-long runs it")
    if "HEADRACE_DATA" not in os.environ:
        pytest.skip("skipped: HEADRACE_DATA is not set")
    return Path(os.environ["HEADRACE_DATA"])


def documents(data: Path) -> list[str]:
    """The articles, then titles of news."""
    with (data / "zh-thucnews-titles/test.txt").open(encoding="utf-8") as titles:
        both = itertools.chain((text for text, _ in hancd(data)), (line.split("\t")[0] for line in titles))
        return list(itertools.islice(both, DOCUMENTS))


def test_mindir_and_onnx_agree(data: Path, tmp_path: Path):
    labels = tmp_path / "labels.jsonl"
    labels.write_text("".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in hancd(data)), encoding="utf-8")
    model = train("mindspore", labels, tmp_path / "model", "--validation", 0.2, "--positive", 0, "--steps", 64, "--max-length", 64)
    evaluation = model.card["evaluation"]
    print(json.dumps(evaluation))
    assert evaluation["average_precision"] > 0.7, "half of the articles are clickbait"

    wanted = write_run(tmp_path / "run", "q", documents(data) * 2, parts=2)  # so that more than DOCUMENTS are wanted
    call("mindspore", "score", "--run", tmp_path / "run", "--name", "q", "--model", model.folder / "quality.mindir")
    compared, largest = 0, 0.0
    for name, rows in wanted.items():
        values = polars.read_parquet(tmp_path / "run/scores/q/fresh" / name)["value"].to_numpy()[: DOCUMENTS // 2]
        found = onnx_scores(model.folder, [text for _, text in rows[: DOCUMENTS // 2]], batch=32)
        compared += len(found)
        largest = max(largest, float(np.abs(values - found).max()))
    print(f"{compared} documents, largest difference {largest:.2g}")
    assert compared == DOCUMENTS
    assert largest < 1e-3

    # The same model in a run of the command, by the engine and by the worker.
    onnx, mindir = both_ways(model.folder, documents(data), tmp_path)
    largest = float(np.abs(onnx - mindir).max())
    print(f"engine and worker: {len(onnx)} documents, largest difference {largest:.2g}")
    assert len(onnx) == DOCUMENTS
    assert largest < 1e-3
