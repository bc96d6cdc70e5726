# SPDX-License-Identifier: Apache-2.0
"""Scores the rows of a run that curate asks for. The other side is curate; docs/formats/scores.md has the folders.

    RUN/scores/NAME/wanted/part-NNNNN.parquet   id: the rows to score, ascending
    RUN/normalized/part-NNNNN.parquet           id, text
    RUN/scores/NAME/fresh/part-NNNNN.parquet    id, value (null: the model gave no valid number), label (null)

A part of `fresh` is there whole or not at all. One that is there and has the ids that are wanted is not made again.
Parquet by polars: pyarrow refuses the NumPy that MindSpore needs.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import Corrupt, InvalidArgument, NotFound
from headrace.quality.batches import by_length
from headrace.quality.bert import probabilities
from headrace.quality.files import whole
from headrace.quality.needs import need
from headrace.quality.onnx_graph import Logits
from headrace.quality.vocabulary import Vocabulary

_ROWS = 4096  # texts in memory at a time; sorted by length among themselves

Numbers = NDArray[np.float64]
RowIds = NDArray[np.uint64]


@dataclass(frozen=True)
class Card:
    """What the worker needs of a model card."""

    positive: int
    labels: int
    max_length: int
    vocabulary: int
    path: Path

    @classmethod
    def of(cls, model: Path) -> Card:
        path = model.with_suffix(".card.json")
        if not path.is_file():
            raise NotFound(f"{model}: no card beside it ({path.name}): it says which label is the positive one; "
                           "headrace.mindspore.train_quality writes it")
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            labels = [str(label) for label in found["labels"]]
            return cls(labels.index(found["positive"]), len(labels), int(found["training"]["max_length"]),
                       int(found["training"]["vocabulary_size"]), path)
        except (ValueError, KeyError, TypeError) as error:
            raise Corrupt(f"{path}: no card of a trained model: {type(error).__name__}: {error}") from error


@dataclass(frozen=True)
class TextScorer:
    """Texts → the probability of the positive label, NaN where the model gives none."""

    logits: Logits
    card: Card
    vocabulary: Vocabulary
    batch: int

    def __call__(self, texts: list[str]) -> Numbers:
        rows = self.vocabulary.encode(texts)
        scores: Numbers = np.full(len(texts), np.nan)
        for which, ids, mask in by_length(rows, self.batch, self.vocabulary.max_length, self.vocabulary.pad):
            logits = self.logits(ids, mask)
            if logits.shape != (len(ids), self.card.labels):
                raise InvalidArgument(f"the model gives {list(logits.shape)} numbers for {len(ids)} texts, but its card {self.card.path} "
                                      f"has {self.card.labels} labels; they do not belong together")
            scores[which] = probabilities(logits)[: len(which), self.card.positive]
        return scores


def open_scorer(model: Path, load: Callable[[Path], Logits], tokenizer: Path | None, max_length: int | None, batch: int) -> TextScorer:
    """Opens all, and scores one text, so that what does not fit is an error before the first part."""
    if not model.is_file():
        raise NotFound(f"model: {model} is not a file")
    card = Card.of(model)
    length = max_length or card.max_length
    if not 3 <= length <= card.max_length:
        raise InvalidArgument(f"max_length={length} must be 3 to {card.max_length}: the model has no more positions")
    if batch < 1:
        raise InvalidArgument(f"batch={batch} must be 1 or more")
    vocabulary = Vocabulary.read(tokenizer or model.with_name("vocab.txt"), length)
    if vocabulary.size != card.vocabulary:
        raise InvalidArgument(f"vocabulary: {tokenizer or model.with_name('vocab.txt')} has {vocabulary.size} tokens and the model "
                              f"{card.vocabulary}; they do not belong together")
    scorer = TextScorer(load(model), card, vocabulary, batch)
    scorer(["a"])
    return scorer


def _column(path: Path, name: str) -> Any:
    """A column as polars has it."""
    polars = need("polars", "scoring")
    try:
        return polars.read_parquet(path, columns=[name]).get_column(name)
    except FileNotFoundError as error:
        raise NotFound(f"{path}: not there") from error
    except polars.exceptions.PolarsError as error:
        raise Corrupt(f"{path}: column '{name}': {error}") from error


def _wanted_rows(part: Path, wanted: RowIds) -> NDArray[np.int64]:
    """Where the wanted ids stand in a part."""
    ids: RowIds = _column(part, "id").to_numpy()
    rows = np.searchsorted(ids, wanted)
    if len(wanted) > 0 and (len(ids) == 0 or not np.array_equal(ids[np.minimum(rows, len(ids) - 1)], wanted)):
        raise Corrupt(f"{part}: rows to score are not there; the run changed since they were asked for")
    return rows


def _score_part(part: Path, wanted: RowIds, scorer: TextScorer) -> Numbers:
    rows = _wanted_rows(part, wanted)
    texts = _column(part, "text")
    values: Numbers = np.full(len(rows), np.nan)
    for begin in range(0, len(rows), _ROWS):
        some = rows[begin : begin + _ROWS]
        values[begin : begin + _ROWS] = scorer([text or "" for text in texts.gather(some)])
    return values


def _write(path: Path, ids: RowIds, values: Numbers, invalid: NDArray[np.bool_]) -> None:
    polars = need("polars", "scoring")
    table = polars.DataFrame({"id": ids, "value": [None if bad else value for value, bad in zip(values.tolist(), invalid)],
                              "label": [None] * len(ids)},
                             schema={"id": polars.UInt64, "value": polars.Float64, "label": polars.String})
    with whole(path) as made:
        table.write_parquet(made)


def _is_done(path: Path, wanted: RowIds) -> bool:
    try:
        return path.is_file() and np.array_equal(_column(path, "id").to_numpy(), wanted)
    except Corrupt:
        return False


def score_run(run: Path, name: str, scorer: TextScorer) -> dict[str, int]:
    """Scores all that is wanted. Returns counts: parts, skipped parts, documents, invalid ones."""
    folder = run / "scores" / name
    if not (folder / "wanted").is_dir():
        raise NotFound(f"{folder / 'wanted'}: not there; curate writes it before it calls this")
    parts = sorted((folder / "wanted").glob("part-*.parquet"))
    (folder / "fresh").mkdir(exist_ok=True)
    counts = {"parts": len(parts), "skipped": 0, "documents": 0, "invalid": 0}
    for part in parts:
        wanted: RowIds = _column(part, "id").to_numpy()
        path = folder / "fresh" / part.name
        if _is_done(path, wanted):
            counts["skipped"] += 1
            continue
        values = _score_part(run / "normalized" / part.name, wanted, scorer)
        invalid = ~np.isfinite(values)
        _write(path, wanted, values, invalid)
        counts["documents"] += len(values)
        counts["invalid"] += int(invalid.sum())
    return counts


def add_options(parser: Any) -> None:
    parser.description = """\
Scores the rows of a run that `headrace run` asks for. It calls this itself, for a recipe with

  score:
    - quality: {kind: mindspore, model: models/quality/quality.mindir, min: best_f1}

Reads RUN/scores/NAME/wanted, writes RUN/scores/NAME/fresh; called again, it goes on behind the last whole part.
"""
    parser.add_argument("--run", required=True, type=Path, help="the run directory")
    parser.add_argument("--name", required=True, help="the score's name in the recipe")
    parser.add_argument("--model", required=True, type=Path, help="quality.mindir of train_quality, its card beside it")
    parser.add_argument("--tokenizer", type=Path, help="vocab.txt or tokenizer.json (vocab.txt beside the model)")
    parser.add_argument("--max-length", type=int, help="tokens of a text at most (as trained)")
    parser.add_argument("--batch", type=int, default=32, help="texts at a time; speed only (32)")
    parser.add_argument("--device", default="CPU", help="CPU, Ascend or GPU (CPU)")


def report(counts: dict[str, int]) -> None:
    print(f"score: {counts['documents']} documents in {counts['parts'] - counts['skipped']} parts, {counts['invalid']} without a valid "
          f"score; {counts['skipped']} parts were there", file=sys.stderr)
