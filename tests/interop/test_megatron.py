# SPDX-License-Identifier: Apache-2.0
"""Megatron-Core reads our shards: its own IndexedDataset and GPTDataset, every token."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from types import SimpleNamespace

import corpus
import numpy as np
import pytest
from conftest import ShardSet, command, open_set, run_with_headrace
from megatron.core.datasets.gpt_dataset import GPTDataset, GPTDatasetConfig
from megatron.core.datasets.indexed_dataset import IndexedDataset
from megatron.core.datasets.utils import Split
from megatron_reading import check_every_shard, cut_at


@pytest.mark.parametrize("mmap", [True, False], ids=["mmap", "file"])
def test_every_shard_token_for_token(made: ShardSet, mmap: bool) -> None:
    check_every_shard(made, mmap)


def test_named_set() -> None:
    """The same on a set that exists already, such as that of the demo: HEADRACE_SHARDS."""
    folder = os.environ.get("HEADRACE_SHARDS")
    if folder is None:
        pytest.skip("HEADRACE_SHARDS names no further shard set")
    check_every_shard(open_set(Path(folder)), mmap=True)


def test_our_feed_reads_what_megatron_reads(made: ShardSet, tmp_path: Path) -> None:
    out = tmp_path / "feed.npz"
    run_with_headrace("dump_feed.py", str(made.folder), str(out))
    feed = np.load(out)
    samples = check_every_shard(made, mmap=True)
    assert np.array_equal(feed["sample_ids"], np.arange(len(samples)))
    assert np.array_equal(feed["tokens"], samples)
    # A document ends with its end token; the next token is the next document's.
    end = int(samples.max())
    ends_before = np.cumsum(samples == end, axis=1) - (samples == end)
    assert np.array_equal(feed["segment_ids"], ends_before)


def test_text_comes_out_as_it_went_in(in_order: ShardSet) -> None:
    """Samples laid end to end and cut at the end tokens are the documents, byte for byte, each once."""
    stream = check_every_shard(in_order, mmap=True).reshape(-1)
    parts, rest = cut_at(stream, end=int(stream.max()))
    documents = [part.astype(np.uint8).tobytes().decode() for part in parts]
    expected = sorted(corpus.texts())
    missing = sorted(set(expected) - set(documents))
    assert len(documents) == len(set(documents))
    assert set(documents) <= set(expected)
    # What does not fill the last samples is left over, and is told: no more than the manifest says may miss.
    leftover = in_order.manifest["leftover_tokens"] + rest.size
    assert sum(len(text.encode()) + 1 for text in missing) == leftover


def test_gpt_dataset_trains_on_our_samples(made: ShardSet, tmp_path: Path) -> None:
    """One epoch of the dataset that Megatron trains on gives each of our samples once, uncut."""
    length = made.manifest["sequence_length"]
    config = GPTDatasetConfig(
        random_seed=1234,
        sequence_length=length,
        split="1,0,0",
        reset_position_ids=False,
        reset_attention_mask=False,
        eod_mask_loss=False,
        create_attention_mask=False,
        add_extra_token_to_sequence=False,
        path_to_cache=str(tmp_path),
        mmap_bin_files=True,
        tokenizer=SimpleNamespace(vocab_size=made.manifest["vocabulary_size"], eod=int(1e9), unique_identifiers={}),
    )
    for prefix in made.prefixes():
        ours = IndexedDataset(prefix)
        theirs = GPTDataset(
            ours, prefix, np.arange(len(ours), dtype=np.int32), num_samples=None, index_split=Split.train, config=config
        )
        assert len(theirs) == len(ours)
        given = sorted(theirs[i]["tokens"].numpy().tolist() for i in range(len(theirs)))
        assert given == sorted(ours[i].tolist() for i in range(len(ours)))


def test_verify_agrees(made: ShardSet) -> None:
    assert json.loads(command("verify", str(made.folder), "--json"))["ok"]


def flip_bit(path: Path, byte: int) -> None:
    content = bytearray(path.read_bytes())
    content[byte] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize("suffix", [".bin", ".idx", ".bin.hri"])
def test_verify_finds_one_bit(made: ShardSet, tmp_path: Path, suffix: str) -> None:
    """One flipped bit of the last token, or at the end of an index: exit code 1, and the shard is named."""
    copy = Path(shutil.copytree(made.folder, tmp_path / "copy"))
    damaged = made.manifest["shards"][1]
    path = copy / (damaged["path"].removesuffix(".bin") + suffix)
    width = np.dtype(made.manifest["token_type"]).itemsize
    flip_bit(path, path.stat().st_size - width)
    report = json.loads(command("verify", str(copy), "--json", exit_code=1))
    assert not report["ok"]
    assert {found["shard"] for found in report["broken"]} == {damaged["path"]}
    if suffix == ".bin":
        last = damaged["samples"] - 1
        assert last in {found["sample"] for found in report["broken"]}
        # Megatron reads the damaged token without a word: that is what the sidecar is for.
        whole, broken = IndexedDataset(made.prefixes()[1]), IndexedDataset(str(path).removesuffix(suffix))
        assert np.flatnonzero(whole[last] != broken[last]).tolist() == [made.manifest["sequence_length"] - 1]
