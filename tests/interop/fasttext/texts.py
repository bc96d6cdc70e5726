# SPDX-License-Identifier: Apache-2.0
"""Documents to compare on: all text below a folder, whatever it is packed in, and hostile bytes from a seed."""

from __future__ import annotations

import bz2
import gzip
import io
import random
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES = 1 << 14  # of a document

# What has split tokenizers before: labels, the end of the line, separators, bytes that are not UTF-8.
PARTS = [
    b"</s>", b"</s", b"__label__en", b"__label__zz", b"__label__", b"\x80\x81", b"\xe4\xb8", b"\xf0\x9f\x98\x80", b"hello", b"\0",
    b"\xff\xfe", b"\xc3\xa9", b" ", b"\t", b"\r", b"\x0b", b"\x0c", "中文字符没有空格".encode(), b"\x80" * 9, b"a" * 100, b"<", b">",
    b"the", "привет".encode(), b"sixteen_bytes_xx", b"seventeen_bytes_x", "é".encode() * 40, "的".encode(), b"and",
]


def hostile_documents(count: int, seed: int) -> list[bytes]:
    # Longer ones would show libfasttext's rounding: it adds one row ten thousands of times in single precision.
    draw = random.Random(seed)
    documents = [b"", b" ", b"\0", "北京".encode() * 2000, b"w" * 7000]
    while len(documents) < count:
        document = b"".join(draw.choice(PARTS) + b" " * (draw.random() < 0.4) for _ in range(draw.randint(0, 25)))
        if draw.random() < 0.2:
            document += draw.randbytes(draw.randint(1, 60)).replace(b"\n", b" ")
        documents.append(document)
    return documents


def unpacked(path: Path) -> Iterator[bytes]:
    """The files in a file: of archives all members, of compressed files the content."""
    data = path.read_bytes()
    if path.suffix in (".gz", ".bz2"):
        data = gzip.decompress(data) if path.suffix == ".gz" else bz2.decompress(data)
    if path.name.removesuffix(".gz").endswith(".tar"):
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                if member.isfile():
                    yield archive.extractfile(member).read()
    elif path.suffix == ".zip":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for member in archive.infolist():
                yield archive.read(member)
    else:
        yield data


def real_documents(folder: Path) -> Iterator[bytes]:
    """All that is UTF-8, cut at line ends; newlines become blanks, because the Python package takes one line."""
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        try:
            files = list(unpacked(path))
        except (OSError, EOFError, tarfile.TarError, zipfile.BadZipFile):
            continue  # damaged on purpose
        for data in files:
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                continue
            if b"\0" in data[:4096]:
                continue  # not text
            while data:
                end = len(data)
                if end > MOST_BYTES:
                    end = data.rfind(b"\n", 0, MOST_BYTES) + 1 or MOST_BYTES
                yield data[:end].replace(b"\n", b" ")
                data = data[end:]
