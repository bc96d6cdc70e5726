# SPDX-License-Identifier: Apache-2.0
"""A small corpus, tokenizers for it, and recipes: what the interop tests make shard sets of.

The tokenizer has one token per byte, so that anyone can say what a text's tokens are: no second tokenizer has to be
trusted. Documents differ in length from one byte to more than a sample.
"""

from __future__ import annotations

import json
from pathlib import Path

END = "<|end|>"
LENGTH = 64  # tokens of a sample


def byte_characters() -> list[str]:
    """The character that stands for each byte in a byte-level vocabulary (GPT-2's mapping)."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    characters = {byte: chr(byte) for byte in printable}
    others = (byte for byte in range(256) if byte not in characters)
    characters.update({byte: chr(0x100 + place) for place, byte in enumerate(others)})
    return [characters[byte] for byte in range(256)]


def write_tokenizer(path: Path, end_id: int) -> None:
    """Byte b is token b. `end_id` above 65,535 makes a vocabulary that needs 32-bit tokens."""
    vocabulary = {character: byte for byte, character in enumerate(byte_characters())}
    vocabulary.update({f"<unused{i}>": i for i in range(256, end_id)})
    added = {"id": end_id, "content": END, "single_word": False, "lstrip": False, "rstrip": False,
             "normalized": False, "special": True}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    model = {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
             "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
             "vocab": vocabulary, "merges": []}
    path.write_text(
        json.dumps({"version": "1.0", "truncation": None, "padding": None, "added_tokens": [added],
                    "normalizer": None, "pre_tokenizer": level, "post_processor": None, "decoder": level,
                    "model": model}),
        encoding="utf-8",
    )


def texts() -> list[str]:
    zh = "白日依山尽，黄河入海流。欲穷千里目，更上一层楼。"
    en = "The quick brown fox jumps over the lazy dog, again and again. "
    return ["a", "中", "\U00020000"] + [
        (f"{i} " + (zh if i % 3 else en)[: 1 + i * 7 % 24] * (1 + i % 9)).strip() + ("\n" + zh) * (i % 2)
        for i in range(400)
    ]


def write_corpus(path: Path) -> None:
    lines = [json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts()]
    path.write_text("".join(lines), encoding="utf-8")


def recipe(folder: Path, shuffle: bool) -> str:
    return f"""\
version: 1
name: interop
seed: 5
sources:
  - {{domain: mixed, paths: [{json.dumps(str(folder / "corpus.jsonl"))}]}}
judge: {{preset: none}}
tokenize: {{tokenizer: {json.dumps(str(folder / "tokenizer.json"))}, end: "{END}"}}
pack: {{length: {LENGTH}, method: concat}}
shards: {{format: megatron, size: 16KiB, multiple_of: 2, shuffle: {str(shuffle).lower()}}}
output: {json.dumps(str(folder / "run"))}
"""
