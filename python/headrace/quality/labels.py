# SPDX-License-Identifier: Apache-2.0
"""Labelled texts: JSON Lines (also .gz), Parquet, or the label file of `headrace audit` (docs/formats/labels.md)."""

from __future__ import annotations

import gzip
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from headrace.errors import Corrupt, InvalidArgument, NotFound
from headrace.quality.needs import need
from headrace.quality.random import generator

PathLike = str | os.PathLike[str]


@dataclass(frozen=True)
class Labelled:
    """Texts and the label of each, in the order in which they were read."""

    files: list[str]
    texts: list[str]
    labels: list[str]

    def by_label(self) -> dict[str, int]:
        return dict(sorted(Counter(self.labels).items()))

    def take(self, rows: Iterable[int]) -> Labelled:
        chosen = list(rows)
        return Labelled(self.files, [self.texts[row] for row in chosen], [self.labels[row] for row in chosen])


def label_of(value: object) -> str | None:
    """A label as text, None where there is none.

    >>> label_of(1), label_of(1.0), label_of("keep"), label_of(True), label_of(None)
    ('1', '1', 'keep', '1', None)
    """
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, (bool, int, float)):
        return str(int(value)) if value == int(value) else repr(float(value))
    raise ValueError(f"a label must be a string or a number, not {type(value).__name__}")


def _lines(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Each object with its line number. A last line without its end that is no JSON was cut by a power failure."""
    with gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                found = json.loads(line)
            except ValueError as error:
                if not line.endswith(b"\n"):
                    return
                raise Corrupt(f"{path}: line {number} is no JSON: {error}") from error
            if not isinstance(found, dict):
                raise Corrupt(f"{path}: line {number} is no JSON object")
            yield number, found


def _parquet(path: Path, text: str, label: str) -> Iterator[tuple[int, dict[str, Any]]]:
    polars = need("polars", f"reading {path}")
    try:
        table = polars.read_parquet(path, columns=[text, label])
    except polars.exceptions.PolarsError as error:
        raise Corrupt(f"{path}: columns '{text}' and '{label}': {error}") from error
    yield from enumerate(table.iter_rows(named=True), 1)


def _read(path: Path, text: str, label: str) -> Iterator[tuple[str, str]]:
    table = path.suffix == ".parquet"
    decided: dict[tuple[object, object], tuple[str, str]] = {}  # of an audit: the last line of a document counts
    for number, found in _parquet(path, text, label) if table else _lines(path):
        where = f"{path}: {'row' if table else 'line'} {number}"
        for key in (text, label):
            if key not in found:
                raise Corrupt(f"{where}: no '{key}'; it has {', '.join(found)}")
        try:
            value = label_of(found[label])
        except (ValueError, OverflowError) as error:
            raise Corrupt(f"{where}: {error}") from error
        content = found[text]
        audit = "decision" in found and "id" in found
        if audit:
            decided.pop((found.get("source"), found["id"]), None)
        if value is None or (content is None and not audit):
            continue
        if not isinstance(content, str):
            raise Corrupt(f"{where}: '{text}' must be a string, not {type(content).__name__}")
        if audit:
            decided[found.get("source"), found["id"]] = (content, value)
        else:
            yield content, value
    yield from decided.values()


def read_labels(paths: PathLike | Iterable[PathLike], text: str = "text", label: str = "label") -> Labelled:
    """Reads labelled texts. A text without a label is left out, and so is a text that stood before with the same label.

    Of an audit's label file the last line of each document counts.

    Raises:
        NotFound: A file is not there.
        Corrupt: A line is no JSON object, or lacks a field.
        InvalidArgument: One text has two labels, or there are fewer than two labels.
    """
    files = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    seen: dict[str, str] = {}
    for name in files:
        path = Path(name)
        if not path.is_file():
            raise NotFound(f"labels: {path} is not a file")
        for content, value in _read(path, text, label):
            if seen.setdefault(content, value) != value:
                raise InvalidArgument(f"{path}: a text has the labels '{seen[content]}' and '{value}': {content[:60]!r}; "
                                      "decide which, or take one line out")
    labelled = Labelled([str(name) for name in files], list(seen), list(seen.values()))
    if len(set(labelled.labels)) < 2:
        raise InvalidArgument(f"labels: {len(seen)} texts with the labels {sorted(set(labelled.labels))} in "
                              f"{', '.join(labelled.files) or 'no file'}; training needs two labels or more")
    return labelled


def split(labelled: Labelled, validation: float, seed: int) -> tuple[Labelled, Labelled]:
    """A training part and a held-out part with the same share of each label, drawn by the seed."""
    if not 0 < validation < 1:
        raise InvalidArgument(f"validation={validation!r} must be a share of the texts above 0 and below 1")
    held: list[int] = []
    for number, name in enumerate(sorted(set(labelled.labels))):
        rows = np.array([row for row, label in enumerate(labelled.labels) if label == name])
        count = max(1, round(validation * len(rows)))
        if count >= len(rows):
            raise InvalidArgument(f"labels: {len(rows)} texts with the label '{name}': too few to hold out "
                                  f"{validation:g} of them; label more")
        held.extend(generator(seed, "held_out", number).permutation(rows)[:count].tolist())
    apart = set(held)
    return labelled.take(row for row in range(len(labelled.texts)) if row not in apart), labelled.take(sorted(held))
