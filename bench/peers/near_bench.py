#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Near duplicates beside datasketch, rensa, gaoya, datatrove and text-dedup: speed, recall and precision on one corpus.

    HEADRACE_DATA=... bench/peers/near_bench.py --command build/headrace [--megabytes 3] [--peers PYTHON[:NAME,...]]...

Each --peers names the Python of an environment and the peers that it holds, e.g. /venv/bin/python:datasketch,rensa,gaoya; a
peer that cannot be imported is left out and said so. The corpus is real text in pages (English, then Chinese), of which one in
five has a copy and two in five a copy with one to twelve edits; all tools get 128 permutations, 5-grams (words; characters of
Chinese where a tool can) and the threshold 0.8, with bands as each derives them.
Recall is over planted pairs of true Jaccard similarity 0.8 or more (n-grams as headrace counts them): both in one cluster.
Precision is the share of removed documents that have a partner of 0.7 or more in their cluster: one below is no near duplicate
by anybody's n-grams. Times are CPU seconds of one process from text to clusters; of headrace, of the whole run, with all
measures, Parquet and report, and of build/bench/near_flow_bench, which does what the peers do (JSON Lines to verdicts); ratios are to
the latter.
"""

import argparse
import collections
import gzip
import json
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

THRESHOLD, PERMUTATIONS, NGRAM = 0.8, 128, 5
TOKEN = re.compile("[\u3400-\u9fff]|[^\\W\u3400-\u9fff]+")


def english(data):
    pages = gzip.decompress((data / "quality-labels-en/dclm/majority_data.jsonl.gz").read_bytes()).decode()
    return [json.loads(line)["text"][:4000] for line in pages.split("\n") if line]


def chinese(data):
    novel = "".join(gzip.decompress((data / f"zh-novels/utf8/{name}.txt.gz").read_bytes()).decode("utf-8", "ignore")
                    for name in ("水浒传", "西游记"))
    return [novel[at: at + 900] for at in range(0, len(novel), 900)]


def edited(text, edits, rng):
    words = text.split(" ") if " " in text[:200] else list(text)
    for _ in range(edits):
        at = rng.randrange(len(words))
        words[at] = rng.choice(["", words[at] + words[at - 1], words[rng.randrange(len(words))]])
    return (" " if " " in text[:200] else "").join(words)


def plant(pages, size, seed=1):
    """[text], [(a, b)]: documents in a random order, and the planted pairs."""
    rng = random.Random(seed)
    texts, pairs = [], []
    for page in pages:
        if size <= 0:
            break
        if len(TOKEN.findall(page)) < 60:
            continue
        size -= len(page.encode())
        texts.append(page)
        kind = rng.random()
        if kind < 0.6:
            copy = page if kind < 0.2 else edited(page, rng.randint(1, 12), rng)
            pairs.append((len(texts) - 1, len(texts)))
            texts.append(copy)
            size -= len(copy.encode())
    order = list(range(len(texts)))
    rng.shuffle(order)
    place = {old: new for new, old in enumerate(order)}
    return [texts[old] for old in order], [(place[a], place[b]) for a, b in pairs]


def shingles(text):
    tokens = TOKEN.findall(text.lower())
    return {" ".join(tokens[i: i + NGRAM]) for i in range(max(1, len(tokens) - NGRAM + 1))}


def jaccard(a, b):
    return len(a & b) / len(a | b)


def score(labels, texts, pairs):
    sets = {}

    def of(i):
        if i not in sets:
            sets[i] = shingles(texts[i])
        return sets[i]

    wanted = [(a, b) for a, b in pairs if jaccard(of(a), of(b)) >= THRESHOLD]
    found = sum(labels[a] == labels[b] for a, b in wanted)
    members = collections.defaultdict(list)
    for i, label in enumerate(labels):
        members[label].append(i)
    removed = right = 0
    for group in members.values():
        for i in group[1:]:
            removed += 1
            right += any(jaccard(of(i), of(j)) >= 0.7 for j in group if j != i)
    return {"recall": found / len(wanted), "wanted": len(wanted), "precision": right / removed if removed else None,
            "removed": removed}


class Union(dict):
    def find(self, x):
        while self.setdefault(x, x) != x:
            self[x] = self[self[x]]
            x = self[x]
        return x

    def unite(self, a, b):
        self[self.find(max(a, b))] = self.find(min(a, b))


# ---- peers, each from texts to labels ----


def run_datasketch(texts, folder, language):
    from datasketch import MinHash, MinHashLSH

    index, union = MinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS), Union()
    for i, text in enumerate(texts):
        signature = MinHash(num_perm=PERMUTATIONS)
        signature.update_batch([shingle.encode() for shingle in shingles(text)])
        for other in index.query(signature):
            union.unite(other, i)
        index.insert(i, signature)
    return [union.find(i) for i in range(len(texts))]


def run_rensa(texts, folder, language):
    import rensa

    index, union = rensa.RMinHashLSH(threshold=THRESHOLD, num_perm=PERMUTATIONS, num_bands=16), Union()
    for i, text in enumerate(texts):
        signature = rensa.RMinHash(num_perm=PERMUTATIONS, seed=42)
        signature.update(list(shingles(text)))
        for other in index.query(signature):
            union.unite(other, i)
        index.insert(i, signature)
    return [union.find(i) for i in range(len(texts))]


def run_gaoya(texts, folder, language):
    import gaoya.minhash

    # It cuts words at blanks, so it is given tokens with blanks between.
    joined = [" ".join(TOKEN.findall(text.lower())) for text in texts]
    index = gaoya.minhash.MinHashStringIndex(hash_size=32, jaccard_threshold=THRESHOLD, num_bands=21, band_size=6,
                                             analyzer="word", lowercase=True, ngram_range=(NGRAM, NGRAM))
    union = Union()
    for i, text in enumerate(joined):
        for other in index.query(text):
            union.unite(other, i)
        index.insert_document(i, text)
    return [union.find(i) for i in range(len(texts))]


def run_datatrove(texts, folder, language):
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup import MinhashDedupBuckets, MinhashDedupCluster, MinhashDedupFilter, MinhashDedupSignature
    from datatrove.pipeline.dedup.minhash import MinhashConfig
    from datatrove.pipeline.readers import JsonlReader
    from datatrove.pipeline.writers.jsonl import JsonlWriter
    from datatrove.utils.hashing import HashConfig
    from loguru import logger

    logger.remove()
    (folder / "in").mkdir()
    (folder / "in/0.jsonl").write_text("".join(json.dumps({"id": str(i), "text": text}) + "\n" for i, text in enumerate(texts)))
    config = MinhashConfig(hash_config=HashConfig(precision=64), n_grams=NGRAM, num_buckets=21, hashes_per_bucket=6)
    steps = [([JsonlReader(f"{folder}/in"), MinhashDedupSignature(f"{folder}/s", config, language=language)], 1),
             ([MinhashDedupBuckets(f"{folder}/s", f"{folder}/b", config=config)], 21),
             ([MinhashDedupCluster(f"{folder}/b", f"{folder}/c", config=config, save_cluster_id=True)], 1),
             ([JsonlReader(f"{folder}/in"), MinhashDedupFilter(f"{folder}/c", exclusion_writer=JsonlWriter(f"{folder}/x", compression=None),
                                                               load_cluster_ids=True),
               JsonlWriter(f"{folder}/o", compression=None)], 1)]
    for i, (step, tasks) in enumerate(steps):
        LocalPipelineExecutor(step, tasks=tasks, workers=1, logging_dir=f"{folder}/log{i}", skip_completed=False).run()
    labels = [-1 - i for i in range(len(texts))]
    for path in [*folder.glob("o/*"), *folder.glob("x/*")]:
        for line in path.read_text().splitlines():
            record = json.loads(line)
            cluster = record.get("metadata", {}).get("minhash_cluster_id", -1)
            if cluster is not None and cluster >= 0:
                labels[int(record["id"])] = cluster
    return labels


def run_text_dedup(texts, folder, language):
    import pyarrow
    import pyarrow.parquet

    (folder / "in").mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"text": texts, "n": list(range(len(texts)))}), folder / "in/0.parquet")
    environment = dict(os.environ, HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HOME=str(folder / "hf"), TQDM_DISABLE="1")
    subprocess.run([sys.executable, "-m", "text_dedup.minhash", "--path", "parquet", "--data_dir", str(folder / "in"), "--split",
                    "train", "--cache_dir", str(folder / "cache"), "--output", str(folder / "out"), "--column", "text",
                    "--batch_size", "10000", "--num_perm", str(PERMUTATIONS), "--ngram", str(NGRAM), "--threshold", str(THRESHOLD),
                    "--num_proc", "1"], env=environment, check=True, capture_output=True)
    from datasets import load_from_disk

    # It writes what is left, without saying of what: a planted pair counts as found when one of it is gone, and removed
    # documents are scored against everything.
    kept = set(load_from_disk(str(folder / "out"))["n"])
    return ["kept" if i in kept else None for i in range(len(texts))]


PEERS = {"datasketch": run_datasketch, "rensa": run_rensa, "gaoya": run_gaoya, "datatrove": run_datatrove,
         "text-dedup": run_text_dedup}


def labels_of_removed(kept, pairs):
    """Labels from kept and removed alone: a removed document joins its planted partner, else it is wrong."""
    labels = list(range(len(kept)))
    wrong = set()
    partner = dict(pairs) | {b: a for a, b in pairs}
    for i, state in enumerate(kept):
        if state is None:
            if i in partner:
                labels[i] = labels[partner[i]]
            else:
                wrong.add(i)
    return labels, len(wrong)


def cpu_seconds():
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(u.ru_utime + u.ru_stime for u in usage)


def peer_main(name, corpus):
    with open(corpus) as file:
        given = json.load(file)
    try:
        with tempfile.TemporaryDirectory() as folder:
            language = "english" if given["language"] == "English" else "chinese"
            start = cpu_seconds()
            labels = PEERS[name](given["texts"], pathlib.Path(folder),
                                 {"english": "eng_Latn", "chinese": "cmn_Hani"}[language] if name == "datatrove" else language)
            seconds = cpu_seconds() - start
    except Exception as error:  # a peer that cannot do this is a result of its own
        print(json.dumps({"error": f"{type(error).__name__}: {error}"[:300]}))
        return
    print(json.dumps({"labels": labels, "seconds": seconds}))


def run_headrace(command, texts, folder):
    (folder / "raw").mkdir()
    (folder / "raw/a.jsonl").write_text("".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts))
    recipe = {"sources": [{"domain": "x", "paths": [str(folder / "raw/*.jsonl")]}], "normalize": [],
              "dedup": {"exact": True, "near": {"ngram": NGRAM, "threshold": THRESHOLD}}}
    (folder / "recipe.yaml").write_text(json.dumps(recipe))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run([command, "run", str(folder / "recipe.yaml"), "--output", str(folder / "run"), "-q", "--threads", "1"], check=True,
                   stdout=subprocess.DEVNULL)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    ids = [json.loads(line)["id"] for flag in ([], ["--dropped"])
           for line in subprocess.run([command, "cat", str(folder / "run"), *flag], capture_output=True, check=True).stdout.splitlines()]
    details = {}
    for line in subprocess.run([command, "cat", str(folder / "run"), "--dropped"], capture_output=True, check=True).stdout.splitlines():
        record = json.loads(line)
        details[record["id"]] = record["detail"].split()[-1]
    order = sorted(ids, key=lambda id_: int(id_.split(":")[1]))

    def top(id_):
        while id_ in details:
            id_ = details[id_]
        return id_

    return [top(id_) for id_ in order], seconds, wall


def flow_speed(program, folder):
    """MB/s of CPU time, of the best of three."""
    speeds = []
    for _ in range(3):
        done = subprocess.run([program, str(folder / "raw/a.jsonl"), "-", str(folder / "flow")], capture_output=True, text=True, check=True)
        speeds.append(float(re.search(r"([\d.]+) MB/s of CPU", done.stdout).group(1)))
    return max(speeds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/headrace")
    parser.add_argument("--flow", default="build/bench/near_flow_bench")
    parser.add_argument("--data", default=os.environ.get("HEADRACE_DATA"))
    parser.add_argument("--megabytes", type=float, default=3)
    parser.add_argument("--peers", action="append", default=[])
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    parser.add_argument("--corpus", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        return peer_main(arguments.peer, arguments.corpus)
    data = pathlib.Path(arguments.data)
    for language, pages in (("English", english(data)), ("Chinese", chinese(data))):
        texts, pairs = plant(pages, arguments.megabytes * 1e6)
        size = sum(len(text.encode()) for text in texts) / 1e6
        print(f"{language}: {len(texts)} documents, {size:.1f} MB, {len(pairs)} planted pairs")
        with tempfile.TemporaryDirectory() as folder:
            labels, seconds, wall = run_headrace(arguments.command, texts, pathlib.Path(folder))
            ours = flow_speed(arguments.flow, pathlib.Path(folder))
        found = score(labels, texts, pairs)
        print(f"  {'headrace, flow':<22} {ours:8.2f} MB/s")
        print(f"  {'headrace, whole run':<22} {size / seconds:8.2f} MB/s          recall {found['recall']:.3f} of {found['wanted']}"
              f"  precision {found['precision']:.3f} of {found['removed']}  ({wall:.2f} s wall)")
        with tempfile.TemporaryDirectory() as folder:
            corpus = pathlib.Path(folder) / "corpus.json"
            corpus.write_text(json.dumps({"language": language, "texts": texts}))
            for entry in arguments.peers:
                python, _, names = entry.partition(":")
                for name in names.split(",") if names else PEERS:
                    done = subprocess.run([python, __file__, "--peer", name, "--corpus", str(corpus)], capture_output=True, text=True)
                    if done.returncode != 0:
                        print(f"  {name:<22} failed: {done.stderr.strip().splitlines()[-1][:200]}")
                        continue
                    answer = json.loads(done.stdout.splitlines()[-1])
                    if "error" in answer:
                        print(f"  {name:<22} failed: {answer['error']}")
                        continue
                    note = ""
                    if None in answer["labels"]:
                        answer["labels"], wrong = labels_of_removed(answer["labels"], pairs)
                        note = f"  ({wrong} removed without a planted partner)"
                    found = score(answer["labels"], texts, pairs)
                    speed = size / answer["seconds"]
                    precision = "-" if found["precision"] is None else f"{found['precision']:.3f}"
                    print(f"  {name:<22} {speed:8.2f} MB/s  x{ours / speed:7.1f}  recall {found['recall']:.3f} of {found['wanted']}"
                          f"  precision {precision} of {found['removed']}{note}", flush=True)


if __name__ == "__main__":
    main()
