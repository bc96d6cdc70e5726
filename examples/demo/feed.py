# SPDX-License-Identifier: Apache-2.0
"""Feeds a shard set to two ranks, stops in the middle, goes on with four; proves that no sample was lost or repeated.

    python examples/demo/feed.py runs/demo/shards
"""

from __future__ import annotations

import json
import sys

import headrace
import numpy as np

SEED = 7
GLOBAL_BATCH = 16  # samples per step, all ranks together


def open_feeds(shards: str, world: int, state: str | None = None) -> list[headrace.Feed]:
    """One feed per rank. In training each rank is a process of its own; here they take turns in one."""
    feeds = [
        headrace.Feed(shards, batch=GLOBAL_BATCH // world, rank=rank, world=world, seed=SEED, epochs=1)
        for rank in range(world)
    ]
    if state is not None:
        for feed in feeds:
            feed.load_state_dict(json.loads(state))
    return feeds


def check(batch: dict[str, np.ndarray]) -> None:
    """Labels are the tokens moved left by one; the last place of a sample has none."""
    assert batch["tokens"].dtype == np.int32 and batch["sample_ids"].dtype == np.uint64
    assert np.array_equal(batch["labels"][:, :-1], batch["tokens"][:, 1:])
    assert (batch["labels"][:, -1] == -100).all()


def steps(feeds: list[headrace.Feed], limit: int | None = None) -> list[list[int]]:
    """The sample ids of each global step, to the end of the epoch or `limit` steps far."""
    ids: list[list[int]] = []
    while limit is None or len(ids) < limit:
        batches = [batch for batch in (next(feed, None) for feed in feeds) if batch is not None]
        if not batches:
            break
        for batch in batches:
            check(batch)
        ids.append(sorted(int(i) for batch in batches for i in batch["sample_ids"]))
    return ids


def main() -> int:
    shards = sys.argv[1]

    straight = steps(open_feeds(shards, world=1))
    samples = sum(len(step) for step in straight)

    feeds = open_feeds(shards, world=2)
    begun = steps(feeds, limit=len(straight) // 2)
    states = {json.dumps(feed.state_dict(), sort_keys=True) for feed in feeds}
    assert len(states) == 1, "ranks in step have one state"
    state = states.pop()
    del feeds
    print(f"  2 ranks, {len(begun)} steps of {GLOBAL_BATCH} samples, then stopped; all there is to keep:")
    print(f"    {state}")

    resumed = steps(open_feeds(shards, world=4, state=state))
    print(f"  4 ranks went on for {len(resumed)} steps to the end of the epoch")

    seen = [i for step in begun + resumed for i in step]
    assert len(seen) == len(set(seen)), "a sample was fed twice"
    assert sorted(seen) == list(range(samples)), "a sample was missed"
    assert begun + resumed == straight, "each step holds the samples that one rank alone would have got"
    print(f"  {samples:,} samples, each once; every step holds what one rank that never stopped would have got")
    return 0


if __name__ == "__main__":
    sys.exit(main())
