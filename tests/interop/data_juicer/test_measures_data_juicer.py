# SPDX-License-Identifier: Apache-2.0
"""Data-Juicer's text operators, unchanged, and our columns: equal to the bit, or different as the test says."""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import struct
import subprocess
import unicodedata
from pathlib import Path
from typing import Any

import pytest

os.environ["HF_HUB_OFFLINE"] = "1"

from data_juicer.ops.filter.alphanumeric_filter import AlphanumericFilter  # noqa: E402
from data_juicer.ops.filter.average_line_length_filter import AverageLineLengthFilter  # noqa: E402
from data_juicer.ops.filter.character_repetition_filter import CharacterRepetitionFilter  # noqa: E402
from data_juicer.ops.filter.maximum_line_length_filter import MaximumLineLengthFilter  # noqa: E402
from data_juicer.ops.filter.special_characters_filter import SpecialCharactersFilter  # noqa: E402
from data_juicer.ops.filter.text_length_filter import TextLengthFilter  # noqa: E402
from data_juicer.ops.filter.word_repetition_filter import WordRepetitionFilter  # noqa: E402
from data_juicer.utils.constant import Fields  # noqa: E402

Values = dict[str, float | None]


def measure(texts: list[str]) -> list[Values]:
    documents = b"".join(struct.pack("=I", len(text.encode())) + text.encode() for text in texts)
    done = subprocess.run([os.environ["HEADRACE_MEASURE_RECORDS"]], input=documents, capture_output=True, check=True)
    values = [json.loads(line) for line in done.stdout.decode().splitlines()]
    assert len(values) == len(texts)
    return values


def theirs(operator: Any, texts: list[str]) -> list[float]:
    stats: list[dict[str, float]] = [{} for _ in texts]
    operator.compute_stats_batched({operator.text_key: list(texts), Fields.stats: stats})
    return [next(iter(value.values())) for value in stats]


def generated() -> list[str]:
    """Repetition of every kind, every sign, and texts that are nearly empty, from a seed."""
    draw = random.Random(5)
    pieces = ["立即购买！", "Call now for a free offer today!!\n", "=", "哈", "一上士", "0123456789", "½ ² ①", "🙂❤️👍🏽", "\t",
              "\u200b", "naïve café", "हिन्दी", "Москва", "〇", "，。！", "\x00\x7f", "word "]
    texts = ["".join(draw.choice(pieces) * draw.randint(1, 12) for _ in range(draw.randint(0, 20))) for _ in range(400)]
    every = [chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000]
    return texts + ["".join(every[at : at + 500]) for at in range(0, len(every), 500)]


def english(data: Path) -> list[str]:
    pages = gzip.decompress((data / "quality-labels-en/dclm/majority_data.jsonl.gz").read_bytes()).decode()
    return [json.loads(line)["text"] for line in pages.split("\n") if line]


def chinese(data: Path) -> list[str]:
    texts = []
    for path in sorted((data / "zh-fewclue/iflytek").glob("*.json.gz"))[:2]:
        records = gzip.decompress(path.read_bytes()).decode().split("\n")
        texts += [json.loads(record)["sentence"] for record in records[:500] if record]
    novel = gzip.decompress((data / "zh-novels/utf8/三国演义.txt.gz").read_bytes()).decode("utf-8", "ignore")
    return texts + [novel[at : at + 3000] for at in range(0, 300_000, 3000)]


SOURCES = {"generated": lambda _: generated(), "english": english, "chinese": chinese}


@pytest.fixture(scope="module", params=SOURCES)
def texts(request: pytest.FixtureRequest) -> list[str]:
    data = os.environ.get("HEADRACE_DATA")
    if data is None and request.param != "generated":
        pytest.skip("skipped: HEADRACE_DATA is not set")
    made = [text for text in SOURCES[request.param](Path(data or ".")) if text]
    assert len(made) >= 300
    return made


def test_special_characters(texts: list[str]) -> None:
    assert [v["special_char_share"] for v in measure(texts)] == theirs(SpecialCharactersFilter(), texts)


def test_character_repetition(texts: list[str]) -> None:
    """Below ten characters theirs is 0 and ours null. Ours are measured in pieces above 64 KiB."""
    texts = [text for text in texts if len(text.encode()) <= 65_536]
    ours = [v["char_10gram_repetition"] or 0.0 for v in measure(texts)]
    assert ours == theirs(CharacterRepetitionFilter(rep_len=10), texts)
    assert sum(value > 0 for value in ours) > 100


def test_word_repetition(texts: list[str]) -> None:
    """On plain words with one blank between, which both see alike; special characters, which theirs strips, taken out."""
    plain = [" ".join(re.findall("[a-z]+|[\u4e00-\u9fff]", re.sub("[一上士]", "", text.lower()))) for text in texts]
    plain = [text + " " + text[: len(text) // 2] for text in plain if text]
    plain = [text for text in plain if text.count(" ") < 16_384]  # longer ones are measured in pieces
    ours = [v["word_10gram_repetition"] or 0.0 for v in measure(plain)]
    assert ours == theirs(WordRepetitionFilter(rep_len=10), plain)
    assert sum(value > 0 for value in ours) > 100


def test_alphanumeric(texts: list[str]) -> None:
    """Marks (Mn, Mc) are letters of ours, other numbers (No, Nl) are alphanumeric of theirs: equal where there are none."""
    def differ(text: str) -> bool:
        return any(char.isalnum() != (unicodedata.category(char) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd"))
                   or unicodedata.category(char) in ("Mn", "Mc", "Nl", "No", "Cn", "So") for char in text)

    same = [text for text in texts if not differ(text)]
    assert len(same) > len(texts) / 4
    assert [v["alnum_share"] for v in measure(same)] == theirs(AlphanumericFilter(), same)


def test_alphanumeric_differs() -> None:
    text = "हि½Ⅷ"
    assert measure([text])[0]["alnum_share"] == 2 / 4
    assert theirs(AlphanumericFilter(), [text]) == [3 / 4]


def test_lengths(texts: list[str]) -> None:
    ours = measure(texts)
    assert [v["code_points"] for v in ours] == theirs(TextLengthFilter(), texts)


def test_lines(texts: list[str]) -> None:
    """Theirs are str.splitlines(), with white space and blank lines; ours hold more than white space, without that."""
    kept = ["\n".join(re.sub(r"\s+", " ", line).strip() for line in re.split("[\n\x0b\x0c\x1c-\x1e\x85\u2028\u2029\r]", text)
                      if line.strip() and line.isprintable()) for text in texts]
    kept = [text for text in kept if text]
    ours = measure(kept)
    assert [v["max_line_length"] for v in ours] == theirs(MaximumLineLengthFilter(), kept)
    # Theirs divides the length of the text, line ends included, by the number of lines.
    average = theirs(AverageLineLengthFilter(), kept)
    for v, value, text in zip(ours, average, kept, strict=True):
        assert value == len(text) / len(text.splitlines())
        assert v["mean_line_length"] == pytest.approx(value - (v["line_count"] - 1) / v["line_count"], rel=1e-12)
