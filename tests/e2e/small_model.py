# SPDX-License-Identifier: Apache-2.0
"""Writes fastText classifiers small enough to compute their scores by hand (the format is in src/score/fasttext_model_reader.cc)."""

import math
import struct

MAGIC, VERSION = 793712314, 12
SUPERVISED, SOFTMAX = 3, 3


def write_model(path, words, labels):
    """`words`: {word: [a weight for each label]}; a text scores softmax(mean weight of its known words)."""
    with open(path, "wb") as file:
        dim = len(labels)
        # dim ws epoch minCount neg wordNgrams loss model bucket minn maxn lrUpdateRate, then t
        file.write(struct.pack("<14i", MAGIC, VERSION, dim, 5, 1, 1, 5, 1, SOFTMAX, SUPERVISED, 0, 0, 0, 100))
        file.write(struct.pack("<d3iqq", 1e-4, len(words) + len(labels), len(words), len(labels), len(words), -1))
        for kind, names in ((0, words), (1, [f"__label__{label}" for label in labels])):
            for name in names:
                file.write(name.encode() + b"\0" + struct.pack("<qb", 1, kind))
        for rows in (list(words.values()), [[float(i == j) for j in range(dim)] for i in range(dim)]):
            file.write(struct.pack("<bqq", 0, len(rows), dim))
            for row in rows:
                file.write(struct.pack(f"<{dim}f", *row))
    return path


def probability(text, words, label):
    """What the model says of `label`; None where it knows no word."""
    known = [words[word] for word in text.split() if word in words]
    if not known:
        return None
    sums = [sum(weights) / len(known) for weights in zip(*known, strict=True)]
    return math.exp(sums[label]) / sum(map(math.exp, sums))
