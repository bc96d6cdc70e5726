# SPDX-License-Identifier: Apache-2.0
"""Packages that only this part of headrace needs: imported when they are used, missed with the line that installs them."""

from __future__ import annotations

import importlib
from typing import Any

from headrace.errors import Unsupported

# What to give to pip.
_PIP = {
    "mindspore": '"mindspore==2.10.0" "numpy<2"',
    "torch": "torch",
    "tokenizers": "tokenizers",
    "onnx": "onnx",
    "polars": "polars",
}


def need(name: str, purpose: str) -> Any:
    """The module, or an error that says how to get it.

    >>> need("json", "an example").__name__
    'json'
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        package = name.split(".")[0]
        raise Unsupported(f"{purpose} needs the Python package {package}, and importing it failed ({error}); "
                          f"install it: pip install {_PIP.get(package, package)}") from error
