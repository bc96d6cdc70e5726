# SPDX-License-Identifier: Apache-2.0
"""mindspore, imported with what it needs in order to be quiet and right."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from headrace.errors import InvalidArgument, Unsupported
from headrace.quality.needs import need

os.environ.setdefault("GLOG_v", "3")  # errors only; it is read at the import
if int(np.__version__.split(".")[0]) >= 2:
    # The import and mindspore.run_check() pass, and the first call of many operators fails.
    raise Unsupported(f'headrace.mindspore: mindspore works with NumPy 1 only, and this is {np.__version__}; '
                      'use an environment of its own: pip install "mindspore==2.10.0" "numpy<2"')
ms: Any = need("mindspore", "headrace.mindspore")


def use(device: str) -> None:
    """Graph mode on a device: CPU, Ascend or GPU."""
    try:
        ms.set_context(mode=ms.GRAPH_MODE)
        ms.set_device(device)
    except (RuntimeError, ValueError) as error:
        raise InvalidArgument(f"device={device!r}: mindspore {ms.__version__} can not use it: {str(error).splitlines()[0]}") from error
