"""The engine of headrace; import headrace instead."""

from collections.abc import Sequence
import os


def run(recipe: str | os.PathLike, output: str | os.PathLike, sample: float | None, threads: int, dry_run: bool, show_progress: bool) -> dict: ...

def open_run(directory: str | os.PathLike) -> dict: ...

def books(directory: str | os.PathLike) -> dict: ...

def judge_run(directory: str | os.PathLike, recipe: str | os.PathLike | None, threads: int) -> dict: ...

def explain(directory: str | os.PathLike, id: str) -> dict: ...

class RecordStream:
    def __init__(self, directory: str | os.PathLike, what: str, reason: str, limit: int | None) -> None: ...

    def __iter__(self) -> object: ...

    def __next__(self) -> dict: ...

class Feed:
    def __init__(self, set: str | os.PathLike, length: int, seed: int, shuffle: bool, lanes: int, window: int, batch: int, rank: int, world: int, epochs: int | None, prefetch_bytes: int, threads: int) -> None: ...

    def next(self) -> dict: ...

    def state(self) -> dict: ...

    def load_state(self, version: int, fingerprint: str, consumed: int) -> None: ...

    @property
    def samples(self) -> int: ...

    @property
    def length(self) -> int: ...

class Tokenizer:
    """A tokenizer.json with a byte-level BPE model, id for id."""

    def __init__(self, path: str | os.PathLike) -> None: ...

    def encode(self, text: str, *, special_tokens_in_text: bool = ...) -> object:
        """
        The ids of one text, int32. Special tokens in it are ordinary text unless asked.
        """

    def encode_batch(self, texts: Sequence[str], *, threads: int = ..., special_tokens_in_text: bool = ...) -> list:
        """The ids of each text of a list; threads=0 takes all CPUs."""

    def decode_bytes(self, ids: object) -> bytes:
        """The bytes of the ids; a character may be cut at either end."""

    def decode(self, ids: object) -> str:
        """The text of the ids; bytes that are not UTF-8 become U+FFFD."""

    def token_id(self, token: str) -> int | None:
        """The id of a token by its text as it stands in the file, or None."""

    @property
    def vocabulary_size(self) -> int: ...

    @property
    def special_tokens(self) -> list[str]: ...

    @property
    def sha256(self) -> str: ...

def read_manifest(path: str | os.PathLike) -> dict:
    """A manifest as a dict; path is a manifest.json or its folder."""

def verify_shards(path: str | os.PathLike, *, threads: int = ...) -> dict:
    """
    Checks every checksum, count and order; damage is in the answer, not raised.
    """
