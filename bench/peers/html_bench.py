#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Main-content extraction beside trafilatura, readability-lxml and resiliparse: quality and speed on labelled pages.

    HEADRACE_DATA=... bench/peers/html_bench.py [--program build/bench/html_texts] [--rounds 3] [--half val]

Needs `pip install trafilatura readability-lxml resiliparse lxml_html_clean`; a peer that is missing is left out.
Every extractor gets the same decoded pages. F1 is the mean over pages of the F1 of runs of four tokens (words, single
Chinese characters; a multiset). "own" is the score of scrapinghub's article-extraction-benchmark: F1 of mean precision
and mean recall over runs of four words. MB/s are 10^6 bytes of UTF-8 HTML per second of CPU on one core. --half takes
the pages whose name has an odd (val) or even (tune) first byte of SHA-1: rules were only looked at and set on `tune`.

The exit code is 1 where headrace's F1 lies below the best peer's.
"""

import argparse
import collections
import gzip
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile
import time

TOKEN = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+")
WORD = re.compile(r"\w+")


def decoded(data):
    try:
        return data.decode("utf8")
    except UnicodeDecodeError:
        return data.decode("gb18030", "replace")


def archive(path):
    with tarfile.open(path) as tar:
        return {m.name: tar.extractfile(m).read() for m in tar.getmembers() if m.isfile()}


def english(data):
    folder = data / "html-extraction-bench/aeb"
    for name, truth in sorted(json.loads((folder / "ground-truth.json").read_text()).items()):
        yield name, decoded(gzip.open(folder / f"html/{name}.html.gz").read()), truth["articleBody"]


def chinese(data):
    files = archive(data / "zh-web-extraction-gbk/pages_and_truth.tar.gz")
    for path in sorted(files):
        if path.startswith("original/"):
            name = path.split("/")[1]
            truth = files["cleaned/" + name.replace(".html", ".txt")].decode("utf8", "replace")
            yield name, decoded(files[path]), truth


def mixed(data):
    from lxml import html

    files = archive(data / "html-extraction-bench/readability_test_pages.tar.gz")
    for path in sorted(files):
        if path.endswith("source.html"):
            name = path.rsplit("/", 1)[0]
            truth = html.fromstring(files[name + "/expected.html"].decode("utf8", "replace")).text_content()
            yield name, decoded(files[path]), truth


def shingles(text, token):
    tokens = token.findall(text)
    return collections.Counter(tuple(tokens[i : i + 4]) for i in range(max(1, len(tokens) - 3)))


def precision_recall(text, truth, token):
    found, wanted = shingles(text, token), shingles(truth, token)
    common = sum((found & wanted).values())
    return common / max(1, sum(found.values())), common / max(1, sum(wanted.values()))


def f1(precision, recall):
    return 2 * precision * recall / max(1e-9, precision + recall)


def score(texts, pages):
    pairs = [precision_recall(text, truth, TOKEN) for text, (_, _, truth) in zip(texts, pages)]
    words = [precision_recall(text, truth, WORD) for text, (_, _, truth) in zip(texts, pages)]
    mean = [sum(column) / len(pages) for column in zip(*pairs)]
    own = [sum(column) / len(pages) for column in zip(*words)]
    return {"f1": sum(f1(*pair) for pair in pairs) / len(pages), "p": mean[0], "r": mean[1], "own": f1(*own)}


def headrace(pages, options):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for i, (_, page, _) in enumerate(pages):
            (folder / f"{i:05}.html").write_bytes(page.encode("utf8", "replace"))
        command = [options.program, "main", str(folder), str(options.rounds)]
        seconds = float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[0])
        return [(folder / f"{i:05}.txt").read_text("utf8") for i in range(len(pages))], seconds


def peers():
    try:
        import trafilatura

        yield "trafilatura", lambda page: trafilatura.extract(page, include_comments=False)
        yield "trafilatura fast", lambda page: trafilatura.extract(page, include_comments=False, fast=True)
    except ImportError:
        pass
    try:
        from resiliparse.extract.html2text import extract_plain_text

        yield "resiliparse main", lambda page: extract_plain_text(page, main_content=True)
    except ImportError:
        pass
    try:
        import readability
        from lxml import html

        yield "readability-lxml", lambda page: html.fromstring(readability.Document(page).summary()).text_content()
    except ImportError:
        pass


def run_peer(extract, pages):
    texts = []
    begin = time.process_time()
    for _, page, _ in pages:
        try:
            texts.append(extract(page) or "")
        except Exception:  # a page that a peer can not take counts as empty
            texts.append("")
    return texts, time.process_time() - begin


def half_of(name):
    return "val" if hashlib.sha1(name.encode()).digest()[0] % 2 else "tune"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", default="build/bench/html_texts")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--half", choices=["all", "tune", "val"], default="all")
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    if "HEADRACE_DATA" not in os.environ:
        raise SystemExit("html_bench: HEADRACE_DATA is not set")
    data = pathlib.Path(os.environ["HEADRACE_DATA"])
    sys.setrecursionlimit(20000)
    failed = False
    print("| pages | extractor | F1 | P | R | own | MB/s |\n|---|---|---|---|---|---|---|")
    for label, source in (("English news", english), ("Chinese", chinese), ("Readability's tests", mixed)):
        pages = [page for page in source(data) if options.half in ("all", half_of(page[0]))]
        size = sum(len(page.encode("utf8", "replace")) for _, page, _ in pages)
        results = {"headrace": headrace(pages, options)}
        for name, extract in () if options.no_peers else peers():
            results[name] = run_peer(extract, pages)
        best = {}
        for name, (texts, seconds) in results.items():
            s = best[name] = score(texts, pages)
            print(f"| {label} ({len(pages)}) | {name} | {s['f1']:.3f} | {s['p']:.3f} | {s['r']:.3f} | {s['own']:.3f} "
                  f"| {size / 1e6 / max(seconds, 1e-9):.1f} |", flush=True)
        if source is not mixed and best["headrace"]["f1"] < max(s["f1"] for s in best.values()):
            failed = True
            print(f"html_bench: {label}: headrace is below the best peer", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
