# SPDX-License-Identifier: Apache-2.0
"""StreamingDataset reads our shards, plain and compressed, and we read those of MDSWriter."""

from __future__ import annotations

import json
from pathlib import Path

import field_records as records
import numpy as np
import pytest
import streaming

COLUMNS = {
    "text": "str",
    "domain": "str",
    "quality_score": "float32",
    "position": "int64",
    "tokens": "ndarray:int32",
    "image": "bytes",
}


@pytest.fixture(autouse=True)
def _no_stale_memory() -> None:
    streaming.base.util.clean_stale_shared_memory()


@pytest.mark.parametrize("compression", ["", "zstd"])
def test_streaming_reads_ours(tmp_path: Path, compression: str) -> None:
    rows = records.make_rows(300)
    folder = tmp_path / "集"
    folder.mkdir()
    names = []
    for number, begin in enumerate(range(0, 300, 100)):
        prefix = folder / f"shard.{number:05}"
        written = records.write("mds", prefix, records.SCHEMA, rows[begin : begin + 100], compression=compression)
        names.append(written[0].name)
    records.mds_index(folder, names)
    records.check([dict(sample) for sample in streaming.StreamingDataset(local=str(folder), shuffle=False, batch_size=1)], rows)


@pytest.mark.parametrize("compression", [None, "zstd"])
def test_we_read_an_mds_writers(tmp_path: Path, compression: str | None) -> None:
    rows = records.make_rows(120)
    with streaming.MDSWriter(out=str(tmp_path / "out"), columns=COLUMNS, compression=compression, size_limit=1 << 14) as writer:
        for row in rows:
            writer.write(row)
    index = json.loads((tmp_path / "out" / "index.json").read_text())
    found = []
    for shard in index["shards"]:
        found += records.read("mds", tmp_path / "out" / (shard["zip_data"] or shard["raw_data"])["basename"])
    assert len(index["shards"]) > 1
    records.check(found, rows)


def test_our_samples_have_their_bytes(tmp_path: Path) -> None:
    """Same columns, same order: the samples of a shard are the same bytes, and so is the index but for the limit."""
    rows = records.make_rows(40)
    with streaming.MDSWriter(out=str(tmp_path / "out"), columns=COLUMNS, size_limit=None) as writer:
        for row in rows:
            writer.write(row)
    theirs = (tmp_path / "out" / "shard.00000.mds").read_bytes()
    (path, _) = records.write("mds", tmp_path / "shard.00000", records.SCHEMA, rows)
    assert path.read_bytes() == theirs
    records.mds_index(tmp_path, ["shard.00000.mds"])
    assert json.loads((tmp_path / "index.json").read_text()) == json.loads((tmp_path / "out" / "index.json").read_text())


def test_fixed_arrays(tmp_path: Path) -> None:
    rows = [{"tokens": np.arange(number, number + 16, dtype=np.uint16)} for number in range(30)]
    with streaming.MDSWriter(out=str(tmp_path / "out"), columns={"tokens": "ndarray:uint16:16"}, size_limit=None) as writer:
        for row in rows:
            writer.write(row)
    records.check(records.read("mds", tmp_path / "out" / "shard.00000.mds"), rows)
    (path, _) = records.write("mds", tmp_path / "a", "tokens:uint16[16]", rows)
    assert path.read_bytes() == (tmp_path / "out" / "shard.00000.mds").read_bytes()
