# SPDX-License-Identifier: Apache-2.0
"""Reads whole shard sets with Megatron-Core's own reader."""

from __future__ import annotations

import numpy as np
from conftest import ShardSet
from megatron.core.datasets.indexed_dataset import IndexedDataset


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


def cut_at(stream: np.ndarray, end: int) -> tuple[list[np.ndarray], np.ndarray]:
    """What stands before each `end` of a stream of tokens, and what stands behind the last one."""
    *parts, rest = np.split(stream, np.flatnonzero(stream == end) + 1)
    return [part[:-1] for part in parts], rest
