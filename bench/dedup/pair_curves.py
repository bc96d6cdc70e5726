#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a threshold finds of labelled sentence pairs: the table in docs/rooms/08-dedup.md.

    HEADRACE_DATA=... bench/dedup/pair_curves.py [--command build/headrace]

One run for each set at the threshold 0.3; the true similarity of each pair is that of its edge. Shares of pairs with the label
(same meaning) and without it whose similarity reaches a threshold. Near duplicates are not paraphrases: what matters is how much of
the second column goes with the first.
"""

import argparse
import gzip
import json
import os
import pathlib
import subprocess
import tempfile

import pyarrow.parquet as parquet

THRESHOLDS = (0.3, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def lines(path):
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig") as file:
        yield from (line.rstrip("\n") for line in file)


def tabbed(path, header=False, label=-1, first=0):
    for i, line in enumerate(lines(path)):
        fields = line.split("\t")
        if (i == 0 and header) or len(fields) < 3:
            continue
        yield fields[first], fields[first + 1], fields[label]


def pairs_of(data):
    zh, en = data / "dup-zh-pairs/csts", data / "dup-en-pairs"
    yes = {"1": True, "0": False}
    yield "LCQMC (zh)", [(a, b, yes[word]) for a, b, word in tabbed(zh / "LCQMC/test.txt.gz")]
    yield "AFQMC (zh)", [(a, b, yes[word]) for a, b, word in tabbed(zh / "AFQMC/dev.txt.gz")]
    yield "PAWS-X (zh)", [(a, b, yes[word]) for a, b, word in tabbed(zh / "PAWS-X/test_2k.tsv.gz", first=1) if word in yes]
    yield "MSR (en)", [(f[3], f[4], f[0] == "1") for f in (line.split("\t") for line in
                       list(lines(en / "msr-paraphrase-corpus/msr_paraphrase_test.txt.gz"))[1:]) if len(f) == 5]
    pan = en / "mt-metrics-paraphrase-corpus"
    texts = [lines(pan / f"pan-test{part}") for part in ("_s1.txt.gz", "_s2.txt.gz", ".labels")]
    yield "PAN (en)", [(a, b, word.strip() == "1") for a, b, word in zip(*texts)]
    yield "WikiSplit (en)", [(a, b.replace("<::::>", " "), True) for a, b in
                             (line.split("\t")[:2] for line in lines(en / "wiki-split/test.tsv.gz"))]


def similarities(command, pairs, folder):
    texts = [text for pair in pairs for text in pair[:2]]
    (folder / "a.jsonl").write_text("".join(json.dumps({"text": text or " "}) + "\n" for text in texts))
    recipe = {"sources": [{"domain": "x", "paths": [str(folder / "a.jsonl")]}], "normalize": [],
              "dedup": {"near": {"threshold": THRESHOLDS[0]}}}
    (folder / "recipe.yaml").write_text(json.dumps(recipe))
    subprocess.run([command, "run", folder / "recipe.yaml", "--output", folder / "run", "-q"], check=True, stdout=subprocess.DEVNULL)
    places = parquet.read_table(folder / "run/dedup/near/part-00000.parquet").to_pydict()
    edges = {}
    for path in (folder / "run/dedup/near/edges").glob("*.parquet"):
        table = parquet.read_table(path).to_pydict()
        edges.update(zip(zip(table["a"], table["b"]), table["similarity"]))
    assert len(places["id"]) == len(texts)
    found = []
    for i in range(0, len(texts), 2):
        best = 0
        for a in {places["group"][i], places["other"][i]} - {0}:
            for b in {places["group"][i + 1], places["other"][i + 1]} - {0}:
                best = max(best, 1 if a == b else edges.get((min(a, b), max(a, b)), 0))
        found.append(best)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/headrace")
    parser.add_argument("--data", default=os.environ.get("HEADRACE_DATA"))
    arguments = parser.parse_args()
    print("| set | pairs | " + " | ".join(f"{t:.1f}" for t in THRESHOLDS) + " |")
    print("|---|---|" + "---|" * len(THRESHOLDS))
    for name, pairs in pairs_of(pathlib.Path(arguments.data)):
        with tempfile.TemporaryDirectory() as folder:
            found = similarities(arguments.command, pairs, pathlib.Path(folder))
        for label in (True, False):
            own = [similarity for similarity, pair in zip(found, pairs) if pair[2] == label]
            if own:
                shares = [sum(s >= t for s in own) / len(own) for t in THRESHOLDS]
                row = [f"{name}, {'same' if label else 'not the same'}", str(len(own)), *(f"{share:.1%}" for share in shares)]
                print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
