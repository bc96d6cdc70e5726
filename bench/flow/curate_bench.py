#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole paths of the offline half, one core, warm files, results checked before times.

    bench/flow/curate_bench.py [--command build/headrace] [--megabytes 200] [--rounds 3] [--data DIR]

For Chinese and English: raw JSON Lines to judged Parquet (read, normalize, all measures, judge, exact hash), then new
thresholds on the same run. MB/s are 10^6 bytes of the JSON Lines file per second of CPU time of the whole process; the
wall clock stands beside. `zstd -1` over the same bytes is run in turn with it, so that figures of different machines can be
compared as ratios. Text is real where --data or HEADRACE_DATA is given, else drawn from a seed.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

RULES = {"preset": "zh-web"}


def chinese(data):
    for name in ("三国演义", "水浒传", "红楼梦", "西游记"):
        yield gzip.open(data / f"zh-novels/utf8/{name}.txt.gz").read().decode()
    for path in sorted((data / "zh-wiki-mrc").rglob("*.json.gz")):
        for article in json.load(gzip.open(path))["data"]:
            for paragraph in article["paragraphs"]:
                yield paragraph["context"]


def english(data):
    for name in ("abc", "state_union", "inaugural", "webtext"):
        with zipfile.ZipFile(data / f"en-books-news/nltk/{name}.zip") as archive:
            for member in sorted(archive.namelist()):
                if member.endswith(".txt") and "README" not in member:
                    yield archive.read(member).decode("utf-8", errors="ignore")


def drawn(words, seed):
    rng = random.Random(seed)
    for _ in range(2000):
        yield "".join(rng.choice(words) for _ in range(400))


def documents(texts, rng):
    """Pieces of 0.5 to 8 KB, so that documents look like pages, in a shuffled order; each gets a number of its own."""
    pieces = []
    for text in texts:
        at = 0
        while at < len(text):
            size = int(rng.lognormvariate(6.5, 0.8)) + 100
            pieces.append(text[at : at + size])
            at += size
    rng.shuffle(pieces)
    return pieces


def write_corpus(path, texts, megabytes, seed):
    rng = random.Random(seed)
    pieces = documents(texts, rng)
    written = count = 0
    with open(path, "wb") as file:
        while written < megabytes * 1_000_000:
            piece = pieces[count % len(pieces)]
            line = json.dumps({"url": f"http://example.org/{count}", "text": f"{count}\n{piece}"}, ensure_ascii=False)
            written += file.write(line.encode() + b"\n")
            count += 1
    return count, written


def run(arguments):
    """(output, CPU seconds, wall seconds) of a child process."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run([str(a) for a in arguments], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.stdout, cpu, time.monotonic() - start


def recipe(corpus, **judge):
    return json.dumps({"sources": [{"domain": "bench", "paths": [str(corpus)]}], "judge": {**RULES, **judge},
                       "dedup": {"exact": {"view": ["nfkc", "casefold", "whitespace"]}}})


def bench(language, texts, options, folder):
    corpus = folder / f"{language}.jsonl"
    count, size = write_corpus(corpus, texts, options.megabytes, seed=1)
    (folder / "recipe.yaml").write_text(recipe(corpus))
    (folder / "moved.yaml").write_text(recipe(corpus, rules={"code_points": {"min": 1000}}))
    passes, zstds, judges = [], [], []
    for _ in range(options.rounds):
        shutil.rmtree(folder / "run", ignore_errors=True)
        out, *times = run([options.command, "run", folder / "recipe.yaml", "--output", folder / "run", "--threads", 1, "-q", "--json"])
        books = json.loads(out)["books"]
        assert books["balanced"] and books["in"] == count and books["kept"] > count / 2, books
        passes.append(times)
        zstds.append(run(["zstd", "-1", "-q", "-f", "-T1", "--single-thread", corpus, "-o", folder / "out.zst"])[1:])
        out, *times = run([options.command, "judge", folder / "run", "--recipe", folder / "moved.yaml", "--threads", 1, "--json"])
        judged = json.loads(out)
        assert judged["documents"] == count and judged["newly_dropped"] > 0 and judged["newly_kept"] == 0, judged
        judges.append(times)
    (cpu, wall), (zstd_cpu, _), (_, judge_wall) = min(passes), min(zstds), min(judges)
    print(f"{language:8} {count:7} documents {size / 1e6:6.0f} MB   run {size / 1e6 / cpu:6.1f} MB/s of CPU, {size / 1e6 / wall:6.1f} wall"
          f"   zstd -1 {size / 1e6 / zstd_cpu:6.1f} MB/s (run/zstd {zstd_cpu / cpu:.2f})   judge {judge_wall:.3f} s,"
          f" {judge_wall / wall:.3f} of the run")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", type=pathlib.Path, default=pathlib.Path("build/headrace"))
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("HEADRACE_DATA"))
    options = parser.parse_args()
    if not options.command.exists():
        sys.exit(f"{options.command} is not there: make build")
    if options.data:
        sets = {"english": list(english(pathlib.Path(options.data))), "chinese": list(chinese(pathlib.Path(options.data)))}
    else:
        sets = {"english": list(drawn(["the river ", "mill ", "turns slowly, ", "and the wheel. ", "Water came\n"], 1)),
                "chinese": list(drawn(["黄河之水", "天上来，", "奔流到海", "不复回。", "君不见\n"], 2))}
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        for language, texts in sets.items():
            bench(language, texts, options, pathlib.Path(folder))


if __name__ == "__main__":
    main()
