# SPDX-License-Identifier: Apache-2.0
"""headrace recipe schema: it takes every recipe of this repository, and no misspelt key."""

import json
import re

import jsonschema
import pytest
from ruamel.yaml import YAML
from small_corpus import ROOT, recipe


@pytest.fixture(scope="module")
def validator(headrace):
    schema = json.loads(headrace("recipe", "schema")[0])
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    return jsonschema.Draft202012Validator(schema)


def recipes():
    yield "examples/demo", (ROOT / "examples/demo/recipe.yaml").read_text()
    for name in ("all_keys", "smallest"):
        yield name, (ROOT / f"fuzz/corpus/recipe/{name}.yaml").read_text()
    yield "small corpus", recipe("raw")
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for place, block in enumerate(re.findall(r"^```yaml\n(.*?)^```", page.read_text(), re.MULTILINE | re.DOTALL)):
            if re.search(r"^sources:", block, re.MULTILINE):
                yield f"{page.relative_to(ROOT)} {place}", block


def with_words(node):
    """Keys by their word, as the parser and editors take them: YAML's bare `null` is a key of rules."""
    if isinstance(node, dict):
        return {"null" if key is None else key: with_words(value) for key, value in node.items()}
    return [with_words(item) for item in node] if isinstance(node, list) else node


def test_every_recipe_of_the_repository_is_valid(validator):
    found = list(recipes())
    assert len(found) >= 5
    for name, text in found:
        errors = [error.message for error in validator.iter_errors(with_words(YAML(typ="safe").load(text)))]
        assert errors == [], name


@pytest.mark.parametrize("change", [
    {"judje": {}}, {"judge": {"rules": {"code_point": {"min": 1}}}}, {"judge": {"rules": {"code_points": {"mni": 1}}}},
    {"judge": {"preset": "zhweb"}}, {"judge": {"buckets": [{"rules": {"code_points": {"min": 1}}}]}},
    {"judge": {"domains": {"web": {"rulez": {}}}}}, {"judge": {"languages": {"xz": {}}}}, {"normalize": ["whitespce"]},
    {"normalize": [{"whitespace": {"mode": "one_line"}}]}, {"normalize": [{"pii": {"mask": ["phones"]}}]}, {"pack": {"length": 0}},
    {"pack": {"method": "best_fits"}}, {"dedup": {"exact": {"veiw": ["nfkc"]}}}, {"sources": [{"domain": "d"}]}, {"sources": None},
    {"limits": {"threads": "many"}}, {"shards": {"format": "webdataset"}}, {"mix": {"weights": {"web": "much"}}}, {"seed": -1},
])
def test_what_the_parser_refuses_is_invalid(headrace, validator, tmp_path, change):
    text = recipe("raw", **change)
    assert not validator.is_valid(json.loads(text))
    (tmp_path / "r.yaml").write_text(text)
    headrace("run", tmp_path / "r.yaml", "--output", tmp_path / "run", "--dry-run", exit_code=2)


@pytest.mark.parametrize("change", [
    {"dedup": {"exact": False}}, {"limits": {"threads": "auto"}}, {"limits": {"threads": 2}}, {"normalize": ["whitespace", {"pii": None}]},
    {"normalize": [{"pii": {"mask": "email,phone"}}]}, {"judge": {"rules": {"code_points": {"auto": "p5..p95"}}}},
    {"judge": {"languages": {"zh": {"preset": "zh-web"}}, "domains": {"web": {"preset": "none"}}}}, {"name": 7},
])
def test_what_the_parser_takes_is_valid(headrace, validator, tmp_path, change):
    text = recipe("raw", **change)
    assert [error.message for error in validator.iter_errors(json.loads(text))] == []
    (tmp_path / "r.yaml").write_text(text)
    assert "no file matches" in headrace("run", tmp_path / "r.yaml", "--output", tmp_path / "run", "--dry-run", exit_code=3)[1]
