# SPDX-License-Identifier: Apache-2.0
"""MindRecord: MindDataset and FileReader read ours, and we read FileWriter's; one shard has its bytes."""

from __future__ import annotations

import os
import shutil
import sqlite3
import sys
from pathlib import Path

import mindspore.dataset
import numpy as np
import pytest
from mindspore.mindrecord import FileReader, FileWriter

sys.path.append(str(Path(__file__).parents[1]))

import field_records as records  # noqa: E402  of the folder above

os.environ.setdefault("HEADRACE_FIELD_RECORDS", str(Path(__file__).parents[3] / "build-dev" / "tests" / "headrace_field_records"))

THEIRS = {
    "text": {"type": "string"},
    "domain": {"type": "string"},
    "quality_score": {"type": "float32"},
    "position": {"type": "int64"},
    "tokens": {"type": "int32", "shape": [-1]},
    "image": {"type": "bytes"},
}
RAW = ["domain", "position", "quality_score", "text"]  # FileWriter indexes all of them


def write_set(folder: Path, rows: list[records.Row], shards: int, **options: object) -> list[Path]:
    names = [f"语料-{number:05}.mindrecord" for number in range(shards)]
    for number, name in enumerate(names):
        part = rows[number * len(rows) // shards : (number + 1) * len(rows) // shards]
        prefix = folder / name.removesuffix(".mindrecord")
        records.write("mindrecord", prefix, records.SCHEMA, part, names="+".join(names), number=number, **options)
    return [folder / name for name in names]


def from_reader(path: Path | list[str]) -> list[records.Row]:
    reader = FileReader(path if isinstance(path, list) else str(path))
    rows = list(reader.get_next())
    reader.close()
    return rows


def from_dataset(path: Path, **options: object) -> list[records.Row]:
    dataset = mindspore.dataset.MindDataset(str(path), num_parallel_workers=1, **options)
    rows = []
    for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
        row = dict(row)
        if "image" in row:
            row["image"] = row["image"].tobytes()
        for name in ("text", "domain"):
            if name in row:
                row[name] = str(row[name])
        rows.append(row)
    return rows


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "中文 集"
    made.mkdir()
    return made


def test_mindspore_reads_ours_of_sixteen_shards(folder: Path) -> None:
    rows = records.make_rows(330)
    paths = write_set(folder, rows, 16, header=1 << 14, page=1 << 15)
    records.check(from_reader(paths[5]), rows)
    records.check(from_reader([str(path) for path in paths[2:4]]), rows[2 * 330 // 16 : 4 * 330 // 16])
    found = from_dataset(paths[0], shuffle=False)
    records.check(found, rows)
    assert found[0]["tokens"].dtype == np.int32
    assert found[0]["quality_score"].dtype == np.float32
    # The folder may move, a file may not.
    moved = folder.parent / "moved"
    folder.rename(moved)
    records.check(from_dataset(moved / paths[0].name, shuffle=False), rows)


def test_partitions_hold_every_row_once(folder: Path) -> None:
    rows = records.make_rows(320)
    paths = write_set(folder, rows, 16)
    positions: list[int] = []
    for rank in range(4):
        part = from_dataset(paths[0], num_shards=4, shard_id=rank, shuffle=False)
        assert len(part) == 80
        positions += [int(row["position"]) >> 33 for row in part]
    assert sorted(positions) == list(range(320))
    shuffled = [int(row["position"]) >> 33 for row in from_dataset(paths[0], shuffle=True)]
    assert sorted(shuffled) == list(range(320))
    assert shuffled != list(range(320))


def test_columns_of_the_index(folder: Path) -> None:
    rows = records.make_rows(60)
    paths = write_set(folder, rows, 2, index="domain+position")
    found = from_dataset(paths[0], columns_list=["position", "domain"], shuffle=False)
    records.check(found, [{"position": row["position"], "domain": row["domain"]} for row in rows])


def test_tokens_alone_and_an_empty_shard(folder: Path) -> None:
    rows = [{"input_ids": np.arange(number + 1, dtype=np.int32) * 997} for number in range(50)]
    names = "a.mindrecord+b.mindrecord+c.mindrecord"
    for number, part in enumerate((rows[:20], [], rows[20:])):
        records.write("mindrecord", folder / "abc"[number], "input_ids:int32[-1]", part, names=names, number=number)
    records.check(from_dataset(folder / "a.mindrecord", shuffle=False), rows)
    records.check(from_reader(folder / "a.mindrecord"), rows)


def test_a_row_that_fills_a_page(folder: Path) -> None:
    rows = [{"data": bytes([1 + number]) * size} for number, size in enumerate((5, 32768 - 8, 7, 20000, 20000))]
    (path, *_) = records.write("mindrecord", folder / "a", "data:bytes", rows, header=1 << 14, page=1 << 15)
    records.check(from_reader(path), rows)


def file_writer(path: Path, rows: list[records.Row], shards: int = 1) -> None:
    writer = FileWriter(str(path), shard_num=shards, overwrite=True)
    writer.set_header_size(1 << 14)
    writer.set_page_size(1 << 15)
    writer.add_schema(THEIRS, "")
    # A NumPy number is no number for it.
    plain = [{**row, "position": int(row["position"]), "quality_score": float(row["quality_score"])} for row in rows]
    writer.write_raw_data(plain)
    writer.commit()


@pytest.mark.parametrize("shards", [1, 4])
def test_we_read_a_file_writers(folder: Path, shards: int) -> None:
    rows = records.make_rows(100)
    file_writer(folder / "theirs", rows, shards)
    paths = [folder / "theirs"] if shards == 1 else [folder / f"theirs{number}" for number in range(shards)]
    found = [row for path in paths for row in records.read("mindrecord", path)]
    records.check(sorted(found, key=lambda row: int(row["position"])), rows)


def test_one_shard_has_the_bytes_of_a_file_writers(folder: Path) -> None:
    rows = records.make_rows(25)
    (path, *_) = records.write("mindrecord", folder / "same", records.SCHEMA, rows, index="+".join(RAW), header=1 << 14, page=1 << 15)
    ours = path.read_bytes()
    select = "SELECT * FROM INDEXES ORDER BY ROW_ID"
    our_rows = sqlite3.connect(f"{path}.db").execute(select).fetchall()
    theirs = folder / "theirs"
    theirs.mkdir()
    file_writer(theirs / "same.mindrecord", rows)
    assert (theirs / "same.mindrecord").read_bytes() == ours
    assert sqlite3.connect(theirs / "same.mindrecord.db").execute(select).fetchall() == our_rows


def test_renamed_and_lonely_files_are_refused(folder: Path) -> None:
    file_writer(folder / "a.mindrecord", records.make_rows(5))
    shutil.copy(folder / "a.mindrecord", folder / "b.mindrecord")
    assert "index database" in records.refused("mindrecord", folder / "b.mindrecord")
    shutil.copy(folder / "a.mindrecord.db", folder / "b.mindrecord.db")
    assert "'a.mindrecord'" in records.refused("mindrecord", folder / "b.mindrecord")
