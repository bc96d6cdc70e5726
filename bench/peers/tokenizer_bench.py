#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Text → ids beside other tokenizers: English, Chinese, code; fresh and repeated; one core or more.

    python3 -m venv VENV && VENV/bin/pip install tokenizers==0.23.2 tiktoken==0.14.0 gigatoken==0.10.0 fastokens==0.3.5 \\
        snaptokens==0.2.6 awkward numpy
    HEADRACE_DATA=... VENV/bin/python bench/peers/tokenizer_bench.py [--tokenizer qwen3] [--megabytes 50] [--cores 1] \\
        [--peers gigatoken,fastokens] [--levels avx512,avx2]

Fresh is the first pass of a process over a text, repeated the third. The ids of all sides are compared with those of
Hugging Face tokenizers on every --check-th document before any time is shown; a side with other ids has no time. Times are
CPU seconds of the process with its threads (one core), or by the clock (more); opening a file is no part of them. Peers
start in a process of their own, as ours does; theirs holds the making of Python objects, which is how they are used.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import pathlib
import random
import struct
import subprocess
import sys
import tarfile
import time
import zipfile

SLOW = ("tokenizers", "tiktoken")  # once is enough
PEERS = ["tokenizers", "tiktoken", "gigatoken", "fastokens", "snaptokens"]
ENGLISH = ["en-books-news/nltk/*.zip", "quality-labels-en/dclm/*.jsonl.gz", "dup-articles-plagiarism/*.gz", "dup-en-pairs/wiki-split/*.gz"]
CHINESE = ["zh-novels/utf8/*.gz", "zh-fewclue/*/*.gz", "zh-reviews/*/*.gz", "zh-clickbait-hancd/datasets/HanCD/*/*.gz"]
CODE = ["code-samples/*.tar.gz"]
PATTERNS = {
    "qwen3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
    "llama3": r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+",
}


def files(data: pathlib.Path, patterns: list[str]):
    for path in sorted(path for pattern in patterns for path in data.glob(pattern)):
        if path.name.endswith(".tar.gz"):
            with tarfile.open(path) as archive:
                yield from (archive.extractfile(member).read() for member in archive if member.isfile())
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                yield from (archive.read(member) for member in archive.infolist() if not member.is_dir())
        else:
            yield gzip.decompress(path.read_bytes())


def documents(data: pathlib.Path, patterns: list[str], most: int) -> list[str]:
    """Distinct paragraphs in groups of a few thousand characters, in an order from a seed."""
    found, seen = [], set()
    for content in files(data, patterns):
        try:
            text = content.decode()
        except UnicodeDecodeError:
            continue
        if patterns is not CODE and text.startswith("{"):  # JSON Lines: the texts in it
            rows = [json.loads(line) for line in text.split("\n") if line.startswith("{")]
            text = "\n".join(value for row in rows for value in row.values() if isinstance(value, str) and len(value) > 40)
        if patterns is CODE:
            found.append(text)
            continue
        group, size = [], 0
        for line in text.split("\n"):
            if hash(line) in seen:
                continue
            seen.add(hash(line))
            group.append(line)
            size += len(line)
            if size > 3000:
                found.append("\n".join(group))
                group, size = [], 0
        found.append("\n".join(group))
    random.Random(5).shuffle(found)
    taken, size = [], 0
    for text in found:
        size += len(text.encode())
        if size > most:
            break
        taken.append(text)
    return taken


def encoder(peer: str, path: str, name: str):
    """A function of a list of texts, which gives a list of ids for each."""
    if peer == "tokenizers":
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(path)
        tokenizer.encode_special_tokens = True
        return lambda texts: [each.ids for each in tokenizer.encode_batch_fast(texts, add_special_tokens=False)]
    if peer == "tiktoken":
        import tiktoken

        bytes_of = {chr(c): b for b, c in byte_chars().items()}
        model = json.load(open(path))
        added = {token["content"] for token in model["added_tokens"]}
        ranks = {bytes(bytes_of[c] for c in text): i for text, i in model["model"]["vocab"].items() if text not in added}
        encoding = tiktoken.Encoding(name, pat_str=PATTERNS[name], mergeable_ranks=ranks, special_tokens={})
        return lambda texts: [encoding.encode_ordinary(text) for text in texts]
    if peer == "gigatoken":
        import gigatoken

        tokenizer = gigatoken.Tokenizer(path)
        return lambda texts: tokenizer.encode_batch(texts, parallel=False)
    module = __import__(peer)
    tokenizer = module.Tokenizer.from_file(path)
    return lambda texts: [getattr(each, "ids", each) for each in tokenizer.encode_batch(texts, add_special_tokens=False)]


def byte_chars() -> dict[int, int]:
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    rest = [b for b in range(256) if b not in printable]
    return {**{b: b for b in printable}, **{b: 256 + i for i, b in enumerate(rest)}}


def peer_main(peer: str, path: str, name: str, passes: int, check: int) -> None:
    """In a process of its own: texts as JSON on standard input; ids of some and seconds of all passes on standard output."""
    texts = json.load(sys.stdin)
    encode = encoder(peer, path, name)
    encode(["The quick brown fox."])
    taken = []
    for number in range(passes):
        begin, cpu = time.perf_counter(), time.process_time()
        result = encode(texts)
        taken.append((time.perf_counter() - begin, time.process_time() - cpu))
        if number == 0:
            ids = [[int(i) for i in result[k]] for k in range(0, len(texts), check)]
    json.dump({"taken": taken, "ids": ids}, sys.stdout)


def run_peer(peer: str, path: str, name: str, texts: list[str], passes: int, check: int) -> dict:
    quiet = {"RAYON_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    done = subprocess.run([sys.executable, __file__, "--as-peer", peer, path, name, str(passes), str(check)],
                          input=json.dumps(texts), capture_output=True, text=True, env={**os.environ, **quiet})
    if done.returncode != 0:
        return {"error": done.stderr.strip().splitlines()[-1:]}
    return json.loads(done.stdout)


def run_ours(program: str, path: str, level: str, cores: int, texts: list[str], check: int) -> dict:
    encoded = [text.encode() for text in texts]
    done = subprocess.run([program, path, level, "3", str(cores)], capture_output=True, check=True,
                          input=b"".join(struct.pack("<I", len(text)) + text for text in encoded))
    ids, at = [], 0
    for k in range(len(texts)):
        (count,) = struct.unpack_from("<I", done.stdout, at)
        if k % check == 0:
            ids.append(list(struct.unpack_from(f"<{count}I", done.stdout, at + 4)))
        at += 4 + 4 * count
    return {"taken": [tuple(map(float, line.split())) for line in done.stderr.decode().splitlines()], "ids": ids}


def sides_of(arguments: argparse.Namespace, path: str, texts: list[str]) -> dict:
    def ours(level: str):
        return lambda: run_ours(arguments.program, path, level, arguments.cores, texts, arguments.check)

    def theirs(peer: str):
        return lambda: run_peer(peer, path, arguments.tokenizer, texts, 1 if peer in SLOW else 3, arguments.check)

    sides = {f"headrace {level}": ours(level) for level in arguments.levels.split(",")}
    sides |= {peer: theirs(peer) for peer in filter(None, arguments.peers.split(","))}
    return sides


def main() -> None:
    if sys.argv[1:2] == ["--as-peer"]:
        peer, path, name, passes, check = sys.argv[2:]
        return peer_main(peer, path, name, int(passes), int(check))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/bench/tokenize_texts")
    parser.add_argument("--tokenizer", default="qwen3")
    parser.add_argument("--megabytes", type=float, default=50)
    parser.add_argument("--cores", type=int, default=1, help="of our side")
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--levels", default="avx512")
    parser.add_argument("--rounds", type=int, default=3, help="new processes for each of the fast sides")
    parser.add_argument("--check", type=int, default=20)
    arguments = parser.parse_args()
    data = pathlib.Path(os.environ["HEADRACE_DATA"])
    path = str(data / "tokenizers" / arguments.tokenizer / "tokenizer.json")
    for language, patterns in {"English": ENGLISH, "Chinese": CHINESE, "code": CODE}.items():
        texts = documents(data, patterns, int(arguments.megabytes * 1e6))
        size = sum(len(text.encode()) for text in texts) / 1e6
        reference = run_peer("tokenizers", path, arguments.tokenizer, texts[:: arguments.check], 1, 1)["ids"]
        sides = sides_of(arguments, path, texts)
        clock = 0 if arguments.cores > 1 else 1
        for name, side in sides.items():
            results = [side() for _ in range(1 if name in SLOW else arguments.rounds)]
            row = {"tokenizer": arguments.tokenizer, "language": language, "MB": round(size, 1), "side": name}
            if "error" in results[0]:
                row["error"] = results[0]["error"]
            elif results[0]["ids"] != reference:
                row["documents with other ids"] = sum(a != b for a, b in zip(results[0]["ids"], reference))
            else:
                best = [min(result["taken"][k][clock] for result in results) for k in range(len(results[0]["taken"]))]
                row["fresh MB/s"] = round(size / best[0], 1)
                if len(best) > 2:
                    row["repeated MB/s"] = round(size / best[2], 1)
            print(json.dumps(row), flush=True)
    print(json.dumps({"load": os.getloadavg()}))


if __name__ == "__main__":
    main()
