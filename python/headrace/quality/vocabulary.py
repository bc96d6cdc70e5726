# SPDX-License-Identifier: Apache-2.0
"""WordPiece as BERT has it: lower case, accents taken off, each Han character a word, "##" inside words.

The package `tokenizers` encodes; `vocab.txt` and `tokenizer.json` are what the engine and other readers take.
"""

from __future__ import annotations

import os
import unicodedata
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from headrace.errors import Corrupt, InvalidArgument, NotFound
from headrace.quality.needs import need

PAD, UNKNOWN, CLASS, SEPARATOR, MASK = "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"
SPECIAL = [PAD, UNKNOWN, CLASS, SEPARATOR, MASK]
Ids = NDArray[np.int32]


class Vocabulary:
    """A tokenizer of `tokenizers` with BERT's special tokens. Texts become ids; the end of what is too long is left out.

    Args:
        tokenizer: A `tokenizers.Tokenizer`.
        max_length: Tokens of a text at most, [CLS] and [SEP] included.
    """

    def __init__(self, tokenizer: Any, max_length: int) -> None:
        if max_length < 3:
            raise InvalidArgument(f"max_length={max_length}: [CLS], [SEP] and a token of text make 3 at least")
        ids = {token: tokenizer.token_to_id(token) for token in SPECIAL}
        missing = [token for token, number in ids.items() if number is None]
        if missing:
            raise InvalidArgument(f"the vocabulary lacks {', '.join(missing)}; one of BERT is needed")
        self.pad, self.mask = int(ids[PAD]), int(ids[MASK])
        self.size = int(tokenizer.get_vocab_size())
        self.max_length = max_length
        self._tokenizer = tokenizer
        tokenizer.no_padding()
        tokenizer.enable_truncation(max_length)

    def encode(self, texts: Sequence[str]) -> list[Ids]:
        """The ids of each text, [CLS] and [SEP] around them, no padding."""
        return [np.array(found.ids, np.int32) for found in self._tokenizer.encode_batch(list(texts))]

    def write(self, folder: Path) -> None:
        """vocab.txt and tokenizer.json."""
        ids = self._tokenizer.get_vocab()
        (folder / "vocab.txt").write_text("".join(f"{token}\n" for token in sorted(ids, key=ids.__getitem__)), encoding="utf-8")
        self._tokenizer.no_truncation()
        (folder / "tokenizer.json").write_text(self._tokenizer.to_str(pretty=True) + "\n", encoding="utf-8")
        self._tokenizer.enable_truncation(self.max_length)

    @classmethod
    def of_tokens(cls, tokens: Sequence[str], max_length: int) -> Vocabulary:
        """Of tokens in the order of their ids, as vocab.txt has them."""
        tokenizers = need("tokenizers", "WordPiece")
        ids = {token: number for number, token in enumerate(tokens)}
        if len(ids) != len(tokens):
            raise InvalidArgument(f"the vocabulary of {len(tokens)} tokens has one twice")
        made = _frame(tokenizers.models.WordPiece(vocab=ids, unk_token=UNKNOWN, max_input_chars_per_word=100))
        made.add_special_tokens([token for token in SPECIAL if token in ids])
        if CLASS in ids and SEPARATOR in ids:  # else __init__ says so
            made.post_processor = tokenizers.processors.TemplateProcessing(
                single=f"{CLASS} $A {SEPARATOR}", special_tokens=[(CLASS, ids[CLASS]), (SEPARATOR, ids[SEPARATOR])])
        made.decoder = tokenizers.decoders.WordPiece(prefix="##")
        return cls(made, max_length)

    @classmethod
    def read(cls, path: str | os.PathLike[str], max_length: int) -> Vocabulary:
        """Of a vocab.txt, or a tokenizer.json."""
        file = Path(path)
        if not file.is_file():
            raise NotFound(f"vocabulary: {file} is not a file; it is a vocab.txt or tokenizer.json")
        if file.suffix != ".json":
            lines = file.read_text(encoding="utf-8").removesuffix("\n").split("\n")
            return cls.of_tokens([line.removesuffix("\r") for line in lines], max_length)
        try:
            tokenizer = need("tokenizers", "reading tokenizer.json").Tokenizer.from_file(str(file))
        except Exception as error:  # the package raises nothing more special
            raise Corrupt(f"{file}: no tokenizer.json: {error}") from error
        return cls(tokenizer, max_length)


def _frame(model: Any) -> Any:
    """A tokenizer around a model: what BERT does to a text before WordPiece sees words."""
    tokenizers = need("tokenizers", "WordPiece")
    made = tokenizers.Tokenizer(model)
    made.normalizer = tokenizers.normalizers.BertNormalizer(clean_text=True, handle_chinese_chars=True, strip_accents=None,
                                                            lowercase=True)
    made.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    return made


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] == "P" or (character.isascii() and not character.isalnum())


def build_tokens(texts: Sequence[str], size: int) -> list[str]:
    """The tokens of a vocabulary made from texts: the special ones, characters, then pieces of words.

    Characters are those that stand at least twice, the most frequent first, in half of the places at most; the rest are
    the trainer's of `tokenizers` (pairs of pieces merged by how often they stand together). That trainer numbers what it
    meets in the order of a hash table that differs from run to run, and breaks ties by these numbers; so it gets each
    character, and each that stands inside of a word with ##, beforehand as a special token. Then the same texts give the
    same tokens.
    """
    if size < 100:
        raise InvalidArgument(f"vocabulary_size={size}: a vocabulary has 100 tokens or more")
    tokenizers = need("tokenizers", "building a vocabulary")
    made = _frame(tokenizers.models.WordPiece(unk_token=UNKNOWN))
    counts: Counter[str] = Counter()
    neighbours: set[tuple[str, str]] = set()
    for text in texts:
        for part in made.normalizer.normalize_str(text).split():  # a Han character has blanks around it
            counts.update(part)
            neighbours.update(zip(part, part[1:]))
    inside = {b for a, b in neighbours if not _is_punctuation(a) and not _is_punctuation(b)}
    frequent = sorted((c for c in counts if counts[c] >= 2), key=lambda c: (-counts[c], c))
    kept = sorted(frequent[: size // 2])
    pieces = sorted(f"##{c}" for c in kept if c in inside)
    trainer = tokenizers.trainers.WordPieceTrainer(vocab_size=size, min_frequency=2, special_tokens=[*SPECIAL, *kept, *pieces],
                                                   limit_alphabet=0, show_progress=False)
    made.train_from_iterator(list(texts), trainer)
    ids: dict[str, int] = made.get_vocab()
    return sorted(ids, key=ids.__getitem__)
