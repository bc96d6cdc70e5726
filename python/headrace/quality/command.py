# SPDX-License-Identifier: Apache-2.0
"""The command lines of headrace.mindspore and headrace.torch."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Any

from headrace.errors import Error
from headrace.quality.train import Options, Trained

_TRAIN = """\
Trains a small BERT to tell texts apart by people's labels, and writes a model that headrace scores with.

  python -m {program} train labels.jsonl --output models/quality
  python -m {program} train runs/first/audit/labels.jsonl --output models/quality --epochs 8

Labels are lines such as {{"text": "...", "label": 1}} (JSON Lines, .gz, Parquet), or what `headrace audit` wrote.
A tenth of them is held out: the card says on it average precision, the best threshold and their intervals.
Then, in a recipe:

  score:
    - quality: {{kind: transformer, model: models/quality/quality.onnx, min: best_f1}}
"""


def _documented() -> dict[str, str]:
    """Option → its line in the documentation of Options."""
    lines = (Options.__doc__ or "").split("Attributes:")[1].strip().splitlines()
    return {name.strip(): text.strip() for name, _, text in (line.partition(":") for line in lines)}


def _add_train(commands: Any, program: str) -> None:
    parser = commands.add_parser("train", help="labelled texts → a model", description=_TRAIN.format(program=program),
                                 formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("labels", nargs="+", help="files with texts and labels")
    parser.add_argument("--output", required=True, help="folder of the model")
    documented = _documented()
    types = {"int": int, "float": float, "str": str, "int | None": int, "str | None": str}
    for field in fields(Options):
        if field.name == "progress":
            continue
        default = "" if field.default in (None, "") else f" ({field.default})"
        parser.add_argument(f"--{field.name.replace('_', '-')}", type=types[str(field.type)], default=field.default,
                            metavar=field.name.upper(), help=documented[field.name].replace("%", "%%") + default)
    parser.add_argument("--quiet", "-q", action="store_true", help="say nothing on the way")


def _train(given: argparse.Namespace, train_quality: Callable[..., Trained]) -> None:
    options = {field.name: getattr(given, field.name) for field in fields(Options) if field.name != "progress"}
    trained = train_quality(given.labels, given.output, **options, progress=not given.quiet)
    print(json.dumps({"model": str(trained.onnx), "evaluation": trained.card["evaluation"]}, ensure_ascii=False, indent=2))


# Adds its options to a parser; then does its work.
Command = tuple[Callable[[argparse.ArgumentParser], None], Callable[[argparse.Namespace], None]]


def main(program: str, train_quality: Callable[..., Trained], score: Command | None = None,
         arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0, 1 with a last line on standard error that says why, 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}")
    commands = parser.add_subparsers(dest="command", required=True)
    _add_train(commands, program)
    if score is not None:
        score[0](commands.add_parser("score", help="the rows of a run that curate asks for → their scores",
                                     formatter_class=argparse.RawDescriptionHelpFormatter))
    given = parser.parse_args(arguments)
    try:
        if given.command == "score" and score is not None:
            score[1](given)
        else:
            _train(given, train_quality)
    except (Error, OSError) as error:
        print(f"{program} {given.command}: {error}", file=sys.stderr)
        return 1
    return 0
