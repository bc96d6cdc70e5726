#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A generated corpus of known duplicates through the command: recall, precision, MB/s of the whole run.

    bench/dedup/near_truth.py [--build build] [--documents 200000] [--threads 2] [--words 50 50] [--folder DIR]

60 % unique, 20 % exact copies, 20 % copies by a list of edits (bench/dedup/corpus.h), read as JSON Lines. Recall: of the pairs of
true Jaccard similarity 0.8 or more, how many stand in one cluster. Precision: of the documents that were dropped as near
duplicates, how many are copies of what their survivor is a copy of. Both are checked (0.98, 0.999) before the time is told. The run
does everything that a recipe without `judge` does: reading, all measures, hashes, signatures, bands, verification, verdicts, report.
"""

import argparse
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import pyarrow.parquet as parquet


def column(folder, name):
    values = []
    for path in sorted(folder.glob("part-*.parquet")):
        values += parquet.read_table(path, columns=[name])[name].to_pylist()
    return values


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default="build")
    parser.add_argument("--command", help="default: BUILD/headrace")
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--words", type=int, nargs=2, default=[50, 50])
    parser.add_argument("--memory", default="1GiB")
    parser.add_argument("--folder")
    arguments = parser.parse_args()
    folder = pathlib.Path(arguments.folder or tempfile.mkdtemp(prefix="near_truth."))
    folder.mkdir(parents=True, exist_ok=True)
    corpus, truth = folder / "corpus.jsonl", folder / "truth.tsv"
    subprocess.run([f"{arguments.build}/bench/near_corpus", str(arguments.documents), str(corpus), str(truth),
                    *map(str, arguments.words)], check=True)
    recipe = {"sources": [{"domain": "x", "paths": [str(corpus)]}], "normalize": [], "limits": {"memory": arguments.memory},
              "dedup": {"exact": True, "near": {"threshold": 0.8}}}
    (folder / "recipe.yaml").write_text(json.dumps(recipe))
    shutil.rmtree(folder / "run", ignore_errors=True)
    start = time.monotonic()
    command = arguments.command or f"{arguments.build}/headrace"
    subprocess.run([command, "run", str(folder / "recipe.yaml"), "--output", str(folder / "run"), "-q",
                    "--threads", str(arguments.threads)], check=True, stdout=subprocess.DEVNULL)
    wall = time.monotonic() - start
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    near = [json.loads(path.read_text()) for path in sorted((folder / "run/tasks/near").glob("*.json"))]

    ids = column(folder / "run/verdict", "id")
    reasons = column(folder / "run/verdict", "reason")
    survivors = column(folder / "run/verdict", "duplicate_of")
    assert len(ids) == arguments.documents
    place = {id_: i for i, id_ in enumerate(ids)}

    def top(i):
        while reasons[i]:
            i = place[survivors[i]]
        return i

    lines = [line.split("\t") for line in truth.read_text().splitlines()]
    base = [int(line[1]) for line in lines]
    wanted = found = removed = right = 0
    for i, (kind, _, similarity) in enumerate(lines):
        if kind != "unique" and float(similarity) >= 0.8:
            wanted += 1
            found += top(i) == top(base[i])
        if reasons[i] == "near_duplicate":
            removed += 1
            right += base[place[survivors[i]]] == base[i]
    size = corpus.stat().st_size / 1e6
    result = {"documents": arguments.documents, "mb": round(size, 1), "recall": found / wanted, "pairs": wanted,
              "precision": right / removed, "near_duplicates": removed, "wall_seconds": round(wall, 1),
              "mb_per_second": round(size / wall, 1), "cpu_seconds": round(usage.ru_utime + usage.ru_stime, 1),
              "peak_mib": usage.ru_maxrss // 1024, "near": near[0].get("numbers")}
    if not arguments.folder:
        shutil.rmtree(folder)
    if result["recall"] < 0.98 or result["precision"] < 0.999:
        sys.exit(f"too little was found, or too much: {result}")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
