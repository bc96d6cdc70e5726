# SPDX-License-Identifier: Apache-2.0
"""headrace: curates training corpora and feeds them to accelerators.

>>> import headrace
>>> run = headrace.run("recipe.yaml", output="runs/x")                # doctest: +SKIP
>>> for batch in headrace.Feed(run.shards, batch=8, epochs=1):        # doctest: +SKIP
...     batch["tokens"].shape
"""

import contextlib
import importlib

with contextlib.suppress(ImportError):  # it refuses NumPy 1, which MindSpore needs; then no one else uses its libraries
    import pyarrow.parquet as _  # noqa: F401  pyarrow's libraries first, so that they bind to themselves (docs/decisions/0005)

from headrace._core import Tokenizer, __version__, read_manifest, verify_shards
from headrace.errors import (AlreadyExists, Cancelled, Corrupt, Error, Internal, InvalidArgument, NotFound,
                             ResourceExhausted, Unavailable, Unsupported)
from headrace.feed import Feed
from headrace.run import Run, run

__all__ = [
    "AlreadyExists", "Cancelled", "Corrupt", "Error", "Feed", "Internal", "InvalidArgument", "NotFound",
    "ResourceExhausted", "Run", "Tokenizer", "Unavailable", "Unsupported", "__version__", "read_manifest", "run",
    "verify_shards",
]

# Parts of the fixed surface that this version does not have. Named, so that nobody takes it for a typing mistake.
_LATER = {
    "CheckpointWriter": "writing checkpoints at a limited rate",
}


class _Later(Unsupported, AttributeError):
    """Unsupported, and an AttributeError for hasattr()."""


def __getattr__(name: str) -> object:
    if name in ("mindspore", "torch"):  # parts that are imported when they are used
        return importlib.import_module(f"headrace.{name}")
    if name in _LATER:
        raise _Later(f"headrace.{name} is not in version {__version__}: {_LATER[name]}")
    raise AttributeError(f"module 'headrace' has no attribute '{name}'")
