# SPDX-License-Identifier: Apache-2.0
"""webdataset reads our archives, and we read those of its TarWriter and of Python's tarfile."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import field_records as records
import numpy as np
import pytest
import webdataset

KEYED = "__key__:string," + records.SCHEMA


def keyed_rows(count: int) -> list[records.Row]:
    rows = records.make_rows(count)
    for number, row in enumerate(rows):
        row["__key__"] = f"部/{'k' * (number % 160)}{number}"
    return rows


def test_webdataset_reads_ours(tmp_path: Path) -> None:
    rows = keyed_rows(200)
    (path, _) = records.write("webdataset", tmp_path / "中文-000000", KEYED, rows)
    found = []
    for sample in webdataset.WebDataset(str(path), shardshuffle=False).decode():
        found.append({
            "__key__": sample["__key__"],
            "text": sample["text"],
            "domain": sample["domain.txt"],
            "quality_score": sample["quality_score.npy"],
            "position": sample["position.npy"],
            "tokens": sample["tokens.npy"],
            "image": sample["image"],
        })
    records.check(found, rows)
    assert found[0]["tokens"].dtype == np.int32


def test_tarfile_and_system_tar_agree(tmp_path: Path) -> None:
    rows = keyed_rows(50)
    (path, _) = records.write("webdataset", tmp_path / "a", KEYED, rows)
    with tarfile.open(path) as archive:
        members = archive.getmembers()
        texts = [archive.extractfile(member) for member in members if member.name.endswith(".text")]
        assert [text.read().decode() for text in texts if text is not None] == [row["text"] for row in rows]
    assert len(members) == 6 * len(rows)
    assert {member.mtime for member in members} == {0}


def test_we_read_a_tar_writers(tmp_path: Path) -> None:
    path = tmp_path / "a.tar"
    with webdataset.TarWriter(str(path)) as writer:
        for number in range(100):
            key = f"样本{number}" + "n" * (number * 2)
            writer.write({"__key__": key, "txt": f"text {number}", "cls": number, "ids.npy": np.arange(number + 1)})
    found = records.read("webdataset", path)
    assert [row["__key__"] for row in found] == [f"样本{number}" + "n" * (number * 2) for number in range(100)]
    assert [row["txt"] for row in found] == [f"text {number}" for number in range(100)]
    assert [row["cls"] for row in found] == [str(number) for number in range(100)]
    assert all(np.array_equal(row["ids"], np.arange(number + 1)) for number, row in enumerate(found))


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT, tarfile.USTAR_FORMAT])
def test_we_read_every_form_of_tar(tmp_path: Path, form: int) -> None:
    path = tmp_path / "a.tar"
    folder = "d" * 120 if form == tarfile.USTAR_FORMAT else "目" * 120
    with tarfile.open(path, "w", format=form) as archive:
        for number in range(20):
            info = tarfile.TarInfo(f"{folder}/{'k' * 80}{number}.txt")
            data = f"text {number}".encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    found = records.read("webdataset", path)
    expected = [(f"{folder}/{'k' * 80}{number}", f"text {number}") for number in range(20)]
    assert [(row["__key__"], row["txt"]) for row in found] == expected
    whole = path.read_bytes()
    path.write_bytes(whole[: 5 * 1024 + 300])
    assert "cut" in records.refused("webdataset", path)
