# SPDX-License-Identifier: Apache-2.0
"""Shard sets that the tests read: made once by the command itself."""

from __future__ import annotations

import json
import os
import subprocess
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


def command(*arguments: str) -> str:
    done = subprocess.run([os.environ["HEADRACE_COMMAND"], *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"headrace {' '.join(arguments)}: exit {done.returncode}\n{done.stderr}"
    return done.stdout


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
