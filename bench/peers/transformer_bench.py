#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Texts → scores of one ONNX classifier, beside onnxruntime: the same model, texts and cores, both sides in turn.

    HEADRACE_DATA=... $(tests/interop/environment transformer)/venv/bin/python bench/peers/transformer_bench.py \\
        [--program build/tests/headrace_transformer_records] [--texts 1000] [--rounds 3] [--weights int8] [--cores 2]

The model is all-MiniLM-L6-v2 with a head from a seed (tests/interop/transformer/models.py), the texts those of its tests,
half English, half Chinese, cut to 20 to 800 characters and --max-length tokens. onnxruntime gets sequences that are
tokenized already and sorted by length, its best batch size here, and the cores as it uses them best: all in each batch,
or a thread with one core each. Ours start as text, in calls of up to 256 texts, two calls a core at least. One by one is
without padding on both sides; padded, as many feed it, is each text to --max-length. One by one, onnxruntime gets only
each fifth text (--every; ours all), and its times are scaled to all. Before any time the scores of both
are compared. All sides take turns, and the shortest of the rounds counts; a busy machine moves both, CPU time less.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).parent
sys.path += [str(HERE.parents[1] / "tests/interop" / name) for name in ("fasttext", "transformer")]

import numpy as np  # noqa: E402
import onnxruntime  # noqa: E402
import texts as text_files  # noqa: E402
from models import write_classifier  # noqa: E402
from tokenizers import Tokenizer  # noqa: E402

CLOSE = 1e-4
BATCHES = [1, 4, 8, 16, 32, 64]


def some_texts(data, count):
    documents = []
    for name in ("en-books-news", "zh-novels"):
        found = text_files.real_documents(data / name)
        documents.append([next(found).decode() for _ in range(count // 2)])
    mixed = [text for pair in zip(*documents) for text in pair]
    return [text[: 20 + 37 * i % 780] for i, text in enumerate(mixed)]


class Peer:
    """`split`: a session and a thread for each core, instead of one session with all of them."""

    def __init__(self, model, sequences, cores, split=False):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1 if split else cores
        count = cores if split else 1
        self.sessions = [onnxruntime.InferenceSession(str(model), options, providers=["CPUExecutionProvider"]) for _ in range(count)]
        self.sequences = sequences

    def run(self, batch, order=None, length=None):
        """Scores of the second class, and what they took: seconds, CPU seconds."""
        scores = np.zeros(len(self.sequences))
        order = range(len(self.sequences)) if order is None else order
        batches = iter([order[at : at + batch] for at in range(0, len(order), batch)][::-1])  # long ones first
        lock = threading.Lock()

        def work(session):
            while True:
                with lock:
                    rows = next(batches, None)
                if rows is None:
                    return
                scores[rows] = self.of_batch(session, rows, length)

        begin, cpu = time.perf_counter(), time.process_time()
        with concurrent.futures.ThreadPoolExecutor(len(self.sessions)) as threads:
            list(threads.map(work, self.sessions))
        return scores, (time.perf_counter() - begin, time.process_time() - cpu)

    def of_batch(self, session, rows, length):
        length = length or max(len(self.sequences[i]) for i in rows)
        ids = np.zeros((len(rows), length), dtype=np.int64)
        mask = np.zeros_like(ids)
        for row, i in enumerate(rows):
            ids[row, : len(self.sequences[i])] = self.sequences[i]
            mask[row, : len(self.sequences[i])] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (logits,) = session.run(["logits"], inputs)
        return 1 / (1 + np.exp(logits[:, 0].astype(np.float64) - logits[:, 1]))


def ours(program, cores, per_call, documents, **options):
    given = [f"{name}={value}" for name, value in options.items()]
    done = subprocess.run([program, str(cores), str(per_call), *given], input=documents, capture_output=True, check=True)
    _, seconds, cpu = map(float, done.stderr.split())
    return np.frombuffer(done.stdout, dtype="<f8"), (seconds, cpu)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/tests/headrace_transformer_records")
    parser.add_argument("--texts", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--every", type=int, default=5, help="onnxruntime gets each EVERYth text one by one")
    parser.add_argument("--weights", choices=["int8", "float"], default="int8")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--max-length", type=int, default=128)
    parser.add_argument("--batch-tokens", type=int, default=4096)
    arguments = parser.parse_args()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.cores])
    data = pathlib.Path(os.environ["HEADRACE_DATA"])
    vocabulary = data / "tokenizers/bert-base-uncased/vocab.txt"
    encoder = Tokenizer.from_file(str(vocabulary.with_name("tokenizer.json")))
    encoder.enable_truncation(arguments.max_length)
    texts = some_texts(data, arguments.texts)
    documents = b"".join(struct.pack("<I", len(text)) + text for text in (text.encode() for text in texts))
    sequences = [encoding.ids for encoding in encoder.encode_batch(texts)]
    by_length = sorted(range(len(texts)), key=lambda i: len(sequences[i]))

    with tempfile.TemporaryDirectory() as folder:
        model = write_classifier(pathlib.Path(folder) / "model.onnx", arguments.weights)
        peers = {name: Peer(model, sequences, arguments.cores, name == "split") for name in ("together", "split")}
        options = {"model": model, "tokenizer": vocabulary, "max_length": arguments.max_length, "batch_tokens": arguments.batch_tokens}

        calls = min(256, -(-len(texts) // (2 * arguments.cores)))

        def our_side(per_call, **more):
            return ours(arguments.program, arguments.cores, per_call, documents, **options, **more)

        reference, _ = peers["together"].run(8, by_length)
        scores, _ = our_side(calls)
        quantized, _ = our_side(calls, quantized_activations="on")
        error = float(np.abs(scores - reference).max())
        if error > CLOSE:
            sys.exit(f"scores differ by {error}: no times")
        some = by_length[:: max(1, len(texts) // 64)]  # enough to choose by
        choices = [(batch, way) for batch in BATCHES for way in peers]
        best, way = min(choices, key=lambda each: min(peers[each[1]].run(each[0], some)[1][0] for _ in range(2)))
        best_side = f"onnxruntime, batches of {best}, {way}"
        few = range(0, len(texts), arguments.every)  # one by one takes long
        sides = {
            "ours": lambda: our_side(calls),
            best_side: lambda: peers[way].run(best, by_length),
            "ours, quantized activations": lambda: our_side(calls, quantized_activations="on"),
            "ours, one by one": lambda: our_side(1),
            "onnxruntime, one by one": lambda: peers["together"].run(1, few),
            "onnxruntime, one by one, padded": lambda: peers["together"].run(1, few, arguments.max_length),
        }
        part = {name: len(few) / len(texts) if name.startswith("onnxruntime, one") else 1 for name in sides}
        taken = {name: [] for name in sides}
        for _ in range(arguments.rounds):
            for name, side in sides.items():
                taken[name].append([each / part[name] for each in side()[1]])
    least = {name: [min(column) for column in zip(*rounds)] for name, rounds in taken.items()}
    result = {
        "texts": len(texts),
        "onnxruntime one by one": f"{len(few)} of {len(texts)} texts, its times scaled to all",
        "tokens": sum(map(len, sequences)),
        "greatest difference of a score": error,
        "the same, quantized activations": float(np.abs(quantized - reference).max()),
        "mean, quantized activations": float(np.abs(quantized - reference).mean()),
        "texts per second": {name: round(len(texts) / seconds, 1) for name, (seconds, _) in least.items()},
        "ours is faster, by the clock": {name: round(seconds / least["ours"][0], 2) for name, (seconds, _) in least.items()},
        "ours is faster, by CPU time": {name: round(cpu / least["ours"][1], 2) for name, (_, cpu) in least.items()},
        "load": os.getloadavg(),
        "spread (longest / shortest)": {name: round(max(r)[0] / min(r)[0], 2) for name, r in taken.items()},
    }
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
