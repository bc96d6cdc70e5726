# SPDX-License-Identifier: Apache-2.0
"""Hugging Face `tokenizers` and we give the same ids for every text: the three tokenizers of BERT as tokenizer.json and
vocab.txt, whole texts and cut ones, real text and hostile ones."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest
from conftest import program, records
from tokenizer_differential import fuzzed_documents
from tokenizers import AddedToken, Tokenizer, models, normalizers, pre_tokenizers, processors

WHOLE = 1 << 30
FUZZED = 4_000


def ours(path: Path, texts: list[str], most: int = WHOLE, case: str = "lower") -> list[list[int]]:
    output = program("HEADRACE_SEQUENCE_RECORDS", str(path), str(most), case, stdin=records(texts))
    result: list[list[int]] = []
    at = 0
    while at < len(output):
        (count,) = struct.unpack_from("<I", output, at)
        result.append(list(struct.unpack_from(f"<{count}q", output, at + 4)))
        at += 4 + 8 * count
    return result


def check(path: Path, oracle: Tokenizer, texts: list[str], most: int = WHOLE, case: str = "lower") -> None:
    if most == WHOLE:
        oracle.no_truncation()
    else:
        oracle.enable_truncation(most)
    oracle.no_padding()
    got = ours(path, texts, most, case)
    assert len(got) == len(texts)
    differing = []
    for begin in range(0, len(texts), 1000):
        batch = oracle.encode_batch_fast(texts[begin : begin + 1000])
        differing += [i for i, theirs in enumerate(batch, begin) if theirs.ids != got[i]]
    shortest = min(differing, key=lambda i: len(texts[i]), default=None)
    if shortest is not None:
        theirs = oracle.encode(texts[shortest]).ids
        pytest.fail(f"{len(differing)} of {len(texts)} differ: {texts[shortest][:200]!r}\n{theirs[:60]}\n{got[shortest][:60]}")


def of_vocabulary(path: Path, lowercase: bool) -> Tokenizer:
    """What BertWordPieceTokenizer of that package makes of a vocab.txt."""
    tokenizer = Tokenizer(models.WordPiece.from_file(str(path), unk_token="[UNK]"))
    tokenizer.add_special_tokens(["[UNK]", "[SEP]", "[CLS]", "[PAD]", "[MASK]"])
    tokenizer.normalizer = normalizers.BertNormalizer(
        clean_text=True, handle_chinese_chars=True, strip_accents=None, lowercase=lowercase
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    ids = [(token, tokenizer.token_to_id(token)) for token in ("[SEP]", "[CLS]")]
    tokenizer.post_processor = processors.BertProcessing(*ids)
    return tokenizer


@pytest.fixture(scope="session")
def hostile_texts() -> list[str]:
    special = ["[CLS] a[SEP]b [MASK][UNK] [PAD]", "[cls]", "x[SEP", "a" * 101, "a" * 100, "ß" * 100 + " " + "中" * 300, ""]
    return special + fuzzed_documents(FUZZED, 17)


@pytest.fixture(params=["bert-base-uncased", "bert-base-cased", "bert-base-chinese"])
def folder(request: pytest.FixtureRequest, data: Path) -> Path:
    return data / "tokenizers" / request.param


def test_tokenizer_json_on_real_text(folder: Path, real_texts: list[str]) -> None:
    path = folder / "tokenizer.json"
    check(path, Tokenizer.from_file(str(path)), real_texts)


def test_tokenizer_json_on_hostile_text(folder: Path, hostile_texts: list[str]) -> None:
    path = folder / "tokenizer.json"
    check(path, Tokenizer.from_file(str(path)), hostile_texts)


@pytest.mark.parametrize("most", [3, 64, 512])
def test_cut_texts(folder: Path, real_texts: list[str], hostile_texts: list[str], most: int) -> None:
    path = folder / "tokenizer.json"
    check(path, Tokenizer.from_file(str(path)), real_texts[::5] + hostile_texts[::5], most)


@pytest.mark.parametrize("case", ["lower", "cased"])
@pytest.mark.parametrize("name", ["bert-base-uncased", "bert-base-chinese"])
def test_vocabulary(data: Path, real_texts: list[str], hostile_texts: list[str], name: str, case: str) -> None:
    path = data / "tokenizers" / name / "vocab.txt"
    check(path, of_vocabulary(path, case == "lower"), real_texts[::5] + hostile_texts[::5], WHOLE, case)


@pytest.mark.parametrize("parts", range(16))
def test_each_part_of_the_normalizer(data: Path, hostile_texts: list[str], tmp_path: Path, parts: int) -> None:
    content = json.loads((data / "tokenizers/bert-base-uncased/tokenizer.json").read_text(encoding="utf-8"))
    names = ["clean_text", "handle_chinese_chars", "strip_accents", "lowercase"]
    content["normalizer"] |= {name: bool(parts >> bit & 1) for bit, name in enumerate(names)}
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    check(path, Tokenizer.from_file(str(path)), hostile_texts[:: 4 if parts not in (0, 15) else 1])


def test_added_tokens_that_are_normalized(data: Path, hostile_texts: list[str], tmp_path: Path) -> None:
    oracle = Tokenizer.from_file(str(data / "tokenizers/bert-base-uncased/tokenizer.json"))
    oracle.add_tokens([AddedToken("HELLO", normalized=True), AddedToken("É b", normalized=True), "中国", AddedToken("Ab", rstrip=True)])
    oracle.add_special_tokens([AddedToken("<|im_start|>", lstrip=True)])
    path = tmp_path / "tokenizer.json"
    oracle.save(str(path))
    check(path, oracle, ["hello HELLO Hello", "e b É b", "a中国b", *hostile_texts])
