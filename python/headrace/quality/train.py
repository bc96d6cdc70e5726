# SPDX-License-Identifier: Apache-2.0
"""Labelled texts → a quality model with its card. The same for each framework."""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace._core import __version__
from headrace.errors import InvalidArgument
from headrace.quality import onnx_graph
from headrace.quality.backend import Backend, Start
from headrace.quality.batches import Sampling, by_length, padded, rate_at
from headrace.quality.bert import SIZES, Config, first_weights, probabilities
from headrace.quality.evaluation import evaluation
from headrace.quality.files import whole
from headrace.quality.labels import Labelled, PathLike, read_labels, split
from headrace.quality.vocabulary import Ids, Vocabulary, build_tokens

STEM = "quality"
_EVALUATION_BATCH = 16


@dataclass(frozen=True)
class Options:
    """How to train. All affect results but device and progress.

    Attributes:
        size: BERT's encoder: tiny (2 layers of 128), mini (4 of 256), small (4 of 512) or base (12 of 768)
        text: field of the text
        label: field of the label, a string or a number; null is left out
        positive: the label whose probability is the score; without, "1"
        validation: share of each label's texts that is held out, for the card's evaluation
        epochs: how often as many texts are drawn as the training part has
        steps: batches, in place of epochs
        batch: texts a step
        max_length: tokens of a text, 3 to 512; what is longer loses its end
        learning_rate: the highest: it rises over the first tenth of the steps and falls to 0
        drop_tokens: share of tokens that are hidden in training
        vocabulary: a vocab.txt or tokenizer.json; without, one is built from the training part
        vocabulary_size: tokens of the one that is built
        seed: of the held-out part, first weights, order and hidden tokens
        device: as the framework names it: CPU or Ascend, cpu or cuda
        progress: say on standard error how it goes
    """

    size: str = "tiny"
    text: str = "text"
    label: str = "label"
    positive: str | None = None
    validation: float = 0.1
    epochs: float = 4.0
    steps: int | None = None
    batch: int = 32
    max_length: int = 256
    learning_rate: float = 5e-4
    drop_tokens: float = 0.1
    vocabulary: str | None = None
    vocabulary_size: int = 8000
    seed: int = 1
    device: str = ""
    progress: bool = False

    def __post_init__(self) -> None:
        bounds = {"batch": (2, 4096), "max_length": (3, 512), "vocabulary_size": (100, 1_000_000), "seed": (0, 2**63),
                  "drop_tokens": (0, 0.9), "learning_rate": (1e-9, 1), "epochs": (1e-9, 10_000), "steps": (1, 10**9)}
        faults = [f"{name}={value!r} must be {low:g} to {high:g}" for name, (low, high) in bounds.items()
                  if (value := getattr(self, name)) is not None and not low <= value <= high]
        if self.size not in SIZES:
            faults.append(f"size={self.size!r} must be one of {', '.join(SIZES)}")
        if faults:
            raise InvalidArgument(f"train_quality: {'; '.join(faults)}")


@dataclass(frozen=True)
class Trained:
    """What was written."""

    folder: Path
    onnx: Path
    card: dict[str, Any]  # content of quality.card.json


def _positive(labels: Sequence[str], wanted: str | None) -> str:
    if wanted is None and "1" in labels:
        return "1"
    if wanted not in labels:
        asked = "none is called '1'" if wanted is None else f"there is no '{wanted}'"
        raise InvalidArgument(f"positive: which of the labels {', '.join(labels)} is the one to keep? {asked}")
    return str(wanted)


def _scores(model: Backend, rows: Sequence[Ids], positive: int, vocabulary: Vocabulary) -> NDArray[np.float64]:
    """The probability of the positive label for each text."""
    scores = np.full(len(rows), np.nan)
    for which, ids, mask in by_length(rows, _EVALUATION_BATCH, vocabulary.max_length, vocabulary.pad):
        scores[which] = probabilities(model.logits(ids, mask))[: len(which), positive]
    return scores


def _proof(rows: Sequence[Ids], pad: int) -> list[tuple[Ids, Ids]]:
    """Held-out texts in batches of several shapes, none of them round."""
    order = sorted(rows, key=len)
    groups = [order[:1], order[len(order) // 2 :][:3], order[-5:], [*order[:2], order[-1]]]
    return [padded(group, max(map(len, group)), pad) for group in groups]


def _fit(model: Backend, rows: Sequence[Ids], labels: NDArray[np.int32], steps: int, options: Options, vocabulary: Vocabulary) -> float:
    """Trains; returns the mean loss of the last tenth of the steps."""
    sampling = Sampling(options.batch, vocabulary.max_length, vocabulary.pad, vocabulary.mask, options.drop_tokens, options.seed)
    losses = []
    said = time.monotonic()
    for step, batch in enumerate(sampling.batches(rows, labels, steps), 1):
        losses.append(model.step(batch))
        if options.progress and (step == steps or time.monotonic() - said > 5):
            said = time.monotonic()
            print(f"train: step {step} of {steps}, loss {np.mean(losses[-50:]):.4f}", file=sys.stderr, flush=True)
    last = float(np.mean(losses[-max(1, steps // 10) :]))
    if not math.isfinite(last):
        raise InvalidArgument(f"train_quality: the loss left the finite numbers; learning_rate={options.learning_rate:g} is too high")
    return last


def _vocabulary(options: Options, texts: Sequence[str]) -> Vocabulary:
    if options.vocabulary is not None:
        return Vocabulary.read(options.vocabulary, options.max_length)
    return Vocabulary.of_tokens(build_tokens(texts, options.vocabulary_size), options.max_length)


def _training(options: Options, training: Labelled, more: dict[str, Any]) -> dict[str, Any]:
    given = {name: value for name, value in asdict(options).items() if name not in ("positive", "device", "progress")}
    return {**given, **more, "data": {"files": training.files, "documents": len(training.texts), "by_label": training.by_label()}}


def train(start: Start, labels: PathLike | Iterable[PathLike], output: PathLike, options: Options) -> Trained:
    """Trains and writes; train_quality() of headrace.mindspore and headrace.torch say what."""
    labelled = read_labels(labels, options.text, options.label)
    names = sorted(set(labelled.labels))
    positive = _positive(names, options.positive)
    training, held_out = split(labelled, options.validation, options.seed)

    vocabulary = _vocabulary(options, training.texts)
    rows, held_rows = vocabulary.encode(training.texts), vocabulary.encode(held_out.texts)
    config = Config.of(options.size, vocabulary.size, options.max_length, len(names))
    steps = options.steps or math.ceil(options.epochs * len(rows) / options.batch)
    rates = [rate_at(step, steps, options.learning_rate) for step in range(steps)]
    model = start(config, first_weights(config, options.seed), rates, options.device)
    loss = _fit(model, rows, np.array([names.index(label) for label in training.labels], np.int32), steps, options, vocabulary)

    scores = _scores(model, held_rows, names.index(positive), vocabulary)
    wanted = np.array([label == positive for label in held_out.labels])
    folder = Path(output)
    folder.mkdir(parents=True, exist_ok=True)
    card_path = folder / f"{STEM}.card.json"
    card_path.unlink(missing_ok=True)  # written last: a folder with a card is whole
    onnx_path = folder / f"{STEM}.onnx"
    proof = _proof(held_rows, vocabulary.pad)
    graph = onnx_graph.build(config, model.weights())
    differences = {onnx_path.name: onnx_graph.write_proved(onnx_path, graph, model.logits, proof)}
    differences.update(model.write(folder, STEM, proof))
    vocabulary.write(folder)
    card = {
        "card": 1, "kind": "transformer", "model": onnx_path.name, "positive": positive, "labels": names,
        "made_by": f"headrace {__version__}",
        "training": _training(options, training, {"framework": model.version, "steps": steps, "loss": loss,
                                                  "vocabulary_size": vocabulary.size}),
        "evaluation": evaluation(scores, wanted, held_out.files, options.seed),
        "largest_difference": {"batches": [list(ids.shape) for ids, _ in proof], "files": differences},
    }
    with whole(card_path) as made:
        made.write_text(json.dumps(card, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return Trained(folder, onnx_path, card)
