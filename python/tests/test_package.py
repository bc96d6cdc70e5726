# SPDX-License-Identifier: Apache-2.0
"""The package itself: what it exports, its documentation, its weight at import."""

import doctest
import importlib
import subprocess
import sys

import headrace
import pytest


def test_all_is_there_and_documented():
    for name in headrace.__all__:
        assert getattr(headrace, name).__doc__, name


@pytest.mark.parametrize("name", [
    "headrace", "headrace.errors", "headrace.feed", "headrace.mindspore", "headrace.quality.batches", "headrace.quality.labels",
    "headrace.quality.needs", "headrace.quality.random", "headrace.run", "headrace.torch"])
def test_examples_in_the_documentation(name):
    importlib.import_module(name)
    result = doctest.testmod(sys.modules[name])
    assert result.failed == 0


def test_import_needs_no_framework():
    code = ("import sys, headrace; headrace.mindspore.train_quality; headrace.torch.train_quality; "
            "print(sorted({'torch', 'mindspore', 'onnx', 'tokenizers', 'polars', 'ray', 'pandas'} & set(sys.modules)))")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_one_libarrow_with_pyarrow():
    code = ("import headrace, pyarrow; "
            "print(len({line.split()[-1] for line in open('/proc/self/maps') if 'libarrow.so' in line}))")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "1"
