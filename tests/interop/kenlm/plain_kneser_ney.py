# SPDX-License-Identifier: Apache-2.0
"""Interpolated modified Kneser-Ney as its definition reads, for a few thousand tokens: every n-gram in a dictionary."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

Ngram = tuple[str, ...]
GUESSED = (0.5, 1.0, 1.5)


def discounts_of(adjusted: Counter[Ngram]) -> tuple[float, float, float]:
    t = Counter(adjusted.values())
    if not all(t[k] for k in (1, 2, 3)):
        return GUESSED
    y = t[1] / (t[1] + 2 * t[2])
    found = tuple(k - (k + 1) * y * t[k + 1] / t[k] for k in (1, 2, 3))
    return found if all(0 < d <= k for k, d in enumerate(found, 1)) else GUESSED  # type: ignore[return-value]


def estimate(sentences: list[list[str]], order: int, prune: list[int]) -> dict[Ngram, tuple[float, float]]:
    """n-gram → log10 of its probability, log10 of its backoff (0: none)."""
    raw: list[Counter[Ngram]] = [Counter() for _ in range(order + 1)]
    for sentence in sentences:
        tokens = ("<s>", *sentence, "</s>")
        for n in range(1, order + 1):
            raw[n].update(tokens[i : i + n] for i in range(len(tokens) - n + 1))
    del raw[1][("<s>",)]
    prob: dict[Ngram, float] = {}
    backoff: dict[Ngram, float] = {}
    kept: list[set[Ngram]] = [set()]
    for n in range(1, order + 1):
        adjusted: Counter[Ngram] = Counter()
        if n < order:
            for ngram in raw[n + 1]:
                adjusted[ngram[1:]] += 1
        for ngram in raw[n]:
            if n == order or ngram[0] == "<s>":
                adjusted[ngram] = raw[n][ngram]
        discount = discounts_of(adjusted)
        threshold = prune[min(n, len(prune)) - 1]
        kept.append({ngram for ngram in adjusted if raw[n][ngram] > threshold})
        total: dict[Ngram, float] = defaultdict(float)
        taken: dict[Ngram, float] = defaultdict(float)
        for ngram, a in adjusted.items():
            total[ngram[:-1]] += a
            taken[ngram[:-1]] += discount[min(a, 3) - 1] if ngram in kept[n] else a
        for context in total:
            backoff[context] = taken[context] / total[context]
        for ngram in kept[n]:
            a = adjusted[ngram]
            lower = prob[ngram[1:]] if n > 1 else 1 / (len(raw[1]) + 1)
            prob[ngram] = (a - discount[min(a, 3) - 1]) / total[ngram[:-1]] + backoff[ngram[:-1]] * lower
    prob[("<unk>",)] = backoff[()] / (len(raw[1]) + 1)
    return {ngram: (math.log10(p), math.log10(backoff.get(ngram, 1))) for ngram, p in prob.items()}
