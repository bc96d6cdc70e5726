# SPDX-License-Identifier: Apache-2.0
"""The package tfrecord reads our records, and we read those of its writer."""

from __future__ import annotations

from pathlib import Path

import field_records as records
import numpy as np
from tfrecord.reader import tfrecord_loader
from tfrecord.writer import TFRecordWriter

DESCRIPTION = {"text": "byte", "domain": "byte", "quality_score": "float", "position": "int", "tokens": "int", "image": "byte"}


def test_tfrecord_reads_ours(tmp_path: Path) -> None:
    rows = records.make_rows(200)
    (path, _) = records.write("tfrecord", tmp_path / "a-00000-of-00001", records.SCHEMA, rows)
    found = []
    for example in tfrecord_loader(str(path), None, DESCRIPTION):
        text = {name: bytes(example[name]).decode() for name in ("text", "domain")}
        numbers = {name: example[name][0] for name in ("quality_score", "position")}
        found.append({**text, **numbers, "tokens": example["tokens"], "image": bytes(example["image"])})
    records.check(found, rows)


def test_we_read_a_tfrecord_writers(tmp_path: Path) -> None:
    rows = records.make_rows(150)
    path = tmp_path / "a.tfrecord"
    writer = TFRecordWriter(str(path))
    for row in rows:
        kinds = {name: (row[name].encode() if isinstance(row[name], str) else row[name], kind) for name, kind in DESCRIPTION.items()}
        kinds["tokens"] = (row["tokens"].tolist(), "int")
        kinds["position"] = (int(row["position"]), "int")
        kinds["quality_score"] = (float(row["quality_score"]), "float")
        writer.write(kinds)
    writer.close()
    records.check(records.read("tfrecord", path, records.SCHEMA), rows)
    untyped = records.read("tfrecord", path)
    assert untyped[3]["text"] == rows[3]["text"].encode()
    assert np.array_equal(untyped[3]["position"], [rows[3]["position"]])
