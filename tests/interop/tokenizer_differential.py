#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares our ids with those of the original engines, document by document.

    python3 -m venv .cache/oracle
    .cache/oracle/bin/pip install tokenizers==0.22.2 tiktoken==0.14.0 sentencepiece==0.2.3 protobuf
    .cache/oracle/bin/python tests/interop/tokenizer_differential.py \
        --tool build/src/tokenize/headrace_tokenize_records \
        --text FOLDER --fuzz 100000 [--made DATA/tokenizers] FILE...

A tokenizer.json or vocab.txt goes to Hugging Face `tokenizers`, a .tiktoken file to `tiktoken`, a .model to
`sentencepiece`. --made: tokenizer.json files put together from parts that no file at hand has.

Real text: every file below FOLDER that is UTF-8, or is that under gzip, cut at newlines into documents of up to 64 KiB.
Fuzzed text: from a seed. Both are encoded with special tokens as text and as special tokens. Exit
code 1 if any id differs; the shortest document that differs is shown.
"""

import argparse
import gzip
import itertools
import pathlib
import random
import struct
import subprocess
import sys
import tempfile
import typing
import zlib

if typing.TYPE_CHECKING:
    from tokenizer_oracles import Oracle

MOST_BYTES = 1 << 16

# Strings that have split tokenizers before: contractions, white space of all kinds, marks that
# compose or reorder, number forms, signs, scripts, characters newer than some Unicode version.
PARTS = [
    "'", "'s", "'S", "'ſ", "'re", "'LL", "'v", "'d", "'tis", "\r", "\n", "\r\n", " ", "  ", "\t",
    "\x0b", "\x0c", "\x1c", "\x85", "\xa0", "\u1680", "\u2028", "\u2029", "\u202f", "\u3000",
    "\u200b", "\ufeff", "\u180e", "a", "ab", "Hello", "the", " the", "ſ", "é", "e\u0301", "Ａ", "，",
    "。", "今", "天气", "中国", "的", "1", "23", "4567", "٣", "½", "①", "Ⅷ", "🙂", "👨‍👩‍👧", "\u0300",
    "\u0345", "\u0344", "가", "\u1100\u1161", "\u11a8", "ひ", "カ\u3099", "゛", "・", "゠", "-", "--",
    "/", "//", "<", "<|im_start|>", "<|endoftext|>", "<think>", "</think>", "<|end_of_text|>",
    "<｜begin▁of▁sentence｜>", "<|EOT|>", "_", "\x00", "\x7f", "\x01\x02", "𠀀", "豈", "ⅷ",
    "\U0001e944", "\ua9ff", "क्ष", "ไทย", "Й", "И\u0306", "«", "”", "DŽ", "ǅ", "ʰ", "camelCase",
    "HTMLParser", "don't", "I'M", "ªº", "\u08d4", "\u1df6", "\U00011935\U00011930", "\u1c89",
    "\U000105c0", "\U00011db0", "\ue000", "\u0378", "$", "€", "+1", "...", "!?", "(x)", "\ufffd",
]
WORDS = ["straße", "Pneumonoultramicroscopicsilicovolcanoconiosis", "internationalization", "aaaaaaaa",
         "xyzzy", "不", "人民共和國", "氵", "qqqqqq", "zzz", "しない", " việc", " Japón"]


def real_documents(folder: pathlib.Path) -> list[str]:
    documents = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file():
            continue
        try:
            data = path.read_bytes()
            text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8")
        except (UnicodeDecodeError, EOFError, OSError, zlib.error):  # other encodings, and archives that are cut on purpose
            continue
        while text:
            end = len(text)
            if end > MOST_BYTES // 4:
                end = text.rfind("\n", 0, MOST_BYTES // 4) + 1 or MOST_BYTES // 4
            documents.append(text[:end])
            text = text[end:]
    return documents


def any_character(draw: random.Random) -> str:
    ranges = [(0, 0x7F, 30), (0x80, 0x7FF, 20), (0x4E00, 0x9FFF, 20), (0x800, 0xFFFF, 20),
              (0x10000, 0x1FFFF, 7), (0x10000, 0x10FFFF, 3)]
    while True:
        first, last, _ = draw.choices(ranges, [weight for *_, weight in ranges])[0]
        code_point = draw.randint(first, last)
        if not 0xD800 <= code_point < 0xE000:
            return chr(code_point)


def fuzzed_documents(count: int, seed: int) -> list[str]:
    draw = random.Random(seed)
    kinds = [
        lambda: "".join(draw.choice(PARTS) for _ in range(draw.randint(1, 60))),
        lambda: "".join(any_character(draw) for _ in range(draw.randint(1, 80))),
        lambda: "".join(draw.choice(WORDS) for _ in range(draw.randint(1, 20))),
        lambda: " " * draw.randint(0, 70) + draw.choice(PARTS)
        + draw.choice([" ", "\n", "\t", "\n ", " \n"]) * draw.randint(0, 100)
        + draw.choice(PARTS) + draw.choice("\n .a") * draw.randint(0, 70),
        lambda: draw.choice(PARTS) * draw.randint(1, 300),
    ]
    weights = [40, 40, 8, 11, 1]
    documents = [kind() for kind in draw.choices(kinds, weights, k=count)]
    # Every code point once, between letters and behind a blank.
    everything = (chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000
                  and (c < 0x33480 or 0xE0000 <= c < 0xE0200 or c % 97 == 0))
    while chunk := list(itertools.islice(everything, 40)):
        documents.append("".join(f"a{c}b {c}" for c in chunk))
    return documents


def our_ids(tool: str, oracle: "Oracle", mode: str, documents: list[bytes]) -> list[list[int]]:
    with tempfile.TemporaryFile() as records:
        for document in documents:
            records.write(struct.pack("<I", len(document)) + document)
        records.seek(0)
        output = subprocess.run([tool, oracle.path, mode, *oracle.options], stdin=records, stdout=subprocess.PIPE,
                                check=True).stdout
    result = []
    at = 0
    while at < len(output):
        (count,) = struct.unpack_from("<I", output, at)
        result.append(list(struct.unpack_from(f"<{count}I", output, at + 4)))
        at += 4 + 4 * count
    return result


def compare(tool: str, oracle: "Oracle", name: str, documents: list[str]) -> int:
    encoded = [document.encode() for document in documents]
    differing = 0
    for mode in oracle.modes:
        ours = our_ids(tool, oracle, mode, encoded)
        assert len(ours) == len(documents)
        wrong = []
        ids = refused = 0
        for begin in range(0, len(documents), 1000):
            for i, theirs in enumerate(oracle.encode(documents[begin:begin + 1000], mode == "special"), start=begin):
                if theirs is None:  # an engine's own limit
                    refused += 1
                    continue
                ids += len(theirs)
                if list(theirs) != ours[i]:
                    wrong.append(i)
        print(f"{oracle.path}: {name}, {mode}: {len(documents)} documents, {sum(map(len, encoded))} bytes, {ids} ids, "
              f"{len(wrong)} documents differ" + (f", {refused} refused by the engine" if refused else ""), flush=True)
        if wrong:
            shortest = min(wrong, key=lambda i: len(documents[i]))
            (theirs,) = oracle.encode([documents[shortest]], mode == "special")
            print(f"  text   {documents[shortest][:300]!r}\n  theirs {list(theirs)[:60]}\n  ours   {ours[shortest][:60]}")
        differing += len(wrong)
    return differing


def main() -> None:
    from tokenizer_oracles import made_files, oracle_of  # here: the texts are used without its packages

    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokenizers", nargs="*")
    parser.add_argument("--made", type=pathlib.Path)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--text", type=pathlib.Path)
    parser.add_argument("--fuzz", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=5)
    arguments = parser.parse_args()
    sets = {"fuzzed": fuzzed_documents(arguments.fuzz, arguments.seed)}
    if arguments.text:
        sets["real"] = real_documents(arguments.text)
    differing = 0
    with tempfile.TemporaryDirectory() as folder:
        made = made_files(arguments.made, pathlib.Path(folder)) if arguments.made else []
        for path in [*arguments.tokenizers, *made]:
            oracle = oracle_of(str(path))
            for name, documents in sets.items():
                differing += compare(arguments.tool, oracle, name, documents)
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
