# SPDX-License-Identifier: Apache-2.0
"""The online half: batches of a shard set for one rank."""

from __future__ import annotations

import operator
import os
import re
from typing import Any

from headrace import _core
from headrace.errors import InvalidArgument, Unsupported

_UNITS = {"": 1, "b": 1, "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
          "kb": 10**3, "mb": 10**6, "gb": 10**9, "tb": 10**12}


def parse_bytes(size: int | str) -> int:
    """Bytes of a size as recipes write it.

    >>> parse_bytes("2GiB"), parse_bytes("1.5 MB"), parse_bytes(4096)
    (2147483648, 1500000, 4096)
    """
    if isinstance(size, int):
        return size
    match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", size)
    if match is None or match[2].lower() not in _UNITS:
        raise InvalidArgument(f"'{size}' is no size: write a number and a unit, such as 512MiB or 2GiB")
    return int(float(match[1]) * _UNITS[match[2].lower()])


def _natural(name: str, value: int, bits: int = 32) -> int:
    """The value, if it is a whole number that fits; what else it must fulfil, the engine says."""
    if isinstance(value, bool) or not hasattr(value, "__index__") or not 0 <= operator.index(value) < 1 << bits:
        raise InvalidArgument(f"Feed: {name}={value!r} must be a whole number from 0 to 2^{bits} - 1")
    return operator.index(value)


class Feed:
    """Iterates over batches: dicts of NumPy arrays that are ready before they are asked for.

    A batch holds `tokens` and `labels` (the same moved left by one, -100 where there is no target) and `segment_ids`
    (which document of the sample a token belongs to, -1 for padding), all int32 [batch, length], and `sample_ids`,
    uint64 [batch]. The
    arrays are views of the engine's own memory, writable, and live as long as one of them does.

    A Feed goes on where it stands: a second loop over it does not begin again. Threads may share it; calls take turns.

    Args:
        set: A shard set: its folder or its manifest.json.
        batch: Samples of this rank per batch; the global batch is batch * world.
        length: Tokens per sample; must be that of the set. 0 takes the set's.
        rank: This process, from 0.
        world: All processes. All worlds see the same sequence.
        seed: Of the order. Affects results, as shuffle, lanes and window do.
        shuffle: False gives the order of the manifest, the same in each epoch.
        epochs: End after so many; None goes on for ever.
        prefetch: Bound on the bytes of ready batches, such as "2GiB". Speed only.
        threads: Readers. Speed only.
        lanes: The largest world expected, or more. Samples part inside a lane only: a set of fewer than some
            hundreds of samples per lane wants fewer lanes, 1 for a whole shuffle.
        window: Positions of a lane that are shuffled together.
    """

    def __init__(self, set: str | os.PathLike[str], *, batch: int = 1, length: int = 0, rank: int = 0, world: int = 1,
                 seed: int = 0, shuffle: bool = True, epochs: int | None = None, prefetch: int | str = "256MiB",
                 threads: int = 2, lanes: int = 64, window: int = 4096) -> None:
        if isinstance(set, (list, tuple)):
            raise Unsupported("Feed: a mix of several sets, (set, weight), is not in this version; give one shard set")
        self._core = _core.Feed(
            set=set, length=_natural("length", length), seed=_natural("seed", seed, 64), shuffle=bool(shuffle),
            lanes=_natural("lanes", lanes), window=_natural("window", window), batch=_natural("batch", batch),
            rank=_natural("rank", rank), world=_natural("world", world),
            epochs=None if epochs is None else _natural("epochs", epochs, 64),
            prefetch_bytes=_natural("prefetch", parse_bytes(prefetch), 64), threads=_natural("threads", threads))

    def __iter__(self) -> Feed:
        return self

    def __next__(self) -> dict[str, Any]:
        return self._core.next()

    @property
    def samples(self) -> int:
        """Samples in one epoch, all ranks together."""
        return self._core.samples

    @property
    def length(self) -> int:
        """Tokens per sample."""
        return self._core.length

    def state_dict(self) -> dict[str, Any]:
        """Where the feed stands after the last batch it gave, as plain JSON; the same on every rank."""
        return self._core.state()

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """Continues from a state of a feed over the same set and order, on any world and with any batch."""
        missing = [key for key in ("version", "fingerprint", "consumed") if key not in state]
        if missing:
            raise InvalidArgument(f"load_state_dict: the state has no {', '.join(missing)}; it must be one of state_dict()")
        self._core.load_state(state["version"], state["fingerprint"], state["consumed"])
