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


@pytest.mark.parametrize("name", ["headrace", "headrace.errors", "headrace.feed", "headrace.run"])
def test_examples_in_the_documentation(name):
    importlib.import_module(name)
    result = doctest.testmod(sys.modules[name])
    assert result.failed == 0


def test_import_needs_no_framework():
    code = "import sys, headrace; print(sorted({'torch', 'mindspore', 'ray', 'pandas'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_one_libarrow_with_pyarrow():
    code = ("import headrace, pyarrow; "
            "print(len({line.split()[-1] for line in open('/proc/self/maps') if 'libarrow.so' in line}))")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "1"
