# SPDX-License-Identifier: Apache-2.0
"""headrace.Feed: arrays, order, state."""

import gc
import json
import threading

import headrace
import numpy as np
import pytest
from small_run import LENGTH
from headrace.feed import parse_bytes


def feed(run, **options):
    return headrace.Feed(run.shards, **{"batch": 4, "seed": 7, "epochs": 1, **options})


def ids(batches):
    return [int(sample) for batch in batches for sample in batch["sample_ids"]]


def test_arrays_of_a_batch(run):
    batch = next(feed(run, length=LENGTH))
    assert {name: (array.dtype, array.shape) for name, array in batch.items()} == {
        "tokens": (np.int32, (4, LENGTH)),
        "labels": (np.int32, (4, LENGTH)),
        "segment_ids": (np.int32, (4, LENGTH)),
        "sample_ids": (np.uint64, (4,)),
    }
    assert (batch["labels"][:, :-1] == batch["tokens"][:, 1:]).all()
    assert (batch["labels"][:, -1] == -100).all()
    assert (batch["segment_ids"][:, 0] == 0).all()


def test_arrays_are_views_that_outlive_batch_and_feed(run):
    source = feed(run)
    tokens = next(source)["tokens"]
    assert not tokens.flags.owndata
    before = tokens.copy()
    list(source)
    del source
    gc.collect()
    assert (tokens == before).all()
    tokens[0, 0] = 1  # writable: a view of its own batch only
    assert (next(feed(run))["tokens"] == before).all()


def test_an_epoch_has_each_sample_once(run):
    source = feed(run)
    assert sorted(ids(source)) == list(range(source.samples))
    assert source.length == LENGTH


def test_tokens_are_those_of_the_manifest_order(run):
    tokenizer = headrace.Tokenizer(headrace.read_manifest(run.shards)["tokenizer_path"])
    plain = feed(run, shuffle=False)
    batches = list(plain)
    assert ids(batches) == list(range(plain.samples))
    text = tokenizer.decode(np.concatenate([batch["tokens"].ravel() for batch in batches]))
    assert "The water of the river" in text
    assert "床前明月光" in text


@pytest.mark.parametrize("world", [1, 2, 4])
def test_any_world_sees_the_same_sequence(run, world):
    one = [set(ids([batch])) for batch in feed(run, batch=4)]
    ranks = [list(feed(run, batch=4 // world, rank=rank, world=world)) for rank in range(world)]
    together = [set().union(*(ids([rank[step]]) for rank in ranks if step < len(rank))) for step in range(len(one))]
    assert together == one


def test_state_continues_in_another_world(run):
    whole = ids(feed(run, batch=4))
    source = feed(run, batch=4)
    first = ids([next(source), next(source)])
    state = json.loads(json.dumps(source.state_dict()))
    assert set(state) == {"version", "fingerprint", "consumed"}
    assert state["consumed"] == 8
    rest = []
    for rank in range(2):
        other = feed(run, batch=2, rank=rank, world=2)
        other.load_state_dict(state)
        rest += ids(other)
    assert sorted(first + rest) == sorted(whole)
    assert first == whole[:8]


def test_a_state_of_another_order_is_refused(run):
    state = next_state(feed(run))
    with pytest.raises(headrace.InvalidArgument):
        feed(run, seed=8).load_state_dict(state)
    with pytest.raises(headrace.InvalidArgument, match="consumed"):
        feed(run).load_state_dict({"version": 1, "fingerprint": "x"})


def next_state(source):
    next(source)
    return source.state_dict()


def test_threads_share_a_feed(run):
    source, seen = feed(run, batch=1), []

    def take():
        for batch in source:
            seen.append(int(batch["sample_ids"][0]))

    threads = [threading.Thread(target=take) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == list(range(source.samples))


@pytest.mark.parametrize("options", [
    {"batch": 0}, {"batch": -1}, {"batch": 1.5}, {"rank": 2, "world": 2}, {"world": 0}, {"length": LENGTH + 1},
    {"prefetch": "much"}, {"seed": 1 << 64}, {"epochs": -1},
])
def test_options_out_of_range_are_refused(run, options):
    with pytest.raises(headrace.InvalidArgument):
        feed(run, **options)


def test_a_mix_of_sets_is_refused_by_name(run):
    with pytest.raises(headrace.Unsupported, match="weight"):
        headrace.Feed([(run.shards, 1.0)])


@pytest.mark.parametrize(("text", "size"), [("2GiB", 2 << 30), ("512 MiB", 512 << 20), ("1.5MB", 1500000), (7, 7), ("9", 9)])
def test_sizes(text, size):
    assert parse_bytes(text) == size
