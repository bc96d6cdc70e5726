# SPDX-License-Identifier: Apache-2.0
"""The worker: rows of a run → score files by MindIR; the same scores as ONNX gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars
import pytest
from conftest import FRAMEWORKS, Models, call, texts
from headrace.mindspore import train_quality
from headrace.mindspore.__main__ import score as score_command
from headrace.quality import worker
from headrace.quality.command import main
from reading import both_ways, engine_scores, onnx_scores, write_run


def arguments(run: Path, model: Path, options: tuple[object, ...]) -> list[str]:
    return ["score", *map(str, ("--run", run, "--name", "q", "--model", model / "quality.mindir", *options))]


def score(run: Path, model: Path, *options: object) -> str:
    """In a process of its own, as curate calls it."""
    return call("mindspore", *arguments(run, model, options))[1]


def refused(capsys: pytest.CaptureFixture[str], run: Path, model: Path, *options: object) -> str:
    """The last line on standard error. In this process: importing mindspore takes seconds."""
    capsys.readouterr()
    assert main("headrace.mindspore", train_quality, (worker.add_options, score_command), arguments(run, model, options)) == 1
    return capsys.readouterr().err.strip().splitlines()[-1]


def test_scores_of_a_run(models: Models, tmp_path: Path):
    folder = models["mindspore"].folder
    wanted = write_run(tmp_path / "run", "q", [text for text, _ in texts(200, 6)] + ["", "  "], parts=3)
    errors = score(tmp_path / "run", folder)
    assert errors.splitlines()[-1] == "score: 153 documents in 3 parts, 0 without a valid score; 0 parts were there"
    fresh = tmp_path / "run/scores/q/fresh"
    assert {path.name for path in fresh.iterdir()} == set(wanted)
    for name, rows in wanted.items():
        table = polars.read_parquet(fresh / name)
        assert dict(table.schema) == {"id": polars.UInt64, "value": polars.Float64, "label": polars.String}
        assert table["id"].to_list() == [row[0] for row in rows]
        assert table["label"].null_count() == len(rows)
        assert np.abs(table["value"].to_numpy() - onnx_scores(folder, [row[1] for row in rows])).max() < 1e-5

    # A part that is gone is made again, the same; the others stay as they are.
    before = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in fresh.iterdir()}
    (fresh / "part-00001.parquet").unlink()
    (fresh / "part-00002.parquet").write_bytes(before["part-00002.parquet"][0][:-9])
    errors = score(tmp_path / "run", folder, "--batch", 5)
    assert errors.splitlines()[-1].endswith("in 2 parts, 0 without a valid score; 1 parts were there")
    assert (fresh / "part-00000.parquet").stat().st_mtime_ns == before["part-00000.parquet"][1]
    for name, rows in wanted.items():
        values = polars.read_parquet(fresh / name)["value"].to_numpy()
        assert np.abs(values - onnx_scores(folder, [row[1] for row in rows])).max() < 1e-5


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_the_engine_scores_as_onnxruntime(models: Models, tmp_path: Path, framework: str):
    folder = models[framework].folder
    documents = [text for text, _ in texts(300, 7)]
    scores = engine_scores(folder, documents, tmp_path)
    assert scores.std() > 0.05, "the documents do not differ"
    assert np.abs(scores - onnx_scores(folder, documents)).max() < 1e-4


def test_the_engine_scores_as_the_worker(models: Models, tmp_path: Path):
    """One model as ONNX and as MindIR in one run: float32 on both sides, sums in another order, so equal to 1e-4."""
    onnx, mindir = both_ways(models["mindspore"].folder, [text for text, _ in texts(300, 8)], tmp_path)
    assert len(onnx) > 250 and mindir.std() > 0.05, "the documents do not differ"
    assert np.abs(onnx - mindir).max() < 1e-4


@pytest.mark.parametrize("options, message", [
    (["--model", "no.mindir"], "no.mindir is not a file"),
    (["--tokenizer", "no.json"], "no.json is not a file"),
    (["--max-length", "64"], "max_length=64 must be 3 to 48"),
    (["--name", "other"], "curate writes it before it calls this"),
    (["--device", "Abacus"], "device='Abacus'"),
])
def test_what_can_not_be_scored(models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str):
    write_run(tmp_path / "run", "q", ["a"], parts=1)
    assert message in refused(capsys, tmp_path / "run", models["mindspore"].folder, *options)


def test_files_that_do_not_belong_together(models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    write_run(tmp_path / "run", "q", ["a"], parts=1)
    model = tmp_path / "model"
    model.mkdir()
    for name in ("quality.mindir", "vocab.txt"):
        (model / name).write_bytes((models["mindspore"].folder / name).read_bytes())
    assert "no card beside it (quality.card.json)" in refused(capsys, tmp_path / "run", model)

    card = (models["mindspore"].folder / "quality.card.json").read_text(encoding="utf-8")
    (model / "quality.card.json").write_text(card.replace('"labels": [', '"labels": ["more",'), encoding="utf-8")
    assert "has 3 labels; they do not belong together" in refused(capsys, tmp_path / "run", model)

    (model / "quality.card.json").write_text(card, encoding="utf-8")
    (model / "quality.mindir").write_bytes((model / "quality.mindir").read_bytes()[:5000])
    assert "quality.mindir" in refused(capsys, tmp_path / "run", model)

    (tmp_path / "run/normalized/part-00000.parquet").unlink()
    assert "part-00000.parquet: not there" in refused(capsys, tmp_path / "run", models["mindspore"].folder)


def test_a_vocabulary_of_another_model(models: Models, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """More tokens than the model has rows: they would be read behind the table."""
    write_run(tmp_path / "run", "q", ["a"], parts=1)
    vocabulary = (models["mindspore"].folder / "vocab.txt").read_text(encoding="utf-8")
    (tmp_path / "vocab.txt").write_text(vocabulary + "more\n", encoding="utf-8")
    errors = refused(capsys, tmp_path / "run", models["mindspore"].folder, "--tokenizer", tmp_path / "vocab.txt")
    tokens = len(vocabulary.splitlines())
    assert f"has {tokens + 1} tokens and the model {tokens}" in errors
