# SPDX-License-Identifier: Apache-2.0
"""A small run, made once: two domains, a rule, tokens, two shards."""

import json
import pathlib

import headrace
import pytest

TOKENIZER = pathlib.Path(__file__).resolve().parents[2] / "tests/data/tiny_tokenizer.json"
LENGTH = 32
NEWS = ["The water of the river turns the wheel, and the wheel turns the mill. " * 3 + str(number) for number in range(60)]
POEMS = ["床前明月光，疑是地上霜。举头望明月，低头思故乡。" * 2 + str(number) for number in range(20)] + ["短"]

RECIPE = """\
seed: 7
sources:
  - {{domain: news, paths: [{folder}/news.jsonl]}}
  - {{domain: poems, paths: [{folder}/poems.jsonl]}}
judge:
  rules: {{code_points: {{min: 10}}}}
tokenize: {{tokenizer: {tokenizer}, end: "<|endoftext|>"}}
pack: {{length: {length}}}
shards: {{format: megatron, size: 16KiB}}
"""


def write_recipe(folder):
    for name, texts in (("news", NEWS), ("poems", POEMS)):
        lines = (json.dumps({"text": text, "n": number}, ensure_ascii=False) for number, text in enumerate(texts))
        (folder / f"{name}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    recipe = folder / "recipe.yaml"
    recipe.write_text(RECIPE.format(folder=folder, tokenizer=TOKENIZER, length=LENGTH), encoding="utf-8")
    return recipe


@pytest.fixture(scope="session")
def recipe(tmp_path_factory):
    return write_recipe(tmp_path_factory.mktemp("recipe"))


@pytest.fixture(scope="session")
def run(recipe, tmp_path_factory):
    return headrace.run(recipe, output=tmp_path_factory.mktemp("runs") / "x", threads=2)
