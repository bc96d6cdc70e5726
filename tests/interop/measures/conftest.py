# SPDX-License-Identifier: Apache-2.0
"""Texts in two languages, and our measures of texts."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import struct
import subprocess
import sys
import tarfile
import types
from importlib.util import find_spec
from pathlib import Path

import pytest

# dolma's packages import all their taggers and the libraries of each: a bare package in their place lets the modules
# themselves, unchanged, be imported one by one.
DOLMA = Path(find_spec("dolma").submodule_search_locations[0])
for name, folder in (("dolma", DOLMA), ("dolma.taggers", DOLMA / "taggers")):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [str(folder)]

Values = dict[str, float | None]


def measure(texts: list[str]) -> list[Values]:
    """All our measures of each text."""
    documents = b"".join(struct.pack("=I", len(text.encode())) + text.encode() for text in texts)
    done = subprocess.run([os.environ["HEADRACE_MEASURE_RECORDS"]], input=documents, capture_output=True, check=True)
    values = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(values) == len(texts)
    return values


def normal(text: str) -> str:
    """What our step `whitespace` leaves: no white space at the ends of lines and of the text, \\n alone between them.

    Control characters, which Python splits lines at or takes for white space and we do not, go as well.
    """
    text = re.sub("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]", "", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "\n".join(line.strip() for line in text.split("\n")).strip()


def plain_words(text: str) -> str:
    """Words that every tokenizer sees alike: lower-case ASCII and single Han characters, one blank between them."""
    return " ".join(re.findall("[a-z0-9]+|[\u4e00-\u9fff]", text.lower()))


def generated() -> list[str]:
    """Pages of repeated and odd lines, from a seed."""
    draw = random.Random(5)
    lines = ["", "", "Home", "About us", "The sun was out.", "To be continued...", "And so on…", "• first", "- second",
             "READ THIS NOW", "今天天气很好。", "首页", "关于我们", "他说我们走吧！", "x" * 250, "So it is, he said, for thirty",
             "We use cookies here.", "Enable JavaScript now.", "It's \"the end\"", "a b c.", "一二三四五六七八九十。"]
    return ["\n".join(draw.choice(lines) for _ in range(draw.randint(1, 40))) for _ in range(300)]


def english(data: Path) -> list[str]:
    pages = gzip.decompress((data / "quality-labels-en/dclm/majority_data.jsonl.gz").read_bytes()).decode()
    articles = json.loads((data / "html-extraction-bench/aeb/ground-truth.json").read_text(encoding="utf-8"))
    return [json.loads(line)["text"] for line in pages.split("\n") if line] + [a["articleBody"] for a in articles.values()]


def chinese(data: Path) -> list[str]:
    with tarfile.open(data / "zh-web-extraction-gbk/pages_and_truth.tar.gz") as archive:
        members = [member for member in archive.getmembers() if member.name.startswith("cleaned/") and member.isfile()]
        texts = [archive.extractfile(member).read().decode("utf-8", "ignore") for member in members]
    novel = gzip.decompress((data / "zh-novels/utf8/三国演义.txt.gz").read_bytes()).decode("utf-8", "ignore")
    texts += [novel[at : at + 3000] for at in range(0, 300_000, 3000)]
    for path in sorted((data / "zh-fewclue/iflytek").glob("*.json.gz"))[:2]:
        records = gzip.decompress(path.read_bytes()).decode().split("\n")
        texts += [json.loads(record)["sentence"] for record in records[:500] if record]
    return texts


SOURCES = {"generated": lambda _: generated(), "english": english, "chinese": chinese}


@pytest.fixture(scope="session", params=SOURCES)
def texts(request: pytest.FixtureRequest) -> list[str]:
    data = os.environ.get("HEADRACE_DATA")
    if data is None and request.param != "generated":
        pytest.skip("skipped: HEADRACE_DATA is not set")
    made = SOURCES[request.param](Path(data or "."))
    assert len(made) >= 300
    return made


@pytest.fixture(scope="session")
def pages(texts: list[str]) -> list[tuple[str, Values]]:
    """Texts in normal form that are not empty, each with our measures."""
    kept = [text for text in map(normal, texts) if text]
    return list(zip(kept, measure(kept), strict=True))


@pytest.fixture(scope="session")
def word_pages(texts: list[str]) -> list[tuple[str, Values]]:
    """Texts of nothing but plain words, each with our measures."""
    kept = [text for text in map(plain_words, texts) if text]
    return list(zip(kept, measure(kept), strict=True))
