# SPDX-License-Identifier: Apache-2.0
"""Models that the tests read: each made once, by the command line of its framework, in a process of its own."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

FRAMEWORKS = ["mindspore", "torch"]
OPTIONS = ["--steps", "30", "--batch", "16", "--max-length", "48", "--vocabulary-size", "300", "--learning-rate", "2e-3",
           "--validation", "0.25", "--quiet"]


def call(framework: str, *arguments: object) -> tuple[str, str]:
    """python -m headrace.FRAMEWORK ... → (output, errors)."""
    environment = dict(os.environ)
    if framework == "torch":
        environment["LD_LIBRARY_PATH"] = os.environ["HEADRACE_TORCH_STUBS"]
    done = subprocess.run([sys.executable, "-m", f"headrace.{framework}", *map(str, arguments)], capture_output=True, text=True,
                          check=False, env=environment)
    assert done.returncode == 0, f"headrace.{framework} {arguments[0]}: exit {done.returncode}\n{done.stderr}"
    return done.stdout, done.stderr


@dataclass(frozen=True)
class Model:
    folder: Path
    card: dict[str, Any]


def train(framework: str, labels: Path, folder: Path, *options: object) -> Model:
    call(framework, "train", labels, "--output", folder, *options)
    return Model(folder, json.loads((folder / "quality.card.json").read_text(encoding="utf-8")))


def texts(count: int, seed: int) -> list[tuple[str, int]]:
    """Chinese and English, of 1 to 60 words; the good ones share words that the others lack."""
    choose = random.Random(seed)
    common = ["the", "river", "石", "山", "水", "café", "1998", "runs", "，", "."]
    found = []
    for number in range(count):
        good = number % 3 == 0  # the labels are out of balance
        words = [*common, *(["careful", "章", "evidence"] if good else ["buy", "震惊", "cheapest"])]
        found.append((" ".join(choose.choice(words) for _ in range(choose.randint(1, 60))) + f" {number}", int(good)))
    return found


@pytest.fixture(scope="session")
def labels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("labels") / "labels.jsonl"
    lines = [json.dumps({"text": text, "label": label}, ensure_ascii=False) for text, label in texts(240, 1)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


class Models(dict[str, Model]):
    """By framework; each is trained when it is asked for."""

    def __init__(self, labels: Path, folder: Path) -> None:
        super().__init__()
        self._labels, self._folder = labels, folder

    def __missing__(self, framework: str) -> Model:
        self[framework] = train(framework, self._labels, self._folder / framework, *OPTIONS)
        return self[framework]


@pytest.fixture(scope="session")
def models(labels: Path, tmp_path_factory: pytest.TempPathFactory) -> Models:
    return Models(labels, tmp_path_factory.mktemp("models"))
