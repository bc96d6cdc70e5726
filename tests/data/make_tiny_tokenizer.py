#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/data/tiny_tokenizer.json: a 500-entry byte-level BPE for tests.

Trained on the text below only, by plain byte-pair counting, so the file is reproducible with
nothing but Python:

    python3 tests/data/make_tiny_tokenizer.py > tests/data/tiny_tokenizer.json
"""

import collections
import json
import re

ENTRIES = 499  # then <|endoftext|> is id 499

# The text the merges are learned from: English, Chinese, a little code.
TEXT = """
A headrace is the channel that brings water to a turbine. This program brings data to machines that
learn. It reads documents, measures them, judges them by rules that people can read, removes the
copies, mixes what is left, and writes the tokens into files that are equal in size. Nothing
disappears: for each file and each stage, what goes in is what comes out, plus what was dropped for
a named reason. The same input gives the same bytes, with any number of threads and in any order of
the work. When the work stops half way, it goes on from where it was, and the result is the same.
Every wait is counted, every queue is bounded, every file has a checksum, every drop has a name.
The quick brown fox jumps over the lazy dog. There is no good reason to measure the same text twice.
A rule is a threshold on a column; moving the threshold does not read the text again.
In 1905 and 2024 the numbers were 12345 and 67890; don't count on it, we'll see, they've said so.
引水渠是把水引到水轮机的渠道。这个程序把数据送到学习的机器。它读取文档，测量文档，用人们能读懂的规则判断文档，
去掉重复的内容，混合剩下的内容，再把它们写成大小相等的文件。没有什么会消失：每个文件和每个阶段，进来的等于出去的，
加上因为有名字的原因而被丢掉的。同样的输入给出同样的字节，不管用多少线程，也不管工作的顺序。
中国的语言和文字有很长的历史。今天的天气很好，我们一起去公园看花。数据的质量比数据的数量更重要。
def read(path):
    with open(path) as file:
        return file.read()
for (int i = 0; i < count; ++i) { total += values[i]; }
std::vector<std::string> names; return names.size();
"""

# Much like the pattern in the file, in the dialect of Python's re.
PIECES = re.compile(r" ?[^\W\d_]+|\d| ?[^\s\w]+|\s+")
PATTERN = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)


def byte_characters() -> list[str]:
    """The printable character that stands for each byte, as GPT-2 defined it."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = (chr(0x100 + i) for i in range(256))
    return [chr(b) if b in printable else next(others) for b in range(256)]


def train(words: collections.Counter, merges_wanted: int) -> list[tuple[str, str]]:
    merges = []
    for _ in range(merges_wanted):
        pairs = collections.Counter()
        for word, count in words.items():
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        left, right = min(pairs, key=lambda pair: (-pairs[pair], pair))
        merges.append((left, right))
        merged = collections.Counter()
        for word, count in words.items():
            symbols = []
            for symbol in word:
                if symbol == right and symbols and symbols[-1] == left:
                    symbols[-1] = left + right
                else:
                    symbols.append(symbol)
            merged[tuple(symbols)] += count
        words = merged
    return merges


def main() -> None:
    characters = byte_characters()
    words = collections.Counter(
        tuple(characters[b] for b in piece.encode()) for piece in PIECES.findall(TEXT)
    )
    vocabulary = sorted(characters, key=ord)
    merges = train(words, ENTRIES - len(vocabulary))
    vocabulary += [left + right for left, right in merges]
    assert len(set(vocabulary)) == ENTRIES
    tokenizer = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": ENTRIES,
                "content": "<|endoftext|>",
                "single_word": False,
                "lstrip": False,
                "rstrip": False,
                "normalized": False,
                "special": True,
            }
        ],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {
                    "type": "Split",
                    "pattern": {"Regex": PATTERN},
                    "behavior": "Isolated",
                    "invert": False,
                },
                {
                    "type": "ByteLevel",
                    "add_prefix_space": False,
                    "trim_offsets": False,
                    "use_regex": False,
                },
            ],
        },
        "post_processor": None,
        "decoder": {
            "type": "ByteLevel",
            "add_prefix_space": False,
            "trim_offsets": False,
            "use_regex": False,
        },
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": {token: number for number, token in enumerate(vocabulary)},
            "merges": [list(merge) for merge in merges],
        },
    }
    print(json.dumps(tokenizer, ensure_ascii=False, indent=None, separators=(",", ":")))


if __name__ == "__main__":
    main()
