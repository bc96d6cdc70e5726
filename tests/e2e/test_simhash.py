# SPDX-License-Identifier: Apache-2.0
"""Near duplicates by 64 bits of each text, through the command."""

import json
import random

import pytest
from small_corpus import digest

WORDS = ["river", "mill", "wheel", "stone", "water", "grain", "miller", "channel", "gate", "sluice", "weir", "flow", "head", "race",
         "水", "渠", "闸", "坝", "流", "磨"]


def write_corpus(folder):
    """(texts, {number of a copy: number of its original}): every fourth is an earlier one with a word changed."""
    rng = random.Random(4)
    texts, copies = [], {}
    for i in range(400):
        if i % 4 == 3:
            copies[i] = i - 3
            words = texts[i - 3].split(" ")
            words[rng.randrange(len(words))] = "changed"
            texts.append(" ".join(words))
        else:
            texts.append(" ".join(rng.choice(WORDS) + str(rng.randrange(300)) for _ in range(1500)))
    folder.mkdir()
    for file in range(2):
        (folder / f"{file}.jsonl").write_text("".join(json.dumps({"text": t}) + "\n" for t in texts[200 * file:200 * file + 200]))
    return texts, copies


def run(headrace, tmp_path, name, near, threads=2):
    recipe = tmp_path / f"{name}.yaml"
    recipe.write_text(json.dumps({"sources": [{"domain": "d", "paths": [f"{tmp_path}/raw/*.jsonl"]}], "normalize": [],
                                  "dedup": {"near": near}}))
    books = headrace.json("run", recipe, "--output", tmp_path / name, "-q", "--threads", threads)["books"]
    assert books["balanced"]
    return books["dropped"].get("near_duplicate", 0)


def test_copies_within_the_radius_go(headrace, tmp_path):
    texts, copies = write_corpus(tmp_path / "raw")
    # A word of 1500 changes 1.7 bits of 64 on average.
    assert run(headrace, tmp_path, "eight", {"method": "simhash", "radius": 8}) == len(copies)
    kept = {record["text"] for record in headrace.lines("cat", tmp_path / "eight", "--kept")}
    for copy, original in copies.items():
        assert (texts[copy] in kept) + (texts[original] in kept) == 1
    few = run(headrace, tmp_path, "three", {"method": "simhash"})
    assert 0.8 * len(copies) < few < len(copies)
    dropped = headrace.lines("cat", tmp_path / "three", "--dropped=near_duplicate", "--limit", "5")
    for record in dropped:
        near = headrace.json("explain", tmp_path / "three", record["id"])["near"]
        assert len(near) == 2 and all(member["similarity"] >= 1 - 3 / 64 for member in near)
    assert run(headrace, tmp_path, "one", {"method": "simhash"}, threads=1) == few
    assert digest(tmp_path / "one", skip=(".lock", "run.json")) == digest(tmp_path / "three", skip=(".lock", "run.json"))


def test_verified_pairs_reach_the_threshold_as_well(headrace, tmp_path):
    _, copies = write_corpus(tmp_path / "raw")
    verified = {"method": "simhash", "radius": 8, "verify": True, "threshold": 0.9}
    assert run(headrace, tmp_path, "verified", verified) == len(copies)
    assert run(headrace, tmp_path, "none", {**verified, "threshold": 1}) == 0


@pytest.mark.parametrize("near, message", [
    ({"method": "simhash", "radius": 9}, "from 0 to 8"),
    ({"method": "simhash", "permutations": 64}, "follows from 'radius'"),
    ({"radius": 3}, "no meaning with method sketch"),
])
def test_recipe_faults(headrace, tmp_path, near, message):
    (tmp_path / "recipe.yaml").write_text(json.dumps({"sources": [{"domain": "d", "paths": ["x"]}], "dedup": {"near": near}}))
    assert message in headrace("run", tmp_path / "recipe.yaml", "--output", tmp_path / "run", "-q", exit_code=2)[1]
