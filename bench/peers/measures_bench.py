#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""All measures beside datatrove's filters, on one core in one run: Gopher quality and repetition, C4, FineWeb quality.

    HEADRACE_DATA=... $(tests/interop/environment peers)/venv/bin/python bench/peers/measures_bench.py

Ours is text in memory to all measures with AVX2 (build/bench/measure_texts); theirs are the four filters with their
defaults, one after the other on every document. Both are asked in turn and the best of the rounds counts, in CPU time.
datatrove's tokenizers (spaCy, jieba for Chinese) are used where the environment has them (`pip install spacy jieba`);
without them words are what stands between blanks, or one Han character, and sentences are cut at marks, by one regular
expression each, which favours it, as does that each filter stops at the first rule that drops. Values are compared
before times: lines that repeat and n-grams, by its own functions.
Prints MB/s (10^6 bytes of UTF-8), the ratio, and the table of costs by family.
"""

import argparse
import gzip
import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec

from datatrove.data import Document
from datatrove.pipeline.filters import C4QualityFilter, FineWebQualityFilter, GopherQualityFilter, GopherRepetitionFilter
from datatrove.pipeline.filters import c4_filters, fineweb_quality_filter, gopher_quality_filter, gopher_repetition_filter
from datatrove.pipeline.filters.gopher_repetition_filter import find_all_duplicate, find_duplicates, find_top_duplicate, get_n_grams
from datatrove.utils.typeshelper import Languages

ROOT = pathlib.Path(__file__).resolve().parents[2]
WORD = re.compile("[\u4e00-\u9fff]|[^\\s\u4e00-\u9fff]+")
PLAIN_WORD = re.compile("[a-z0-9]+|[\u4e00-\u9fff]")
SENTENCE = re.compile("(?<=[.!?。！？])\\s*")
LANGUAGES = {"English": Languages.english, "Chinese": Languages.mandarin_chinese}
OWN_TOKENIZERS = all(find_spec(name) for name in ("spacy", "jieba"))
PAGE = 3000  # code points of a page of a novel


def english(data):
    pages = gzip.decompress((data / "quality-labels-en/dclm/majority_data.jsonl.gz").read_bytes()).decode()
    return [json.loads(line)["text"] for line in pages.split("\n") if line]


def chinese(data):
    novel = gzip.decompress((data / "zh-novels/utf8/三国演义.txt.gz").read_bytes()).decode("utf-8", "ignore")
    wiki = json.loads(gzip.decompress((data / "zh-wiki-mrc/cmrc2018/cmrc2018_dev.json.gz").read_bytes()))["data"]
    return [novel[at : at + PAGE] for at in range(0, 300_000, PAGE)] + [p["context"] for a in wiki for p in a["paragraphs"]]


def first(texts, size):
    taken = []
    for text in texts:
        if size <= 0:
            break
        if text.strip():
            taken.append(text)
            size -= len(text.encode())
    return taken


def framed(texts):
    return b"".join(struct.pack("=I", len(text.encode())) + text.encode() for text in texts)


def compare(texts, program):
    """Our values and datatrove's own functions, on plain words and unstripped lines."""
    plain = [" ".join(PLAIN_WORD.findall(text.lower())) for text in texts]
    plain = [text for text in plain if text]
    lined = ["\n".join(line.strip() for line in text.split("\n") if line.strip()) for text in texts]
    out = subprocess.run([program], input=framed(plain + lined), capture_output=True, check=True).stdout.decode()
    values = [json.loads(line) for line in out.splitlines()]
    checked = 0
    for text, ours in zip(plain, values):
        words = text.split()
        for n in (2, 3, 4):
            if len(words) >= n:
                assert find_top_duplicate(get_n_grams(words, n)) / len(text) == ours[f"top_word_{n}gram_share"], (n, text)
                checked += 1
        if text.isascii() and any(word.isdigit() for word in words):
            continue  # joined without blanks there: "1 11" is "11 1"
        for n in (5, 10):
            if len(words) >= n:
                assert find_all_duplicate(words, n) / len(text) == ours[f"dup_word_{n}gram_share"], (n, text)
                checked += 1
    for text, ours in zip(lined, values[len(plain) :], strict=True):
        lines = text.split("\n")
        assert find_duplicates(lines)[0] / len(lines) == ours["repeated_line_share"], text
        checked += 1
    return checked


def filters_of(language):
    if not OWN_TOKENIZERS:
        for module in (gopher_quality_filter, gopher_repetition_filter, fineweb_quality_filter):
            module.split_into_words = lambda text, *_: WORD.findall(text)
        c4_filters.split_into_sentences = lambda text, *_: SENTENCE.split(text)
    kinds = (GopherQualityFilter, GopherRepetitionFilter, C4QualityFilter, FineWebQualityFilter)
    return [kind(language=LANGUAGES[language]) for kind in kinds]


def theirs(texts, filters):
    """CPU seconds. Some filters change the text, so each gets a fresh document."""
    start = time.process_time()
    for text in texts:
        for one in filters:
            one.filter(Document(text=text, id="0"))
    return time.process_time() - start


def ours(path, program, rounds):
    out = subprocess.run([program, path, str(rounds)], capture_output=True, check=True, text=True).stdout
    return {name: float(cost) for name, cost in (line.split("\t") for line in out.splitlines())}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/bench/measure_texts")
    parser.add_argument("--records", type=pathlib.Path, default=ROOT / "build/src/measure/headrace_measure_records")
    parser.add_argument("--bytes", type=int, default=500_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    data = pathlib.Path(os.environ.get("HEADRACE_DATA") or sys.exit("HEADRACE_DATA names the folder of real text: it is not set"))
    tables = {}
    for language, texts in (("English", first(english(data), options.bytes)), ("Chinese", first(chinese(data), options.bytes))):
        checked = compare(texts, options.records)
        size = len("".join(texts).encode())
        filters = filters_of(language)
        theirs(texts[:2], filters)  # loads the tokenizers
        best_theirs, costs = float("inf"), {}
        with tempfile.NamedTemporaryFile() as file:
            file.write(framed(texts))
            file.flush()
            for _ in range(options.rounds):
                best_theirs = min(best_theirs, theirs(texts, filters))
                for name, cost in ours(file.name, options.program, 20).items():
                    costs[name] = min(cost, costs.get(name, cost))
        speed, peer = 1e3 / costs["all"], size / 1e6 / best_theirs
        tables[language] = costs
        print(f"{language}: {len(texts)} documents, {size:,} bytes, {checked} values equal; all measures {speed:.1f} MB/s,"
              f" datatrove {peer:.3f} MB/s ({'its own' if OWN_TOKENIZERS else 'regular'} words), ratio {speed / peer:.0f}")
    print("\n| ns a byte, AVX2 | English | Chinese |\n|---|---|---|")
    for name in tables["English"]:
        print(f"| {name} | {tables['English'][name]:.2f} | {tables['Chinese'][name]:.2f} |")


if __name__ == "__main__":
    main()
