# SPDX-License-Identifier: Apache-2.0
"""python -m headrace.mindspore train | score ..."""

import argparse
import sys

from headrace.mindspore import train_quality
from headrace.quality import worker
from headrace.quality.command import main


def score(given: argparse.Namespace) -> None:
    from headrace.mindspore.framework import use
    from headrace.mindspore.network import load_mindir

    use(given.device)
    scorer = worker.open_scorer(given.model, load_mindir, given.tokenizer, given.max_length, given.batch)
    worker.report(worker.score_run(given.run, given.name, scorer))


if __name__ == "__main__":
    sys.exit(main("headrace.mindspore", train_quality, (worker.add_options, score)))
