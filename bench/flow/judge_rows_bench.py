#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`headrace judge` on many rows, end to end: one process, from the command line to the printed answer.

    bench/flow/judge_rows_bench.py [--command build/headrace] [--rows 10000000] [--parts 20] [--rounds 3] [--exact]

A real run over drawn texts makes the parts. Then each part's rows are repeated, shuffled and under ids of their own, until
there are --rows: what judging sees is what a run of so many short documents would have left. Thresholds are moved there and
back, and what the command says is checked against an independent count over the columns with pyarrow. Needs pyarrow and
xxhash (PyPI).
"""

import argparse
import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import xxhash

FILE_BYTES = 4_000_000  # a little under the least size of a task: a file is a part
RULES = {"words": {"min": 3, "max": 100000}, "mean_sentence_length": {"min": 3, "max": 1000}, "special_symbol_share": {"max": 0.1},
         "digit_share": {"max": 0.3}, "letter_share": {"min": 0.4, "max": 0.95}, "whitespace_share": {"max": 0.3},
         "dup_10gram_coverage": {"max": 0.9}, "repeated_line_share": {"max": 0.5}}
BUCKETS = [{"when": {"code_points": {"max": 100}}, "rules": {"dup_10gram_coverage": {"max": 0.8}}},
           {"when": {"han_share": {"min": 0.2}}, "rules": {"whitespace_share": {"max": 0.1}}}]
WORDS = {"zh": ["黄河之水", "天上来，", "奔流到海", "不复回。", "君不见\n", "高堂明镜，", "朝如青丝。"],
         "en": ["the river ", "mill ", "turns slowly, ", "and the wheel. ", "Water came\n", "2024 ", "### "]}


def write_texts(path, seed):
    rng = random.Random(seed)
    written = 0
    with open(path, "wb") as file:
        while written < FILE_BYTES:
            words = WORDS["zh" if rng.random() < 0.5 else "en"]
            text = "".join(rng.choice(words) for _ in range(rng.randint(1, 40)))
            written += file.write(json.dumps({"text": f"{written} {text}"}, ensure_ascii=False).encode() + b"\n")


def recipe(corpus, options, minimum):
    keys = {"sources": [{"domain": "bench", "paths": [str(corpus)]}],
            "judge": {"rules": {**RULES, "code_points": {"min": minimum}}, "buckets": BUCKETS}}
    if options.exact:
        keys["dedup"] = {"exact": {"view": ["whitespace"]}}
    return json.dumps(keys)


def command(options, *arguments):
    done = subprocess.run([str(a) for a in (options.command, *arguments)], capture_output=True, check=True)
    return json.loads(done.stdout)


def grow(path, rows, seed):
    """Repeats the rows of a part, shuffled and under ids that go on."""
    table = pq.read_table(path)
    order = np.random.default_rng(seed).permutation(np.arange(rows) % len(table))
    ids = table["id"][0].as_py() + np.arange(rows, dtype=np.uint64)
    grown = table.take(pa.array(order)).set_column(0, table.schema.field("id"), pa.array(ids, pa.uint64()))
    if "view_low" in table.column_names:  # texts that are all different
        at = table.schema.get_field_index("view_low")
        grown = grown.set_column(at, table.schema.field("view_low"), pa.array(ids, pa.uint64()))
    pq.write_table(grown, path, compression="zstd", compression_level=1, use_dictionary=False, row_group_size=100_000)


def update_outputs(run, commit):
    """Sizes and checksums of a commit's files as they are now."""
    for output in commit["outputs"]:
        data = (run / output["path"]).read_bytes()
        output.update(bytes=len(data), xxh3_128=xxhash.xxh3_128_hexdigest(data))


def reseal(path, change):
    """A file of docs/formats/run_directory.md that ends with its own checksum, changed."""
    state = json.loads(path.read_text(encoding="utf-8"))
    del state["checksum"]
    change(state)
    text = json.dumps(state, indent=1, ensure_ascii=False)
    state["checksum"] = xxhash.xxh3_128_hexdigest(text.encode())
    path.write_text(json.dumps(state, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", type=pathlib.Path, default=pathlib.Path("build/headrace"))
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--parts", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--exact", action="store_true", help="with exact dedup")
    options = parser.parse_args()
    if not options.command.exists():
        sys.exit(f"{options.command} is not there: make build")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        rows = options.rows // options.parts
        for part in range(options.parts):
            write_texts(folder / f"{part:03}.jsonl", part)
        for name, minimum in (("low", 20), ("high", 60)):
            (folder / f"{name}.yaml").write_text(recipe(folder / "*.jsonl", options, minimum))
        run = folder / "run"
        command(options, "run", folder / "low.yaml", "--output", run, "-q", "--json")
        paths = sorted((run / "measures").iterdir())
        assert len(paths) == options.parts, paths
        between = 0
        for part, path in enumerate(paths):
            grow(path, rows, part)
            if options.exact:
                grow(run / "dedup/hashes" / path.name, rows, part)
            lengths = pq.read_table(path, columns=["code_points"])["code_points"]
            between += pc.sum(pc.and_(pc.greater_equal(lengths, 20), pc.less(lengths, 60))).as_py()
        for commit in (run / "tasks/documents").iterdir():
            reseal(commit, lambda json: update_outputs(run, json))
        shutil.rmtree(run / "tasks/verdict")
        total = options.parts * rows
        reseal(run / "run.json", lambda json: json.update(stages={"documents": options.parts}))
        times = []
        before = None
        for name in ["low"] + ["high", "low"] * options.rounds:
            start, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
            result = command(options, "judge", run, "--recipe", folder / f"{name}.yaml", "--json")
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            times.append((time.monotonic() - start,
                          after.ru_utime + after.ru_stime - used.ru_utime - used.ru_stime))
            assert result["documents"] == total, result
            if before is not None:
                assert result["before"] == before and (result["newly_kept"] == 0 or result["newly_dropped"] == 0), result
                changed = result["newly_kept"] + result["newly_dropped"]
                assert 0 < changed <= between, (changed, between)
            before = result["after"]
        what = f"{len(RULES) + 1} rules, {len(BUCKETS)} buckets{', exact dedup' if options.exact else ''}"
        print(f"{total} rows, {options.parts} parts, {what}: " + ", ".join(f"{wall:.2f} s ({cpu:.2f} of CPU)" for wall, cpu in times[1:])
              + f"; {before} kept, {changed} changed")


if __name__ == "__main__":
    main()
