# SPDX-License-Identifier: Apache-2.0
"""Hugging Face `tokenizers` and headrace.Tokenizer give the same ids for the real text of the five-domain corpus.

A bounded part of it: every n-th document. tokenizer_differential.py compares all texts, fuzzed ones too.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from conftest import FiveDomains, run_with_headrace
from tokenizers import Tokenizer

MOST_BYTES = 8 << 20  # of text: a second or a few for each tokenizer


def documents(kept: list[str]) -> list[str]:
    """Documents of all domains, which follow each other in `kept`, evenly spaced."""
    step = -(-sum(len(text.encode()) for text in kept) // MOST_BYTES)
    return kept[::step]


@pytest.mark.parametrize("name", ["gpt2", "qwen3", "llama3", "deepseek_v3"])
def test_same_ids(five_domains: FiveDomains, tmp_path: Path, name: str) -> None:
    texts = documents(five_domains.kept)
    assert sum(len(text.encode()) for text in texts) > MOST_BYTES // 2
    path = five_domains.tokenizer.parents[1] / name / "tokenizer.json"
    (tmp_path / "texts.json").write_text(json.dumps(texts), encoding="utf-8")
    run_with_headrace("encode_texts.py", str(path), str(tmp_path / "texts.json"), str(tmp_path / "ids.npz"))
    ours = np.load(tmp_path / "ids.npz")
    assert ours["counts"].size == len(texts)
    ids = np.split(ours["ids"], np.cumsum(ours["counts"])[:-1])

    oracle = Tokenizer.from_file(str(path))
    oracle.encode_special_tokens = True  # what looks like a special token in a text is text
    differing = []
    for begin in range(0, len(texts), 1000):
        batch = oracle.encode_batch_fast(texts[begin : begin + 1000], add_special_tokens=False)
        differing += [i for i, theirs in enumerate(batch, begin) if not np.array_equal(theirs.ids, ids[i])]
    assert [texts[i][:200] for i in differing[:5]] == []
    assert len(differing) == 0
