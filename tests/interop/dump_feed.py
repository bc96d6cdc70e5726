# SPDX-License-Identifier: Apache-2.0
"""Writes what headrace's own feed gives for one epoch of a shard set, in the order of the manifest, to an .npz.

    python dump_feed.py SHARDS OUT.npz

A program of its own: the package headrace and the peers under test live in different environments.
"""

import sys

import headrace
import numpy as np


def main() -> int:
    shards, out = sys.argv[1:]
    batches = list(headrace.Feed(shards, batch=7, shuffle=False, epochs=1))
    names = ("tokens", "segment_ids", "sample_ids")
    np.savez(out, **{name: np.concatenate([batch[name] for batch in batches]) for name in names})
    return 0


if __name__ == "__main__":
    sys.exit(main())
