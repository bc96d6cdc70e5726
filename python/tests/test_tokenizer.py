# SPDX-License-Identifier: Apache-2.0
"""headrace.Tokenizer: arrays, threads, errors. That ids are right is tested beside the engine."""

import base64
import hashlib
import threading

import headrace
import numpy as np
import pytest
from small_run import TOKENIZER

TEXTS = ["The river turns the wheel.", "床前明月光，疑是地上霜。", "", "naïve café ☕", "a" * 5000]


@pytest.fixture(scope="module")
def tokenizer():
    return headrace.Tokenizer(TOKENIZER)


def test_round_trip(tokenizer):
    for text in TEXTS:
        ids = tokenizer.encode(text)
        assert ids.dtype == np.int32
        assert tokenizer.decode(ids) == text
        assert tokenizer.decode(ids.tolist()) == text


def test_batch_equals_one_by_one_for_any_number_of_threads(tokenizer):
    texts = [text + str(number) for number in range(50) for text in TEXTS]
    expected = [tokenizer.encode(text).tolist() for text in texts]
    for threads in (0, 1, 3):
        assert [ids.tolist() for ids in tokenizer.encode_batch(texts, threads=threads)] == expected
    assert tokenizer.encode_batch([]) == []
    assert len(tokenizer.encode_batch(("a", "b"))) == 2


def test_special_tokens_are_text_unless_asked(tokenizer):
    special = tokenizer.special_tokens[0]
    assert tokenizer.encode(special, special_tokens_in_text=True).tolist() == [tokenizer.token_id(special)]
    assert tokenizer.token_id(special) not in tokenizer.encode(special).tolist()
    assert tokenizer.token_id("no such token") is None


def test_identity(tokenizer):
    assert tokenizer.sha256 == hashlib.sha256(TOKENIZER.read_bytes()).hexdigest()
    assert tokenizer.vocabulary_size > 256


def test_a_cut_character(tokenizer):
    ids = [tokenizer.token_id(token) for token in ("ä", "½")]  # two of the three bytes of 你, as the file writes them
    assert tokenizer.decode_bytes(ids) == b"\xe4\xbd"
    assert tokenizer.decode(ids) == "\ufffd"


@pytest.mark.parametrize(("call", "error"), [
    (lambda tokenizer: tokenizer.encode_batch("abc"), TypeError),
    (lambda tokenizer: tokenizer.encode_batch([b"abc"]), TypeError),
    (lambda tokenizer: tokenizer.encode(None), TypeError),
    (lambda tokenizer: tokenizer.encode("\ud800"), UnicodeEncodeError),
    (lambda tokenizer: tokenizer.decode([-1]), headrace.InvalidArgument),
    (lambda tokenizer: tokenizer.decode([tokenizer.vocabulary_size]), headrace.InvalidArgument),
])
def test_what_is_refused(tokenizer, call, error):
    with pytest.raises(error):
        call(tokenizer)


def test_a_file_that_is_no_tokenizer(tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text("{", encoding="utf-8")
    with pytest.raises(headrace.Error, match="tokenizer.json"):
        headrace.Tokenizer(path)


def rank_file(path):
    path.write_bytes(b"".join(base64.b64encode(bytes([byte])) + f" {byte}\n".encode() for byte in range(256)))
    return path


def test_what_a_file_leaves_open(tmp_path):
    ranks = rank_file(tmp_path / "mine.tiktoken")
    with pytest.raises(headrace.InvalidArgument, match="give a pattern"):
        headrace.Tokenizer(ranks)
    made = headrace.Tokenizer(ranks, pattern=r"\p{L}+|\s", special_tokens={"<end>": 300})
    assert made.encode("ab c").tolist() == [97, 98, 32, 99]
    assert made.encode("a<end>", special_tokens_in_text=True).tolist() == [97, 300]
    assert made.vocabulary_size == 301
    assert made.sha256 == headrace.Tokenizer(ranks, pattern="gpt2").sha256
    assert made.fingerprint != headrace.Tokenizer(ranks, pattern="gpt2").fingerprint
    vocabulary = tmp_path / "vocab.txt"
    vocabulary.write_text("[UNK]\n[CLS]\n[SEP]\na\n", encoding="utf-8")
    with pytest.raises(headrace.InvalidArgument, match="lowercase"):
        headrace.Tokenizer(vocabulary)
    uncased = headrace.Tokenizer(vocabulary, lowercase=True)
    assert uncased.encode("A").tolist() == [3]
    assert (uncased.begin_tokens, uncased.end_tokens) == ([1], [2])
    with pytest.raises(headrace.InvalidArgument, match="for .tiktoken files only"):
        headrace.Tokenizer(vocabulary, lowercase=True, pattern="gpt2")


def test_python_threads_share_a_tokenizer(tokenizer):
    expected, wrong = [tokenizer.encode(text).tolist() for text in TEXTS], []

    def encode():
        for _ in range(50):
            if [ids.tolist() for ids in tokenizer.encode_batch(TEXTS)] != expected:
                wrong.append(1)

    threads = [threading.Thread(target=encode) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
