#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What fastText finds of human labels, trained on one part of the texts and measured on another.

    bench/flow/quality_bench.py [--command build/headrace] [--data DIR] [--folder OUT] [--set dclm-en] [--seeds 2]

Labelled data of the folder of test data (HEADRACE_DATA): English web documents (DCLM, majority of its annotators; the file of
agreements holds a part of the same documents and is left out) and Chinese articles with their headlines (HanCD: Sina and Tencent).
Of each set a test part is split off by a hash of the text. Settings are tried on the rest alone: each is trained --seeds times,
every time with another quarter of it held out (`headrace score train --validation 0.25 --validation-seed N`), and the one of
the highest mean average precision is trained once more on the whole rest and measured once on the test part. Prints every
setting and the table; leaves models, cards and pages with curves in --folder.
"""

import argparse
import csv
import gzip
import hashlib
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile

COMMON = {"buckets": 200000}
SETTINGS = {
    "dclm-en": [{"word_ngrams": n, "epochs": e, "rate": r, "dim": 16}
                for n in (1, 2) for e, r in ((10, 0.1), (10, 0.5), (25, 0.5), (50, 0.5), (50, 1.0))],
    "hancd-zh": [{"han": "split", "word_ngrams": n, "epochs": e, "rate": 0.5, "dim": 16}
                 for n, e in ((1, 5), (1, 10), (1, 25), (2, 5), (2, 10), (3, 10))]
                + [{"han": "keep", "word_ngrams": 1, "min_gram": 1, "max_gram": n, "epochs": 10, "rate": 0.5, "dim": 16} for n in (2, 3)],
}


def dclm(data):
    with gzip.open(data / "quality-labels-en/dclm/majority_data.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            yield record["text"], str(record["label"])


def hancd(data):
    for site in ("sina", "tencent"):
        with gzip.open(data / f"zh-clickbait-hancd/datasets/HanCD/{site}/test.csv.gz", "rt", encoding="utf-8", newline="") as file:
            for label, title, body, *_ in csv.reader(file):
                yield title.strip() + "\n" + body.strip(), label


SETS = {"dclm-en": (dclm, 0.3), "hancd-zh": (hancd, 0.3)}  # share of the test part


def write_parts(name, data, folder):
    """(training file, test file), equal texts on one side."""
    read, share = SETS[name]
    parts = {True: io.StringIO(), False: io.StringIO()}
    seen = set()
    for text, label in read(data):
        key = hashlib.sha256("".join(text.split()).encode()).digest()
        if key in seen:
            continue
        seen.add(key)
        is_test = int.from_bytes(key[:8], "big") / 2**64 < share
        parts[is_test].write(json.dumps({"text": text, "label": label}, ensure_ascii=False) + "\n")
    for is_test, lines in parts.items():
        (folder / f"{name}.{'test' if is_test else 'train'}.jsonl").write_text(lines.getvalue(), encoding="utf-8")
    return folder / f"{name}.train.jsonl", folder / f"{name}.test.jsonl"


class Score:
    def __init__(self, command):
        self.command = command

    def __call__(self, *arguments):
        done = subprocess.run([self.command, "score", *map(str, arguments), "--json", "-q"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise SystemExit(f"score {' '.join(map(str, arguments))}: {done.stderr}")
        return json.loads(done.stdout)


def flags(setting):
    return [part for name, value in {**COMMON, **setting}.items() for part in ("--" + name.replace("_", "-"), value)]


def mean_precision(score, train, setting, seeds, folder):
    found = [score("train", "--data", train, "--validation", 0.25, "--validation-seed", seed, "--output", folder / "tried.bin",
                   *flags(setting))["evaluation"]["average_precision"] for seed in range(1, seeds + 1)]
    return sum(found) / len(found)


def measure(score, name, data, folder, seeds):
    train, test = write_parts(name, data, folder)
    tried = []
    for setting in SETTINGS[name]:
        tried.append((mean_precision(score, train, setting, seeds, folder), setting))
        print(f"  {name}  {tried[-1][0]:.4f}  {setting}", file=sys.stderr, flush=True)
    validated, setting = max(tried, key=lambda one: one[0])
    model = folder / f"{name}.bin"
    trained = score("train", "--data", train, "--validation", 0, "--output", model, *flags(setting))
    made = score("eval", "--model", model, "--data", test, "--report", folder / f"{name}.html")
    wanted = made["positives"] / (made["positives"] + made["negatives"])

    def interval(key):
        return f"{made[key]:.3f} ({made[key + '_interval'][0]:.3f}-{made[key + '_interval'][1]:.3f})"

    print(f"| {name} | {trained['trained']} / {made['positives'] + made['negatives']} | {wanted:.3f} | {validated:.3f} | "
          f"{interval('average_precision')} | {interval('best_f1')} | {interval('threshold')} | "
          f"{' '.join(f'{k}={v}' for k, v in setting.items())} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/headrace")
    parser.add_argument("--data", default=os.environ.get("HEADRACE_DATA"))
    parser.add_argument("--folder", help="keep models and pages here")
    parser.add_argument("--set", choices=SETS, action="append")
    parser.add_argument("--seeds", type=int, default=2)
    arguments = parser.parse_args()
    if not arguments.data:
        raise SystemExit("skipped: HEADRACE_DATA is not set")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(arguments.folder or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        print("| set | trained / test | all kept | AP, validation | AP, test (95 %) | best F1 (95 %) | threshold (95 %) | setting |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for name in arguments.set or SETS:
            measure(Score(arguments.command), name, pathlib.Path(arguments.data), folder, arguments.seeds)


if __name__ == "__main__":
    main()
