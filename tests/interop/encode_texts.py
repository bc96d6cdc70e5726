# SPDX-License-Identifier: Apache-2.0
"""Writes the ids that headrace's tokenizer gives for a JSON list of texts: all ids end to end, and their counts.

    python encode_texts.py TOKENIZER.json TEXTS.json OUT.npz
"""

import json
import sys
from pathlib import Path

import headrace
import numpy as np


def main() -> int:
    tokenizer, texts, out = sys.argv[1:]
    ids = headrace.Tokenizer(tokenizer).encode_batch(json.loads(Path(texts).read_text(encoding="utf-8")))
    np.savez(out, ids=np.concatenate(ids), counts=np.array([part.size for part in ids]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
