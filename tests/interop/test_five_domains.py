# SPDX-License-Identifier: Apache-2.0
"""Megatron-Core reads the shards of the five-domain corpus: every token, every kept document.

Texts come from the tokens by Hugging Face `tokenizers`, so neither the reader nor the tokenizer is ours. In the set
without the shuffle the documents lie end to end in id order and are compared one by one. In the shuffled set documents
are cut by the ends of samples, so each piece is held against the documents that the first set gave.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

import numpy as np
import pytest
from conftest import FiveDomains
from megatron_reading import check_every_shard, cut_at
from tokenizers import Tokenizer


@dataclass(frozen=True)
class ReadInOrder:
    documents: list[np.ndarray]  # tokens of the whole documents, without the end token
    rest: np.ndarray  # the tokens behind the last whole document
    tokenizer: Tokenizer
    end: int

    def encode(self, texts: list[str]) -> list[np.ndarray]:
        return [np.array(encoding.ids) for encoding in self.tokenizer.encode_batch(texts, add_special_tokens=False)]


@pytest.fixture(scope="module")
def in_order(five_domains: FiveDomains) -> ReadInOrder:
    tokenizer = Tokenizer.from_file(str(five_domains.tokenizer))
    tokenizer.encode_special_tokens = True  # what looks like a special token in a text is text
    end = tokenizer.token_to_id(five_domains.in_order.manifest["end_token"])
    stream = check_every_shard(five_domains.in_order, mmap=True).reshape(-1)
    return ReadInOrder(*cut_at(stream, end), tokenizer, end)


def test_kept_documents_come_out_in_order(five_domains: FiveDomains, in_order: ReadInOrder) -> None:
    kept = five_domains.kept
    assert len(kept) > 90_000
    texts = in_order.tokenizer.decode_batch([part.tolist() for part in in_order.documents], skip_special_tokens=False)
    differing = [i for i, (ours, text) in enumerate(zip(kept, texts, strict=False)) if ours != text]
    assert differing == []
    # What filled no sample: the manifest says how many tokens, and with the rest of the stream they are the last texts.
    last = in_order.encode(kept[len(texts) :])
    assert 0 < len(last) < 100
    assert sum(part.size + 1 for part in last) == in_order.rest.size + five_domains.in_order.manifest["leftover_tokens"]
    assert np.array_equal(last[0][: in_order.rest.size], in_order.rest)


class Pieces:
    """Looks up token runs as beginnings, ends or insides of documents."""

    def __init__(self, documents: list[np.ndarray]) -> None:
        self.whole = {key(part) for part in documents}
        self.forward = sorted(self.whole)
        self.backward = sorted(key(part[::-1]) for part in documents)
        self.long = [part for part in documents if part.size > 1000]

    def is_beginning(self, piece: np.ndarray) -> bool:
        return begins_one(self.forward, key(piece))

    def is_end(self, piece: np.ndarray) -> bool:
        return begins_one(self.backward, key(piece[::-1]))

    def is_inside(self, piece: np.ndarray) -> bool:
        wanted = key(piece)
        return any(wanted in key(part) for part in self.long)


def key(tokens: np.ndarray) -> bytes:
    """Sorts as the tokens do."""
    return np.ascontiguousarray(tokens, dtype=">u4").tobytes()


def begins_one(ordered: list[bytes], piece: bytes) -> bool:
    place = bisect_left(ordered, piece)
    return place < len(ordered) and ordered[place].startswith(piece)


def test_shuffled_samples_are_pieces_of_kept_documents(five_domains: FiveDomains, in_order: ReadInOrder) -> None:
    documents = in_order.documents + in_order.encode(five_domains.kept[len(in_order.documents) :])
    assert len(documents) == len(five_domains.kept)
    samples = check_every_shard(five_domains.shuffled, mmap=True)
    assert len(five_domains.shuffled.manifest["shards"]) % 2 == 0

    pieces = Pieces(documents)
    seen: set[bytes] = set()
    for sample in samples:
        parts, rest = cut_at(sample, in_order.end)
        assert pieces.is_beginning(rest) if parts else pieces.is_inside(rest)
        if parts:
            assert pieces.is_end(parts[0])
        for part in parts[1:]:
            assert key(part) in pieces.whole
            assert key(part) not in seen, "a document stands in the set twice"
            seen.add(key(part))
    assert len(seen) > 0.8 * len(documents)

    # No token is lost or made up: what is missing is what the manifest calls left over.
    size = five_domains.shuffled.manifest["vocabulary_size"]
    wanted = np.bincount(np.concatenate(documents), minlength=size)
    wanted[in_order.end] += len(documents)
    missing = wanted - np.bincount(samples.reshape(-1), minlength=size)
    assert missing.min() >= 0
    assert missing.sum() == five_domains.shuffled.manifest["leftover_tokens"]
