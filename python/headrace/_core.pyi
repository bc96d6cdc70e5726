"""The engine of headrace; import headrace instead."""

from collections.abc import Mapping, Sequence
import os
from typing import Any

import numpy
import numpy.typing

__version__: str

def run(recipe: str | os.PathLike[str], output: str | os.PathLike[str], sample: float | None, replace: bool, threads: int, dry_run: bool, show_progress: bool) -> dict[str, Any]: ...

def open_run(directory: str | os.PathLike[str]) -> dict[str, Any]: ...

def books(directory: str | os.PathLike[str]) -> dict[str, Any]: ...

def projection(directory: str | os.PathLike[str]) -> dict[str, Any] | None: ...

def judge_run(directory: str | os.PathLike[str], recipe: str | os.PathLike[str] | None, threads: int) -> dict[str, Any]: ...

def explain(directory: str | os.PathLike[str], id: str) -> dict[str, Any]: ...

class RecordStream:
    def __init__(self, directory: str | os.PathLike[str], what: str, reason: str, limit: int | None) -> None: ...

    def __iter__(self) -> RecordStream: ...

    def __next__(self) -> dict[str, Any]: ...

class Feed:
    def __init__(self, set: str | os.PathLike[str], length: int, seed: int, shuffle: bool, lanes: int, window: int, batch: int, rank: int, world: int, epochs: int | None, prefetch_bytes: int, threads: int) -> None: ...

    def next(self) -> dict[str, Any]: ...

    def state(self) -> dict[str, Any]: ...

    def load_state(self, version: int, fingerprint: str, consumed: int) -> None: ...

    @property
    def samples(self) -> int: ...

    @property
    def length(self) -> int: ...

class Tokenizer:
    """
    A tokenizer.json, a .tiktoken rank file, a SentencePiece .model or a vocab.txt, id for id.
    """

    def __init__(self, path: str | os.PathLike[str], *, pattern: str = '', special_tokens: Mapping[str, int] = {}, lowercase: bool | None = None) -> None:
        """
        pattern and special_tokens are for rank files that are none of the published ones, lowercase is for a vocab.txt.
        """

    def encode(self, text: str, *, special_tokens_in_text: bool = False) -> numpy.typing.NDArray[numpy.int32]:
        """
        The ids of one text, int32. Special tokens in it are ordinary text unless asked.
        """

    def encode_batch(self, texts: Sequence[str], *, threads: int = 0, special_tokens_in_text: bool = False) -> list[numpy.typing.NDArray[numpy.int32]]:
        """The ids of each text of a list; threads=0 takes all CPUs."""

    def decode_bytes(self, ids: numpy.typing.ArrayLike) -> bytes:
        """The bytes of the ids; a character may be cut at either end."""

    def decode(self, ids: numpy.typing.ArrayLike) -> str:
        """The text of the ids; bytes that are not UTF-8 become U+FFFD."""

    def token_id(self, token: str) -> int | None:
        """The id of a token by its text as it stands in the file, or None."""

    @property
    def vocabulary_size(self) -> int: ...

    @property
    def special_tokens(self) -> list[str]: ...

    @property
    def begin_tokens(self) -> list[int]:
        """What the file puts before a text; encode() does not."""

    @property
    def end_tokens(self) -> list[int]:
        """What the file puts behind a text; encode() does not."""

    @property
    def fingerprint(self) -> str:
        """Of all that ids depend on: sha256, or a hash of it and the options."""

    @property
    def sha256(self) -> str: ...

def read_manifest(path: str | os.PathLike[str]) -> dict[str, Any]:
    """A manifest as a dict; path is a manifest.json or its folder."""

def verify_shards(path: str | os.PathLike[str], *, threads: int = ...) -> dict[str, Any]:
    """
    Checks every checksum, count and order; damage is in the answer, not raised.
    """

def evaluate(scores: Sequence[float], wanted: Sequence[bool], recalls: Sequence[float], seed: int) -> dict[str, Any]: ...
