# SPDX-License-Identifier: Apache-2.0
"""Models read by onnxruntime and tokenizers, without headrace, and by its engine; the parts of a run that the worker sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnxruntime
import polars
import tokenizers


def onnx_scores(folder: Path, texts: list[str], batch: int = 7) -> np.ndarray:
    """Probability of the card's positive label, texts in their order in batches of their own lengths."""
    card = json.loads((folder / "quality.card.json").read_text(encoding="utf-8"))
    positive = card["labels"].index(card["positive"])
    tokenizer = tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(card["training"]["max_length"])
    session = onnxruntime.InferenceSession(folder / "quality.onnx", providers=["CPUExecutionProvider"])
    scores = []
    for begin in range(0, len(texts), batch):
        tokenizer.enable_padding()
        encoded = tokenizer.encode_batch(texts[begin : begin + batch])
        feed = {"input_ids": np.array([e.ids for e in encoded]), "attention_mask": np.array([e.attention_mask for e in encoded])}
        logits = session.run(["logits"], feed)[0].astype(np.float64)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        scores.append((powers / powers.sum(axis=1, keepdims=True))[:, positive])
    return np.concatenate(scores)


def engine_scores(folder: Path, texts: list[str], work: Path) -> np.ndarray:
    """The same by `headrace score apply`, texts from a file."""
    documents, scores = work / "documents.jsonl", work / "scores.parquet"
    documents.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    command = [os.environ["HEADRACE_COMMAND"], "score", "apply", "--kind", "transformer", "--model", folder / "quality.onnx"]
    done = subprocess.run([*command, documents, "--output", scores], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    values = polars.read_parquet(scores)["value"].to_numpy()
    assert len(values) == len(texts)
    return values


def both_ways(folder: Path, texts: list[str], work: Path) -> tuple[np.ndarray, np.ndarray]:
    """The scores of one run with the model twice: ONNX in the engine, and MindIR by the worker that the run starts."""
    documents, recipe, run = work / "both.jsonl", work / "both.yaml", work / "both"
    documents.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts), encoding="utf-8")
    recipe.write_text(json.dumps({
        "sources": [{"domain": "d", "paths": [str(documents)]}], "judge": {"rules": {}},
        "score": [{"onnx": {"kind": "transformer", "model": str(folder / "quality.onnx")}},
                  {"mindir": {"kind": "mindspore", "model": str(folder / "quality.mindir"), "python": sys.executable}}],
    }), encoding="utf-8")
    command = [os.environ["HEADRACE_COMMAND"], "run", recipe, "--output", run, "-q"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    onnx, mindir = (polars.read_parquet(run / "scores" / name / "*.parquet") for name in ("onnx", "mindir"))
    assert onnx["id"].to_list() == mindir["id"].to_list()
    return onnx["value"].to_numpy(), mindir["value"].to_numpy()
def write_run(run: Path, name: str, texts: list[str], parts: int) -> dict[str, list[tuple[int, str]]]:
    """Parts of normalized texts; every row but each fourth is wanted. Returns the wanted rows of each part."""
    (run / "normalized").mkdir(parents=True)
    (run / "scores" / name / "wanted").mkdir(parents=True)
    wanted = {}
    for part in range(parts):
        rows = [((part << 40) + 10 * number, text) for number, text in enumerate(texts[part::parts])]
        file = f"part-{part:05}.parquet"
        polars.DataFrame(rows, schema={"id": polars.UInt64, "text": polars.String}, orient="row").write_parquet(run / "normalized" / file)
        wanted[file] = [row for number, row in enumerate(rows) if number % 4 != 3]
        ids = polars.DataFrame({"id": [row[0] for row in wanted[file]]}, schema={"id": polars.UInt64})
        ids.write_parquet(run / "scores" / name / "wanted" / file)
    return wanted
