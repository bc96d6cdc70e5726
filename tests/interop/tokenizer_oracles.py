# SPDX-License-Identifier: Apache-2.0
"""The engines whose ids ours are compared with, behind one face; and tokenizer files made for it."""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
from collections.abc import Sequence
from typing import Any

import tiktoken
import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers
from tokenizers.implementations import BertWordPieceTokenizer

GPT2 = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
CL100K = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|\s*[\r\n]"
          r"|\s+(?!\S)|\s")
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
          r"|\s+(?!\S)|\s+")
CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"


def words(upper: str, lower: str, tail: str) -> str:
    front = r"[^\r\n\p{L}\p{N}]?"
    return (f"{front}[{upper}]*[{lower}]+{CONTRACTION}|{front}[{upper}]+[{lower}]*{CONTRACTION}"
            r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+" + tail + r"|\s*[\r\n]+|\s+(?!\S)|\s+")


O200K = words(UPPER, LOWER, r"[\r\n/]*")
KIMI = r"[\p{Han}]+|" + words(UPPER + r"&&[^\p{Han}]", LOWER + r"&&[^\p{Han}]", r"[\r\n]*")

# By the first digits of the SHA-256: pattern, special tokens that texts may hold.
RANK_FILES = {
    "94b5ca7d": (GPT2, {"<|endoftext|>": 50256}),
    "223921b7": (CL100K, {"<|endoftext|>": 100257, "<|fim_prefix|>": 100258, "<|fim_middle|>": 100259,
                          "<|fim_suffix|>": 100260, "<|endofprompt|>": 100276}),
    "446a9538": (O200K, {"<|endoftext|>": 199999, "<|endofprompt|>": 200018}),
    "82e9d319": (LLAMA3, {"<|begin_of_text|>": 128000, "<|end_of_text|>": 128001, "<|eot_id|>": 128009}),
    "b6c497a7": (KIMI, {}),
}

Ids = Sequence[int]


class Oracle:
    """encode() gives the ids of each text, or None where the engine gives up."""

    modes: tuple[str, ...] = ("text", "special")
    options: tuple[str, ...] = ()

    def __init__(self, path: str) -> None:
        self.path = path

    def encode(self, texts: list[str], special: bool) -> list[Ids | None]:
        raise NotImplementedError


class HuggingFace(Oracle):
    def __init__(self, path: str) -> None:
        super().__init__(path)
        if path.endswith(".json"):
            self.engine: Any = Tokenizer.from_file(path)
        else:
            self.engine = BertWordPieceTokenizer(path, lowercase="uncased" in path)
            self.options = (f"lowercase={'true' if 'uncased' in path else 'false'}",)
        self.engine.no_truncation()
        self.engine.no_padding()

    def encode(self, texts: list[str], special: bool) -> list[Ids | None]:
        # BertWordPieceTokenizer keeps its engine inside.
        engine = getattr(self.engine, "_tokenizer", self.engine)
        engine.encode_special_tokens = not special
        batch = engine.encode_batch(texts, add_special_tokens=False)
        return [encoding.ids for encoding in batch]


class Tiktoken(Oracle):
    def __init__(self, path: str, pattern: str | None = None) -> None:
        super().__init__(path)
        text = pathlib.Path(path).read_bytes()
        known, special = RANK_FILES[hashlib.sha256(text).hexdigest()[:8]]
        if pattern is not None:
            self.options = (f"pattern={pattern}",)
        ranks = dict((base64.b64decode(token), int(rank)) for token, rank in map(bytes.split, text.splitlines()))
        self.engine = tiktoken.Encoding(name=path, pat_str=pattern or known, mergeable_ranks=ranks, special_tokens=special)

    def encode(self, texts: list[str], special: bool) -> list[Ids | None]:
        return [self.one(text, special) for text in texts]

    def one(self, text: str, special: bool) -> Ids | None:
        try:
            return self.engine.encode(text, allowed_special="all") if special else self.engine.encode_ordinary(text)
        except (ValueError, RuntimeError):  # the regular expression engine's limits
            return None


class SentencePiece(Oracle):
    modes = ("text",)  # control tokens are never found in a text

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.engine = sentencepiece.SentencePieceProcessor(model_file=path)

    def encode(self, texts: list[str], special: bool) -> list[Ids | None]:
        return self.engine.encode(texts)


def oracle_of(path: str) -> Oracle:
    """`FILE`, or `FILE::PATTERN` for a rank file with a pattern of its own."""
    path, _, pattern = path.partition("::")
    if pattern or path.endswith(".tiktoken"):
        return Tiktoken(path, pattern or None)
    return SentencePiece(path) if path.endswith(".model") else HuggingFace(path)


def unigram(path: pathlib.Path) -> tuple[Tokenizer, bytes]:
    """A SentencePiece model's pieces as a tokenizer of Hugging Face, and its compiled character map."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(path.read_bytes())
    unknown = next(i for i, piece in enumerate(proto.pieces) if piece.type == 2)
    vocabulary = [(piece.piece, piece.score) for piece in proto.pieces]
    return (Tokenizer(models.Unigram(vocabulary, unk_id=unknown, byte_fallback=False)),
            proto.normalizer_spec.precompiled_charsmap)


def made_files(data: pathlib.Path, folder: pathlib.Path) -> list[pathlib.Path]:
    """Files of parts that those at hand do not have, below `folder`."""
    made = {}
    for name, model in (("t5", "t5/nai-t5.model"), ("xlnet", "xlnet-chinese/spiece.model"),
                        ("ja", "sentencepiece_test/test_ja_model.model")):
        made[name], charsmap = unigram(data / model)
        made[name].normalizer = normalizers.Sequence([normalizers.Precompiled(charsmap),
                                                      normalizers.Replace(Regex(" {2,}"), " ")])
        made[name].pre_tokenizer = pre_tokenizers.Metaspace()
        made[name].decoder = decoders.Metaspace()
    made["xlnet2"], _ = unigram(data / "xlnet-chinese/spiece.model")
    made["xlnet2"].normalizer = normalizers.Sequence([
        normalizers.Nmt(), normalizers.NFKD(), normalizers.StripAccents(), normalizers.Lowercase(),
        normalizers.Strip(), normalizers.Replace("''", '"')])
    made["xlnet2"].pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    bert = data / "bert-base-uncased/tokenizer.json"
    for name, normalizer, pre_tokenizer in (
            ("bert-whitespace", normalizers.NFD(), pre_tokenizers.Whitespace()),
            ("bert-punctuation", normalizers.NFKC(), pre_tokenizers.Sequence([
                pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Digits(individual_digits=True),
                pre_tokenizers.CharDelimiterSplit(" ")])),
            ("bert-digits", normalizers.Lowercase(), pre_tokenizers.Sequence([
                pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Digits(), pre_tokenizers.Punctuation("contiguous")]))):
        made[name] = Tokenizer.from_file(str(bert))
        made[name].normalizer, made[name].pre_tokenizer = normalizer, pre_tokenizer
    splits = {
        "isolated": (r"\w+|[^\w\s]+(?=\w)|\s", "isolated", False),
        "next": (r"[\p{Han}\p{Hiragana}\p{Katakana}]|\p{Lu}+", "merged_with_next", False),
        "previous": (r"\p{P}{1,2}+|^\s+$|\d{2,3}?", "merged_with_previous", False),
        "removed": (r"(?i:the|'s)|[^\p{L}&&[^a-z]]++|\S+?", "removed", True),
    }
    for name, (pattern, behavior, invert) in splits.items():
        made[f"gpt2-{name}"] = Tokenizer.from_file(str(data / "gpt2/tokenizer.json"))
        made[f"gpt2-{name}"].pre_tokenizer = pre_tokenizers.Sequence([
            pre_tokenizers.Split(Regex(pattern), behavior, invert), pre_tokenizers.ByteLevel(add_prefix_space=True)])
    paths = []
    for name, tokenizer in made.items():
        paths.append(folder / f"{name}.json")
        tokenizer.save(str(paths[-1]))
        assert json.loads(paths[-1].read_text(encoding="utf-8"))["model"]
    return paths
