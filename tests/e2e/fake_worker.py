# SPDX-License-Identifier: Apache-2.0
"""A worker by the contract of docs/formats/scores.md that needs no framework: a text's value is the share of its letter e.

It is what `python -m headrace.mindspore` is to a run: a program of its own, which a test puts in place of the interpreter.
FAKE_WORKER=fail: says why and ends; die: is killed after its first part; short: leaves a row out; nan: no value for each third row;
null: a row without an id.
"""

import argparse
import os
import pathlib
import signal
import sys

import pyarrow as pa
import pyarrow.parquet as pq


def main():
    assert sys.argv[1:4] == ["-m", "headrace.mindspore", "score"], sys.argv
    parser = argparse.ArgumentParser()
    for option in ("--run", "--name", "--model"):
        parser.add_argument(option, required=True)
    for option in ("--tokenizer", "--max-length", "--batch"):
        parser.add_argument(option)
    arguments = parser.parse_args(sys.argv[4:])
    mode = os.environ.get("FAKE_WORKER", "")
    print("device ready", file=sys.stderr)
    print("this goes nowhere")
    if mode == "fail":
        print("RuntimeError: the model has no input 'input_ids'\n", file=sys.stderr)
        sys.exit(3)
    run = pathlib.Path(arguments.run)
    folder = run / "scores" / arguments.name
    for wanted in sorted((folder / "wanted").glob("*.parquet")):
        fresh = folder / "fresh" / wanted.name
        if fresh.exists():
            continue
        ids = pq.read_table(wanted)["id"].to_pylist()
        texts = pq.read_table(run / "normalized" / wanted.name, columns=["id", "text"]).to_pydict()
        by_id = dict(zip(texts["id"], texts["text"], strict=True))
        values = [by_id[id].count("e") / max(1, len(by_id[id])) for id in ids]
        if mode == "nan":
            values = [None if i % 3 == 0 else value for i, value in enumerate(values)]
        if mode == "short":
            ids, values = ids[:-1], values[:-1]
        if mode == "null":
            ids[len(ids) // 2] = None
        table = pa.table({"id": pa.array(ids, pa.uint64()), "value": pa.array(values, pa.float64()),
                          "label": pa.array([None] * len(ids), pa.string())})
        pq.write_table(table, str(fresh) + ".tmp")
        os.rename(str(fresh) + ".tmp", fresh)
        with open(run.parent / "worker.log", "a") as log:
            log.write(f"{wanted.name} {len(ids)}\n")
        if mode == "die":
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main()
