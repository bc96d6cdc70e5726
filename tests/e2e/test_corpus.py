# SPDX-License-Identifier: Apache-2.0
"""The five-domain corpus of real text: zh-fewclue, zh-novels (two editions, one GB18030), zh-wiki-mrc, en-books-news, code."""

import pathlib
import subprocess
import sys

import pytest
from small_corpus import digest
from test_resume import kill_and_resume

HERE = pathlib.Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def corpus(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("corpus")
    subprocess.run([sys.executable, HERE / "prepare_corpus.py", folder, "--data", data], check=True)
    return folder / "recipe.yaml"


def test_end_to_end_with_one_and_two_threads(headrace, corpus, tmp_path):
    one = headrace.json("run", corpus, "--output", tmp_path / "one", "--threads", 1, "-q")
    headrace("run", corpus, "--output", tmp_path / "two", "--threads", 2, "-q")
    books = one["books"]
    assert books["balanced"]
    assert set(books["domains"]) == {"zh-fewclue", "zh-novels", "zh-wiki-mrc", "en-books-news", "code-samples"}
    assert all(stages[-1]["out"] > 0 for stages in books["domains"].values())
    assert sum(stages[0]["quarantined"] for name, stages in books["domains"].items() if name.startswith("zh")) == 0
    assert digest(tmp_path / "one") == digest(tmp_path / "two")
    assert headrace.json("verify", one["shards"])["ok"]
    novels = [r for r in headrace.lines("cat", tmp_path / "one", "--kept") if "gb18030" in r["source"]]
    assert novels and any("宝玉" in record["text"] for record in novels)
    assert not any("\ufffd" in record["text"] for record in novels)


def test_twenty_kills(headrace, corpus, tmp_path):
    kill_and_resume(headrace, corpus, tmp_path, kills=20, seed=9)
