# SPDX-License-Identifier: Apache-2.0
"""Our writers and readers of containers, driven through the program headrace_field_records."""

from __future__ import annotations

import os
import struct
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

NULL = 0xFFFFFFFF
Row = dict[str, Any]


def _call(*arguments: object, data: bytes = b"", fails: bool = False) -> bytes:
    # The stand-ins for CUDA are for torch only.
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    program = os.environ["HEADRACE_FIELD_RECORDS"]
    done = subprocess.run([program, *map(str, arguments)], input=data, capture_output=True, check=False, env=environment)
    assert (done.returncode != 0) == fails, f"headrace_field_records {arguments}: exit {done.returncode}\n{done.stderr.decode()}"
    return done.stderr if fails else done.stdout


def _encoded(value: Any, kind: str) -> bytes:
    if kind == "string":
        return value.encode()
    if kind == "bytes":
        return value
    return np.asarray(value, np.dtype(kind.split("[")[0])).tobytes()


def fields(schema: str) -> dict[str, str]:
    """Types by names, in the order of the names."""
    return dict(sorted(part.split(":") for part in schema.split(",")))


def encode(schema: str, rows: list[Row]) -> bytes:
    parts = []
    for row in rows:
        for name, kind in fields(schema).items():
            value = _encoded(row[name], kind)
            parts += [struct.pack("<I", len(value)), value]
    return b"".join(parts)


def write(container: str, prefix: Path, schema: str, rows: list[Row], **options: object) -> list[Path]:
    """Writes one shard with our writer; its files."""
    settings = [f"{name}={value}" for name, value in options.items()]
    names = _call("write", container, prefix, schema, *settings, data=encode(schema, rows)).decode().split("\n")
    return [prefix.parent / name for name in names if name]


def refused(container: str, path: Path, *schema: str) -> str:
    """What our reader says of a file that it cannot read."""
    return _call("read", container, path, *schema, fails=True).decode()


def read(container: str, path: Path, *schema: str) -> list[Row]:
    """Rows by our reader: str, bytes, NumPy numbers and arrays, None."""
    head, data = _call("read", container, path, *schema).split(b"\n", 1)
    kinds = fields(head.decode())
    rows: list[Row] = []
    at = 0
    while at < len(data):
        row: Row = {}
        for name, kind in kinds.items():
            (size,) = struct.unpack_from("<I", data, at)
            at += 4
            if size == NULL:
                row[name] = None
                continue
            value = data[at : at + size]
            at += size
            if kind == "string":
                row[name] = value.decode()
            elif kind == "bytes":
                row[name] = value
            else:
                numbers = np.frombuffer(value, np.dtype(kind.split("[")[0]))
                row[name] = numbers if "[" in kind else numbers[0]
        rows.append(row)
    return rows


def mds_index(folder: Path, names: list[str]) -> None:
    (folder / "index.json").write_bytes(_call("mds-index", folder, *names))


def same(found: Any, expected: Any) -> bool:
    if isinstance(expected, np.ndarray | list):
        return bool(np.array_equal(found, expected))
    return bool(found == expected)


def check(found: list[Row], expected: list[Row]) -> None:
    assert len(found) == len(expected)
    for number, (left, right) in enumerate(zip(found, expected, strict=True)):
        assert sorted(left) == sorted(right), number
        for name, value in right.items():
            assert same(left[name], value), f"row {number}, {name}: {left[name]!r}, expected {value!r}"


def make_rows(count: int, begin: int = 0) -> list[Row]:
    """Text in several scripts, numbers, tokens and bytes of an image; each row says where it stands."""
    rows = []
    for number in range(begin, begin + count):
        choose = np.random.default_rng(number)
        rows.append({
            "text": f"文書 {number}: café\n" + "x" * (number % 50),
            "domain": f"域{number % 3}.example",
            "quality_score": np.float32(number / 7),
            "position": np.int64(number << 33),
            "tokens": choose.integers(0, 1 << (1 + number % 30), 1 + number % 60, dtype=np.int32),
            "image": b"\xff\xd8\xff" + choose.bytes(number % 200) + b"\x01",
        })
    return rows


SCHEMA = "text:string,domain:string,quality_score:float32,position:int64,tokens:int32[-1],image:bytes"
