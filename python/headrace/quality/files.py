# SPDX-License-Identifier: Apache-2.0
"""Files that are there whole or not at all."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def whole(path: Path) -> Iterator[Path]:
    """A path to write to, in the same folder and with the same ending, which takes the name when the block ends well."""
    made = path.with_name(f".{path.stem}.unfinished{path.suffix}")
    try:
        yield made
        with made.open("rb") as file:
            os.fsync(file.fileno())
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)
