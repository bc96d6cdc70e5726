# SPDX-License-Identifier: Apache-2.0
"""Real labelled texts as JSON Lines, from the folder of test data.

    python labelled.py DATA hancd|dclm > labels.jsonl

hancd: Chinese articles, title and body, 1 = clickbait. dclm: English web documents, 1 = most people would keep it for
training a language model. (Of dclm the file agreement_data is left out: all its texts are in majority_data.)
"""

from __future__ import annotations

import csv
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path

Labelled = tuple[str, str]


def hancd(data: Path) -> Iterator[Labelled]:
    labels: dict[str, set[str]] = {}
    for part in ("sina", "tencent"):
        with gzip.open(data / f"zh-clickbait-hancd/datasets/HanCD/{part}/test.csv.gz", "rt", encoding="utf-8", newline="") as file:
            for label, title, body, *_ in csv.reader(file):
                labels.setdefault(f"{title}\n{body}", set()).add(label)
    for text, found in labels.items():
        if len(found) == 1:
            yield text, found.pop()


def dclm(data: Path) -> Iterator[Labelled]:
    with gzip.open(data / "quality-labels-en/dclm/majority_data.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            found = json.loads(line)
            yield found["text"], str(found["label"])


def main() -> None:
    data, name = Path(sys.argv[1]), sys.argv[2]
    for text, label in {"hancd": hancd, "dclm": dclm}[name](data):
        print(json.dumps({"text": text, "label": label}, ensure_ascii=False))


if __name__ == "__main__":
    main()
