# SPDX-License-Identifier: Apache-2.0
"""Megatron-Core reads our shards: its own IndexedDataset and GPTDataset, every token."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from types import SimpleNamespace

import corpus
import numpy as np
import pytest
from conftest import ShardSet, command, open_set
from megatron.core.datasets.gpt_dataset import GPTDataset, GPTDatasetConfig
from megatron.core.datasets.indexed_dataset import IndexedDataset
from megatron.core.datasets.utils import Split


def check_every_shard(shards: ShardSet, mmap: bool) -> np.ndarray:
    """Compares what Megatron reads with the manifest and the bytes of .bin; returns all samples in manifest order."""
    manifest = shards.manifest
    dtype = np.dtype(manifest["token_type"])
    samples: list[np.ndarray] = []
    for entry, prefix in zip(manifest["shards"], shards.prefixes(), strict=True):
        dataset = IndexedDataset(prefix, mmap=mmap)
        assert len(dataset) == entry["samples"]
        assert dataset.index.dtype == dtype
        assert (dataset.sequence_lengths == manifest["sequence_length"]).all()
        # One sample is one sequence and one document: boundaries are 0, 1, ... n.
        assert np.array_equal(dataset.document_indices, np.arange(entry["samples"] + 1))

        read = [np.array(dataset[i]) for i in range(len(dataset))]
        raw = np.fromfile(prefix + ".bin", dtype=dtype)
        assert raw.size == entry["tokens"]
        assert np.array_equal(np.concatenate(read), raw)
        assert np.array_equal(np.concatenate(dataset[0 : len(dataset)]), raw), "a slice reads the same"
        samples += read
    assert len(samples) == manifest["samples"]
    assert sum(sample.size for sample in samples) == manifest["tokens"]
    return np.stack(samples)


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
    program = Path(__file__).with_name("dump_feed.py")
    # The stand-ins for CUDA are for Megatron's environment only.
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    arguments = [os.environ["HEADRACE_PYTHON"], str(program), str(made.folder), str(out)]
    subprocess.run(arguments, env=environment, check=True)
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
    end = int(stream.max())
    ends = np.flatnonzero(stream == end)
    documents = [part.astype(np.uint8).tobytes().decode() for part in cut(stream, ends)]
    expected = sorted(corpus.texts())
    missing = sorted(set(expected) - set(documents))
    assert len(documents) == len(set(documents))
    assert set(documents) <= set(expected)
    # What does not fill the last samples is left over, and is told: no more than the manifest says may miss.
    leftover = in_order.manifest["leftover_tokens"] + (stream.size - 1 - ends[-1])
    assert sum(len(text.encode()) + 1 for text in missing) == leftover


def cut(stream: np.ndarray, ends: np.ndarray) -> list[np.ndarray]:
    starts = np.concatenate([[0], ends[:-1] + 1])
    return [stream[start:end] for start, end in zip(starts, ends, strict=True)]


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
    command("verify", str(made.folder))
