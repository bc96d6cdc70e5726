# SPDX-License-Identifier: Apache-2.0
"""Large compressed files: cut at frames and members, or read by one task that free threads help; always the same bytes."""

import gzip
import json
import os
import random

import pyarrow
import pytest
from small_corpus import digest, recipe
from test_resume import kill_and_resume


def make_lines(megabytes, seed=5):
    """JSON Lines that compress to some two thirds: a task weighs 4 MiB on disk at least."""
    rng = random.Random(seed)
    lines, size = [], 0
    while size < megabytes * 1e6:
        text = "".join(map(chr, rng.choices(range(0x4E00, 0x9FA5), k=rng.randint(50, 2000))))
        line = json.dumps({"text": text, "url": f"http://x/{len(lines)}"}, ensure_ascii=False).encode() + b"\n"
        if rng.random() < 0.02:
            line = rng.choice([b"\n", b'{"text": "cut off\n', b'{"body": "x"}\n', b'{"text": "\xff"}\n'])
        lines.append(line)
        size += len(line)
    return b"".join(lines)


def zstd_frame(data):
    return bytes(pyarrow.compress(data, codec="zstd", asbytes=True))


def zstd_frame_without_size(data):
    sink = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return sink.getvalue().to_pybytes()


def gzip_member(data):
    return gzip.compress(data, 1, mtime=0)


PACKERS = {"zst": zstd_frame, "unsized.zst": zstd_frame_without_size, "gz": gzip_member}


def write_framed(path, data, pack, mean_bytes=400_000, seed=11):
    """Frames that end anywhere, some of them right behind a newline."""
    rng = random.Random(seed)
    with open(path, "wb") as file:
        begin = 0
        while begin < len(data):
            end = begin + rng.randint(1, 2 * mean_bytes)
            if rng.random() < 0.3:
                end = data.find(b"\n", end) + 1 or len(data)
            file.write(pack(data[begin:end]))
            begin = end


def big_recipe(folder, path):
    recipe_path = folder / f"{path.name}.yaml"
    recipe_path.write_text(recipe(folder, sources=[{"domain": "web", "paths": [str(path)], "format": "jsonl"}]))
    return recipe_path


@pytest.fixture(scope="module")
def lines():
    return make_lines(14)


def documents(headrace, run):
    """Every record but for the name of its file."""
    records = [record for which in ("--kept", "--dropped", "--quarantined") for record in headrace.lines("cat", run, which)]
    for record in records:
        del record["source"]
    return records


@pytest.mark.parametrize("kind", PACKERS)
def test_cut_files_give_the_same_on_any_threads(headrace, tmp_path, lines, kind):
    packed, plain = tmp_path / f"x.{kind}", tmp_path / "x.jsonl"
    write_framed(packed, lines, PACKERS[kind])
    plain.write_bytes(lines)
    path = big_recipe(tmp_path, packed)
    for threads in (1, 2, 5):
        headrace("run", path, "--output", tmp_path / f"run{threads}", "-q", "--threads", threads)
    assert len(list((tmp_path / "run1/normalized").iterdir())) > 1, "the file was not cut"
    assert digest(tmp_path / "run1") == digest(tmp_path / "run2") == digest(tmp_path / "run5")
    # Ids are offsets in the decompressed file: those of the plain one.
    headrace("run", big_recipe(tmp_path, plain), "--output", tmp_path / "plain", "-q")
    assert documents(headrace, tmp_path / "run2") == documents(headrace, tmp_path / "plain")


@pytest.mark.parametrize("pack", [zstd_frame, gzip_member])
def test_files_that_can_not_be_cut_give_the_same_on_any_threads(headrace, tmp_path, lines, pack):
    packed = tmp_path / "x.packed"
    packed.write_bytes(pack(lines))
    path = big_recipe(tmp_path, packed)
    for threads in (1, 2, 5):
        headrace("run", path, "--output", tmp_path / f"run{threads}", "-q", "--threads", threads)
    assert len(list((tmp_path / "run1/normalized").iterdir())) == 1
    assert digest(tmp_path / "run1") == digest(tmp_path / "run2") == digest(tmp_path / "run5")


def test_killed_inside_a_file(headrace, tmp_path, lines):
    packed = tmp_path / "x.gz"
    write_framed(packed, lines, gzip_member)
    kill_and_resume(headrace, big_recipe(tmp_path, packed), tmp_path, kills=8, seed=4)
    assert json.loads((tmp_path / "killed/splits.json").read_text())["files"]


def test_a_changed_file_is_cut_anew(headrace, tmp_path, lines):
    packed = tmp_path / "x.zst"
    write_framed(packed, lines, zstd_frame)
    path = big_recipe(tmp_path, packed)
    headrace("run", path, "--output", tmp_path / "run", "-q")
    before = (tmp_path / "run/splits.json").read_text()
    write_framed(packed, lines, zstd_frame, seed=12)
    os.utime(packed, ns=(1, 1))
    headrace("run", path, "--output", tmp_path / "run", "-q")
    headrace("run", path, "--output", tmp_path / "fresh", "-q")
    assert (tmp_path / "run/splits.json").read_text() != before
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")
