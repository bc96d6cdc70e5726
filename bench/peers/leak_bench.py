# SPDX-License-Identifier: Apache-2.0
"""The leak check beside datatrove's decontamination (NGramsDecont, 12-grams): found, wrongly found, and speed on one core.

    leak_bench.py --program build/bench/leak_texts --planted FOLDER [--documents 6000]

FOLDER is what bench/leak/plant.py wrote; half B is used. Both get the same items (question, options, answer, solution, passage)
and documents; datatrove gets each item as question and answer in its English and, for Chinese items, its Chinese tokenizer.
Needs datatrove, spacy, nltk, jieba and xxhash 3.5 in the Python that runs this.
"""

import argparse
import collections
import json
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "leak"))
import evaluate


def datatrove_filters(items):
    from datatrove.pipeline.decont import NGramsDecontConfig, NGramsDecontFilter
    from datatrove.pipeline.decont.n_grams import NGramsDecontIndexer
    from loguru import logger

    logger.remove()
    # lighteval brings the items of its tasks; here they are handed in.
    NGramsDecontIndexer._requires_dependencies = []
    for language in ("eng", "cmn_Hani"):
        folder = tempfile.mkdtemp(prefix="leak_bench_")
        config = NGramsDecontConfig()
        indexer = NGramsDecontIndexer(folder, language=language, config=config)
        hashes = set()
        for item in items:
            if item["chinese"] != (language == "cmn_Hani"):
                continue
            rest = "\n".join([*item["options"], item["answer"] or item["solution"], item["passage"]])
            hashes.update(indexer.compute_hashes(rest, item["question"]))
        with open(f"{folder}/items.index.hashes", "wb") as file:
            for one in sorted(hashes):
                file.write(struct.pack("<Q", one))
        yield NGramsDecontFilter(folder, config=config, language=language)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--planted", required=True)
    parser.add_argument("--documents", type=int, default=6000)
    arguments = parser.parse_args()
    planted = pathlib.Path(arguments.planted)
    truth, groups = evaluate.load_truth(planted, "B")
    items = [json.loads(line) for line in open(planted / "items_B.jsonl", encoding="utf-8")]
    documents = [json.loads(line) for line in open(planted / "documents_B.jsonl", encoding="utf-8")]
    # A third each: planted, hard negatives, natural; in the order of the file.
    left = dict.fromkeys(("planted", "negative", "natural"), arguments.documents // 3)
    chosen = []
    for document in documents:
        record = truth.get(document["id"])
        kind = "natural" if record is None else "negative" if record["kind"] == "negative" else "planted"
        if left[kind] > 0:
            left[kind] -= 1
            chosen.append(document)
    truth = {d["id"]: truth[d["id"]] for d in chosen if d["id"] in truth}
    size = sum(len(d["text"].encode()) for d in chosen) / 1e6
    folder = tempfile.mkdtemp(prefix="leak_bench_")
    path = f"{folder}/documents.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(d, ensure_ascii=False) + "\n" for d in chosen)

    command = [arguments.program, "scan", str(planted / "items_B.jsonl"), str(planted / "sample.jsonl"), path]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    found = collections.defaultdict(list)
    for line in result.stdout.splitlines():
        document, item, verdict = line.split("\t")[:3]
        found[document].append((item, verdict))
    ours = float(re.findall(r"= ([\d.]+) MB/s", result.stderr)[-1])
    print(f"{len(chosen)} documents, {size:.2f} MB\nheadrace: {ours:.1f} MB/s")
    evaluate.report(evaluate.evaluate(truth, groups, found))

    from datatrove.data import Document

    english, chinese = datatrove_filters(items)
    any_hit = set()
    start = time.process_time()
    for document in chosen:
        for check in (english, chinese):
            if check.filter(Document(text=document["text"], id=document["id"])) is not True:
                any_hit.add(document["id"])
    theirs = size / (time.process_time() - start)
    right = {d for d, record in truth.items() if record["kind"] != "negative"}
    in_scope = {d for d in right if truth[d]["in_scope"]}
    hits = len(any_hit & in_scope)
    wrong = len(any_hit - right)
    print(f"datatrove: {theirs:.2f} MB/s in both languages; recall {hits / len(in_scope):.3f} (any item counts), "
          f"precision {hits / max(1, hits + wrong):.3f} ({wrong} wrong)")  # fmt: skip
    for kind in sorted({truth[d]["kind"] for d in in_scope}):
        of = {d for d in in_scope if truth[d]["kind"] == kind}
        print(f"  {kind:16} {len(of & any_hit) / len(of):.3f}")
    print(f"headrace / datatrove: {ours / theirs:.0f} times as fast")


if __name__ == "__main__":
    main()
