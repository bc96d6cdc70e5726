# SPDX-License-Identifier: Apache-2.0
"""Shard sets that the tests read: made once by the command itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpus
import pytest


@dataclass(frozen=True)
class ShardSet:
    folder: Path
    manifest: dict[str, Any]

    def prefixes(self) -> list[str]:
        """Paths of the shards as Megatron names them: without .bin."""
        return [str(self.folder / shard["path"]).removesuffix(".bin") for shard in self.manifest["shards"]]


def open_set(folder: Path) -> ShardSet:
    return ShardSet(folder, json.loads((folder / "manifest.json").read_text(encoding="utf-8")))


def command(*arguments: str, exit_code: int = 0) -> str:
    done = subprocess.run([os.environ["HEADRACE_COMMAND"], *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == exit_code, f"headrace {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}"
    return done.stdout


def run_with_headrace(program: str, *arguments: str) -> None:
    """Runs a program of this folder in the environment of the package headrace."""
    # The stand-ins for CUDA are for Megatron's environment only.
    environment = {name: value for name, value in os.environ.items() if name != "LD_LIBRARY_PATH"}
    path = Path(__file__).with_name(program)
    subprocess.run([os.environ["HEADRACE_PYTHON"], str(path), *arguments], env=environment, check=True)


def make_set(folder: Path, end_id: int, shuffle: bool) -> ShardSet:
    corpus.write_corpus(folder / "corpus.jsonl")
    corpus.write_tokenizer(folder / "tokenizer.json", end_id)
    (folder / "recipe.yaml").write_text(corpus.recipe(folder, shuffle), encoding="utf-8")
    result = json.loads(command("run", str(folder / "recipe.yaml"), "--json"))
    return open_set(Path(result["shards"]))


@pytest.fixture(scope="session", params=["uint16", "int32"])
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> ShardSet:
    """A shuffled set of several shards, for each width of tokens."""
    end_id = {"uint16": 256, "int32": 70_000}[request.param]
    shards = make_set(tmp_path_factory.mktemp(request.param), end_id, shuffle=True)
    assert shards.manifest["token_type"] == request.param
    assert len(shards.manifest["shards"]) >= 4
    return shards


@pytest.fixture(scope="session")
def in_order(tmp_path_factory: pytest.TempPathFactory) -> ShardSet:
    """A set whose samples lie in the order in which they were packed."""
    return make_set(tmp_path_factory.mktemp("in_order"), end_id=256, shuffle=False)


@dataclass(frozen=True)
class FiveDomains:
    """The corpus of tests/e2e/prepare_corpus.py, run as it is and without the shuffle."""

    tokenizer: Path
    shuffled: ShardSet
    in_order: ShardSet
    kept: list[str]  # texts, in id order


@pytest.fixture(scope="session")
def five_domains(tmp_path_factory: pytest.TempPathFactory) -> FiveDomains:
    data = os.environ.get("HEADRACE_DATA")
    if data is None:
        pytest.skip("skipped: HEADRACE_DATA is not set")
    folder = tmp_path_factory.mktemp("five_domains")
    program = Path(__file__).parents[1] / "e2e/prepare_corpus.py"
    subprocess.run([sys.executable, str(program), str(folder), "--data", data], check=True, stdout=subprocess.DEVNULL)
    as_it_is = folder / "recipe.yaml"
    text = as_it_is.read_text(encoding="utf-8")
    without_shuffle = folder / "in_order.yaml"
    without_shuffle.write_text(text.replace("shuffle: true", "shuffle: false"), encoding="utf-8")
    assert without_shuffle.read_text(encoding="utf-8") != text

    sets = []
    for path in (as_it_is, without_shuffle):
        result = json.loads(command("run", str(path), "--output", str(folder / path.stem), "--json", "-q"))
        sets.append(open_set(Path(result["shards"])))
    records = command("cat", str(folder / without_shuffle.stem), "--kept").splitlines()
    kept = [json.loads(record)["text"] for record in records]
    return FiveDomains(Path(data) / "tokenizers/qwen3/tokenizer.json", *sets, kept)
