# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the end-to-end tests."""

import os
import pathlib

import pytest
from small_corpus import ROOT, Command, recipe, write_corpus


@pytest.fixture(scope="session")
def headrace():
    path = os.environ.get("HEADRACE_COMMAND", ROOT / "build/headrace")
    assert pathlib.Path(path).exists(), f"{path} is not built: run make test, or set HEADRACE_COMMAND"
    return Command(path)


@pytest.fixture(scope="session")
def data():
    """The folder of real inputs."""
    path = os.environ.get("HEADRACE_DATA")
    if not path:
        pytest.skip("skipped: HEADRACE_DATA is not set")
    return pathlib.Path(path)


@pytest.fixture
def walk(tmp_path):
    """(recipe path, corpus folder) of the small corpus: one task."""
    return make_walk(tmp_path)


@pytest.fixture
def long_walk(tmp_path):
    """(recipe path, corpus folder) of a corpus that is read in two tasks."""
    return make_walk(tmp_path, documents=2400)


def make_walk(folder, **options):
    corpus = write_corpus(folder / "raw", **options)
    path = folder / "recipe.yaml"
    path.write_text(recipe(corpus))
    return path, corpus

