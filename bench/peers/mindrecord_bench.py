# SPDX-License-Identifier: Apache-2.0
"""Writing MindRecord: our writer and mindspore.mindrecord.FileWriter, the same rows, one process each, in turn.

    tests/interop/environment mindspore   # prints FOLDER
    FOLDER/venv/bin/python bench/peers/mindrecord_bench.py PROGRAM [--rows N] [--rounds N]

PROGRAM: headrace_field_records of a release build. Both write text (some KB), a score, tokens and bytes of 2 KB into a folder of
/dev/shm; both files are read back by FileReader before any time is told. Shortest round of each; ours starts a process and
reads the rows from a pipe, and that counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from mindspore.mindrecord import FileReader, FileWriter

sys.path.append(str(Path(__file__).parents[2] / "tests" / "interop"))

import field_records as records  # noqa: E402

SCHEMA = "text:string,quality_score:float32,tokens:int32[-1],image:bytes"
THEIRS = {
    "text": {"type": "string"},
    "quality_score": {"type": "float32"},
    "tokens": {"type": "int32", "shape": [-1]},
    "image": {"type": "bytes"},
}


def make(count: int) -> list[records.Row]:
    choose = np.random.default_rng(1)
    word = "the quick brown fox 跳过 "
    return [{
        "text": word * (20 + number % 150),
        "quality_score": 0.5 + number % 7,
        "tokens": choose.integers(0, 150_000, 512, dtype=np.int32),
        "image": choose.bytes(2048),
    } for number in range(count)]


def theirs(folder: Path, rows: list[records.Row]) -> float:
    begin = time.perf_counter()
    writer = FileWriter(str(folder / "theirs.mindrecord"), shard_num=1, overwrite=True)
    writer.add_schema(THEIRS, "bench")
    for at in range(0, len(rows), 1000):
        writer.write_raw_data(rows[at : at + 1000])
    writer.commit()
    return time.perf_counter() - begin


def ours(program: str, folder: Path, data: bytes) -> float:
    begin = time.perf_counter()
    subprocess.run([program, "write", "mindrecord", folder / "ours", SCHEMA], input=data, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def check(path: Path, rows: list[records.Row]) -> None:
    reader = FileReader(str(path))
    records.check(list(reader.get_next()), rows)
    reader.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("program")
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    os.environ["HEADRACE_FIELD_RECORDS"] = options.program
    rows = make(options.rows)
    data = records.encode(SCHEMA, rows)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as name:
        folder = Path(name)
        times: dict[str, list[float]] = {"ours": [], "theirs": []}
        for _ in range(options.rounds):
            times["ours"].append(ours(options.program, folder, data))
            times["theirs"].append(theirs(folder, rows))
        for file in ("ours", "theirs"):
            check(folder / f"{file}.mindrecord", rows)
    megabytes = len(data) / 1e6
    for file, seconds in times.items():
        print(f"{file:7} {min(seconds):7.3f} s  {megabytes / min(seconds):7.0f} MB/s  {options.rows / min(seconds):9.0f} rows/s")
    print(f"ratio   {min(times['theirs']) / min(times['ours']):7.1f}")


if __name__ == "__main__":
    main()
