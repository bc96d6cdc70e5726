# SPDX-License-Identifier: Apache-2.0
"""KenLM and we give every token the same log10 probability: of its test models, of models that we trained and wrote as text
and as binaries, and of binaries that it built. Single precision sums of the same numbers in the same order: no bit differs.
"""

from __future__ import annotations

import gzip
import os
import random
import re
import struct
import subprocess
from collections.abc import Iterable
from pathlib import Path

import kenlm
import plain_kneser_ney
import pytest

CLOSE = 1e-5  # estimates, against the plain ones
HAN = re.compile("([\u3400-\u9fff])")


def records(documents: Iterable[bytes]) -> bytes:
    return b"".join(struct.pack("<I", len(document)) + document for document in documents)


def program(*arguments: str, documents: Iterable[bytes]) -> subprocess.CompletedProcess[bytes]:
    command = [os.environ["HEADRACE_NGRAM_RECORDS"], *arguments]
    return subprocess.run(command, input=records(documents), capture_output=True, check=False)


def ours(model: Path, documents: list[bytes]) -> list[list[float]]:
    done = program("score", str(model), documents=documents)
    assert done.returncode == 0, done.stderr.decode()
    rows = []
    at = 0
    for _ in documents:
        (count,) = struct.unpack_from("<I", done.stdout, at)
        rows.append(list(struct.unpack_from(f"<{count}f", done.stdout, at + 4)))
        at += 4 + 4 * count
    assert at == len(done.stdout)
    return rows


def theirs(model: kenlm.Model, document: bytes) -> list[float]:
    return [score[0] for line in document.split(b"\n") for score in model.full_scores(line)]


def check(path: Path, documents: list[bytes]) -> None:
    reference = kenlm.Model(str(path))
    for document, scores in zip(documents, ours(path, documents)):
        assert scores == theirs(reference, document), document


def train(path: Path, order: int, documents: list[bytes], prune: tuple[int, ...] = (0,)) -> Path:
    done = program("train", str(path), str(order), "blanks", *map(str, prune), documents=documents)
    assert done.returncode == 0, done.stderr.decode()
    return path


def build_binary(arpa: Path, *options: str) -> Path:
    path = arpa.with_suffix("." + "_".join(options).replace(" ", "") + ".bin")
    command = [os.environ["KENLM_BUILD_BINARY"], *options, str(arpa), str(path)]
    subprocess.run(command, check=True, capture_output=True)
    return path


@pytest.fixture(scope="session")
def data() -> Path:
    folder = os.environ.get("HEADRACE_DATA")
    if folder is None:
        pytest.skip("skipped: HEADRACE_DATA is not set")
    return Path(folder)


def lines_of(path: Path, count: int) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines()[:count]


@pytest.fixture(scope="session", params=["en", "zh"])
def texts(request: pytest.FixtureRequest, data: Path) -> list[bytes]:
    """Documents of ten lines; Chinese with each character a token."""
    if request.param == "en":
        lines = lines_of(data / "dup-en-pairs/wiki-split/test.tsv.gz", 5000)
    else:
        lines = [HAN.sub(r" \1 ", line.decode()).encode() for line in lines_of(data / "zh-novels/utf8/红楼梦.txt.gz", 3000)]
    return [b"\n".join(lines[i : i + 10]) for i in range(0, len(lines), 10)]


def generated(count: int, seed: int) -> list[bytes]:
    rng = random.Random(seed)
    words = [f"w{i}" for i in range(40)] + ["词", "é", "</s>", "<unk>", "<s>", "\u3000", "a\u00a0b"]
    lines = [[rng.choice(words) for _ in range(rng.randrange(0, 15))] for _ in range(count)]
    return ["  \t".join(line).encode() for line in lines]


@pytest.mark.parametrize("name", ["test.arpa", "test_nounk.arpa"])
def test_models_of_kenlm(data: Path, name: str) -> None:
    path = data / "pipeline-dolma-tests/kenlm" / name
    words = re.findall(r"^-[0-9.]+\t(\S+)", path.read_text(), re.MULTILINE) + ["unknown"]
    rng = random.Random(1)
    check(path, [" ".join(rng.choices(words, k=rng.randrange(0, 30))).encode() for _ in range(2000)])
    check(path, [b"looking on a little more loin", b"also would consider higher looking", b"to look a foo bar"])


@pytest.mark.parametrize("order", [2, 3, 6])
def test_kenlm_reads_what_we_trained(tmp_path: Path, order: int) -> None:
    for name in ("model.arpa", "model.bin"):
        check(train(tmp_path / name, order, generated(800, 1)), generated(300, 2))


def test_real_text(texts: list[bytes], tmp_path: Path) -> None:
    training, held_out = texts[:-40], texts[-40:]
    arpa = train(tmp_path / "model.arpa", 5, training)
    check(arpa, held_out)
    check(train(tmp_path / "model.bin", 5, training), held_out)
    check(train(tmp_path / "pruned.bin", 5, training, (0, 0, 1)), held_out)
    for kind in ("probing", "trie"):
        binary = build_binary(arpa, kind)
        check(binary, held_out)
        assert ours(binary, held_out) == ours(arpa, held_out)


@pytest.mark.parametrize("options", [(), ("-p", "1.2", "probing"), ("-i", "probing")])
def test_binaries_that_kenlm_built(tmp_path: Path, options: tuple[str, ...]) -> None:
    arpa = train(tmp_path / "model.arpa", 4, generated(800, 3))
    check(build_binary(arpa, *options), generated(300, 4))


def test_binaries_of_kenlms_test_models(data: Path, tmp_path: Path) -> None:
    for name in ("test.arpa", "test_nounk.arpa"):
        arpa = tmp_path / name
        arpa.write_bytes((data / "pipeline-dolma-tests/kenlm" / name).read_bytes())
        for kind in ("probing", "trie"):
            check(build_binary(arpa, kind), [b"looking on a little more loin", b"also would consider foo bar x", b""])


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (("-q", "8", "trie"), "(quantised trie)"),
        (("-a", "22", "trie"), "(trie with compressed pointers)"),
    ],
)
def test_other_kinds_are_refused_by_name(tmp_path: Path, options: tuple[str, ...], name: str) -> None:
    path = build_binary(train(tmp_path / "model.arpa", 3, generated(800, 3)), *options)
    done = program("score", str(path), documents=[b"a"])
    assert done.returncode == 1
    assert name in done.stderr.decode()


@pytest.mark.parametrize(("order", "prune"), [(2, [0]), (3, [0]), (5, [0]), (3, [0, 1]), (4, [0, 0, 1, 2])])
def test_training_is_that_of_the_definition(tmp_path: Path, order: int, prune: list[int]) -> None:
    documents = generated(1500, 5)
    path = train(tmp_path / "model.arpa", order, documents, tuple(prune))
    special = {b"<s>", b"</s>", b"<unk>"}
    sentences = [[token.decode() for token in document.split() if token not in special] for document in documents]
    wanted = plain_kneser_ney.estimate([sentence for sentence in sentences if sentence], order, prune)
    found = {}
    for line in path.read_text().splitlines():
        fields = line.split("\t")
        if len(fields) > 1:
            found[tuple(fields[1].split(" "))] = (float(fields[0]), float(fields[2]) if len(fields) == 3 else 0.0)
    begin = found.pop(("<s>",))
    assert begin[0] == -99
    assert found.keys() == wanted.keys()
    for ngram, (prob, backoff) in wanted.items():
        assert abs(found[ngram][0] - prob) < CLOSE, ngram
        assert abs(found[ngram][1] - backoff) < CLOSE, ngram
