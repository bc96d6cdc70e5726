# SPDX-License-Identifier: Apache-2.0
"""Texts for the comparisons, and our programs."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path += [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "fasttext")]

import texts as text_files  # noqa: E402  of ../fasttext

FOLDERS = ["en-books-news", "quality-labels-en", "zh-novels", "zh-classical-modern", "zh-reviews", "multi-lid-test"]
MOST_BYTES = 1 << 20  # of each folder; HEADRACE_ALL_TEXT=1: all of all folders


@pytest.fixture(scope="session")
def data() -> Path:
    folder = os.environ.get("HEADRACE_DATA")
    if folder is None:
        pytest.skip("skipped: HEADRACE_DATA is not set")
    return Path(folder)


def some(documents: Iterator[bytes], most: int) -> Iterator[str]:
    size = 0
    for document in documents:
        size += len(document)
        if size > most:
            return
        yield document.decode()


@pytest.fixture(scope="session")
def real_texts(data: Path) -> list[str]:
    if os.environ.get("HEADRACE_ALL_TEXT"):
        return [document.decode() for document in text_files.real_documents(data)]
    return [text for name in FOLDERS for text in some(text_files.real_documents(data / name), MOST_BYTES)]


def records(texts: list[str]) -> bytes:
    encoded = (text.encode() for text in texts)
    return b"".join(struct.pack("<I", len(text)) + text for text in encoded)


def program(name: str, *arguments: str, stdin: bytes = b"") -> bytes:
    done = subprocess.run([os.environ[name], *arguments], input=stdin, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout
