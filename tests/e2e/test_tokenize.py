# SPDX-License-Identifier: Apache-2.0
"""Tokenizing and packing by the command: what comes out, and what is refused before anything is written."""

import hashlib
import json
import os
import pathlib

import pytest
from small_corpus import TINY_TOKENIZER, recipe, write_corpus

WORDS = {"<unk>": 0, "<s>": 1, "</s>": 2, "the": 3, "cat": 4, "sat": 5, "down": 6}
END = "<|endoftext|>"
END_ID = 499  # of the tiny tokenizer
TEXTS = ["The river turns the wheel.", "床前明月光，疑是地上霜。", "a <|endoftext|> b", "x" * 300]


def word_tokenizer(path, begins):
    """One token a word, as in the toy models; `begins`: the file puts <s> before each text."""
    special = [{"id": i, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                "special": True} for token, i in WORDS.items() if token.startswith("<")]
    template = {"type": "TemplateProcessing", "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                                                         {"Sequence": {"id": "A", "type_id": 0}}],
                "pair": [], "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]}}}
    path.write_text(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "normalizer": None, "decoder": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"}, "added_tokens": special,
        "post_processor": template if begins else None,
        "model": {"type": "WordPiece", "unk_token": "<unk>", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": WORDS}}))
    return path


def write_texts(path, texts):
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    return path


def samples(shards):
    """The samples of a set, each a list of ids with the starts of its documents, by Megatron's own index."""
    np = pytest.importorskip("numpy")
    folder = pathlib.Path(shards)
    manifest = json.loads((folder / "manifest.json").read_text())
    found = []
    for shard in manifest["shards"]:
        width = {"uint16": np.uint16, "int32": np.int32}[manifest["token_type"]]
        tokens = np.fromfile(folder / shard["path"], width)
        index = (folder / shard["path"]).with_suffix(".idx").read_bytes()
        lengths = np.frombuffer(index, np.int32, shard["samples"], 34)
        found += [part.tolist() for part in np.split(tokens, np.cumsum(lengths)[:-1])]
    return manifest, found


def tokenized(headrace, tmp_path, texts, tokenizer, *options):
    source = write_texts(tmp_path / "in.jsonl", texts)
    result = json.loads(headrace("tokenize", source, "--tokenizer", tokenizer, "--output", tmp_path / "out",
                                 "--json", "-q", *options)[0])
    return result, *samples(result["shards"])


def test_begin_and_end_tokens(headrace, tmp_path):
    texts = ["the cat sat", "down"]
    cases = [  # of the file, options, ids
        (False, ["--end", "</s>"], [[3, 4, 5, 2], [6, 2]]),
        (True, ["--end", "</s>"], [[1, 3, 4, 5, 2], [1, 6, 2]]),
        (True, ["--end", "none"], [[1, 3, 4, 5], [1, 6]]),
        (True, ["--end", "</s>", "--begin", "none"], [[3, 4, 5, 2], [6, 2]]),
        (False, ["--end", "</s>", "--begin", "<s>"], [[1, 3, 4, 5, 2], [1, 6, 2]]),
    ]
    for number, (begins, options, expected) in enumerate(cases):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = word_tokenizer(folder / "tokenizer.json", begins)
        _, manifest, found = tokenized(headrace, folder, texts, path, "--method", "none", *options)
        assert found == expected, options
        assert manifest.get("end_token_id") == (None if "none" in options[:2] else 2)
        assert manifest["tokenizer_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_a_token_that_is_not_there_is_known_before_anything_is_written(headrace, tmp_path):
    path = word_tokenizer(tmp_path / "tokenizer.json", begins=False)
    source = write_texts(tmp_path / "in.jsonl", ["the cat"])
    for key, options in (("--end", ["--end", END]), ("--begin", ["--end", "</s>", "--begin", END])):
        said = headrace("tokenize", source, "--tokenizer", path, "--output", tmp_path / "out", *options, exit_code=2)[1]
        assert key in said and END in said
    for tokenize in ({"end": END}, {"end": "</s>", "begin": END}, {}):
        (tmp_path / "recipe.yaml").write_text(json.dumps({
            "sources": [{"domain": "d", "paths": [str(source)]}],
            "tokenize": {"tokenizer": str(path), **tokenize}, "output": str(tmp_path / "out")}))
        said = headrace("run", tmp_path / "recipe.yaml", exit_code=2)[1]
        assert ("not in the vocabulary" in said and END in said) or "'tokenize.end' is needed" in said
    assert not (tmp_path / "out").exists()


def test_markers_in_texts_are_text(headrace, tmp_path):
    _, _, found = tokenized(headrace, tmp_path, TEXTS, TINY_TOKENIZER, "--end", END, "--method", "none")
    assert [ids.count(END_ID) for ids in found] == [1] * len(TEXTS)
    decoded = json.loads(headrace("tokens", "decode", tmp_path / "out/shards", "--limit", 10, "--json")[0])
    assert [sample["documents"] for sample in decoded["samples"]] == [[text + END] for text in TEXTS]


@pytest.mark.parametrize("method", ["concat", "best_fit", "padded", "none"])
def test_packing_methods(headrace, tmp_path, method):
    texts = [f"{i} " + "word " * (i * 7 % 20) for i in range(200)]  # none longer than a sequence
    result, manifest, found = tokenized(headrace, tmp_path, texts, TINY_TOKENIZER, "--end", END, "--method", method,
                                        "--length", 128)
    tokens = sum(map(len, found))
    assert result["tokens"] == manifest["tokens"] == tokens
    assert tokens + manifest["leftover_tokens"] == manifest["domains"][0]["tokens"]
    assert manifest["packing"] == method
    assert manifest["version"] == (2 if method in ("best_fit", "padded") else 1)
    ends = [[i for i, token in enumerate(ids) if token == END_ID] for ids in found]
    assert sum(map(len, ends)) == len(texts) or method == "concat"
    if method == "none":
        assert all(len(places) == 1 for places in ends)
        return
    assert manifest["sequence_length"] == 128
    if method == "concat":
        assert {len(ids) for ids in found} == {128}
        return
    assert manifest["leftover_tokens"] == 0
    assert max(map(len, found)) <= 128
    assert len(found) * 128 - tokens == manifest["padding_tokens"]
    # No document is cut.
    assert all(ids[-1] == END_ID for ids in found)
    if method == "best_fit":
        assert len(found) <= -(-tokens // 128) + 1
    assert json.loads(headrace("verify", tmp_path / "out/shards", "--json")[0])["ok"]


@pytest.mark.parametrize("method", ["best_fit", "padded", "concat"])
def test_any_number_of_threads_gives_the_same_bytes(headrace, tmp_path, method):
    corpus = write_corpus(tmp_path / "raw")
    digests = []
    for threads in (1, 3):
        folder = tmp_path / str(threads)
        path = tmp_path / "recipe.yaml"
        path.write_text(recipe(corpus, pack={"length": 96, "method": method}))
        result = json.loads(headrace("run", path, "--output", folder, "--threads", threads, "--json", "-q")[0])
        shards = pathlib.Path(result["shards"])
        digests.append({file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(shards.iterdir())})
    assert digests[0] == digests[1]


def test_another_method_makes_the_shards_anew_and_nothing_else(headrace, tmp_path):
    corpus = write_corpus(tmp_path / "raw")
    path = tmp_path / "recipe.yaml"
    sets = {}
    for method in ("concat", "best_fit", "concat"):
        path.write_text(recipe(corpus, pack={"length": 96, "method": method}))
        result = json.loads(headrace("run", path, "--output", tmp_path / "run", "--json", "-q")[0])
        tokens = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "run/tokens").iterdir()}
        manifest, _ = samples(result["shards"])
        assert manifest["packing"] == method
        assert sets.setdefault("tokens", tokens) == tokens
        assert sets.setdefault(method, manifest) == manifest


def test_tokens_of_another_tokenizer_are_never_used(headrace, tmp_path):
    path = word_tokenizer(tmp_path / "tokenizer.json", begins=False)
    _, _, first = tokenized(headrace, tmp_path, ["the cat"], path, "--end", "</s>", "--method", "none")
    word_tokenizer(path, begins=True)
    _, _, second = tokenized(headrace, tmp_path, ["the cat"], path, "--end", "</s>", "--method", "none")
    assert (first, second) == ([[3, 4, 2]], [[1, 3, 4, 2]])


def test_the_kept_documents_of_a_run(headrace, tmp_path, walk):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    kept = [json.loads(line) for line in headrace("cat", tmp_path / "run", "--kept")[0].splitlines()]
    result = json.loads(headrace("tokenize", tmp_path / "run", "--tokenizer", TINY_TOKENIZER, "--end", END, "--method",
                                 "none", "--output", tmp_path / "out", "--json", "-q")[0])
    assert result["documents"] == len(kept)
    decoded = json.loads(headrace("tokens", "decode", result["shards"], "--limit", len(kept), "--json")[0])
    texts = [sample["documents"][0].removesuffix(END) for sample in decoded["samples"]]
    assert sorted(texts) == sorted(record["text"] for record in kept)
    # Again: nothing is done twice. And never into the run itself.
    before = {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*.bin")}
    headrace("tokenize", tmp_path / "run", "--tokenizer", TINY_TOKENIZER, "--end", END, "--method", "none", "--output",
             tmp_path / "out", "-q")
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "out").rglob("*.bin")} == before
    assert "the run itself" in headrace("tokenize", tmp_path / "run", "--tokenizer", TINY_TOKENIZER, "--end", END,
                                        "--output", tmp_path / "run", exit_code=2)[1]
    domains = {domain["name"]: domain["documents"] for domain in samples(result["shards"])[0]["domains"]}
    assert domains == {name: sum(record["domain"] == name for record in kept) for name in domains}


def test_count_and_show(headrace, tmp_path):
    result, manifest, found = tokenized(headrace, tmp_path, TEXTS, TINY_TOKENIZER, "--end", END, "--method", "none")
    counted = json.loads(headrace("tokens", "count", result["shards"], "--json")[0])
    assert counted["tokens"] == sum(map(len, found)) == manifest["tokens"]
    assert counted["samples"] == len(found)
    shown = json.loads(headrace("tokens", "show", result["shards"], "--sample", 1, "--json")[0])["samples"]
    assert [piece["id"] for piece in shown[0]["pieces"]] == found[1]
    assert shown[0]["sample"] == 1
    text = tmp_path / "text.txt"
    text.write_text(TEXTS[0])
    of_text = json.loads(headrace("tokens", "count", "--tokenizer", TINY_TOKENIZER, text, "--json")[0])
    assert of_text["tokens"] == len(found[0]) - 1
    pieces = json.loads(headrace("tokens", "show", "--tokenizer", TINY_TOKENIZER, "--text", TEXTS[0], "--json")[0])
    assert "".join(piece["text"] for piece in pieces["pieces"]) == TEXTS[0]
    ids = ",".join(str(piece["id"]) for piece in pieces["pieces"])
    assert headrace("tokens", "decode", "--tokenizer", TINY_TOKENIZER, "--ids", ids)[0] == TEXTS[0] + "\n"
    # People get the same in words.
    assert "tokens" in headrace("tokens", "count", result["shards"])[0]
    assert "sample 0" in headrace("tokens", "show", result["shards"])[0]


def test_what_tokens_refuses(headrace, tmp_path):
    result, *_ = tokenized(headrace, tmp_path, TEXTS, TINY_TOKENIZER, "--end", END, "--method", "none")
    other = word_tokenizer(tmp_path / "other.json", begins=False)
    shards = result["shards"]
    assert "is not the tokenizer of this set" in headrace("tokens", "show", shards, "--tokenizer", other, exit_code=2)[1]
    assert "--sample 99" in headrace("tokens", "show", shards, "--sample", 99, exit_code=2)[1]
    assert "no token has it" in headrace("tokens", "decode", "--tokenizer", other, "--ids", "3,77", exit_code=2)[1]
    assert "--ids takes numbers" in headrace("tokens", "decode", "--tokenizer", other, "--ids", "3;4", exit_code=2)[1]
    assert "give one shard set" in headrace("tokens", "decode", exit_code=2)[1]
    headrace("tokens", "count", tmp_path / "nothing", exit_code=3)


def test_rank_files_need_a_pattern(headrace, tmp_path):
    import base64
    ranks = tmp_path / "mine.tiktoken"
    ranks.write_bytes(b"".join(base64.b64encode(bytes([byte])) + f" {byte}\n".encode() for byte in range(256)))
    source = write_texts(tmp_path / "in.jsonl", ["ab", "é"])
    options = ["--tokenizer", ranks, "--output", tmp_path / "out", "--method", "none", "--json", "-q"]
    said = headrace("tokenize", source, *options, "--end", "<end>", exit_code=2)[1]
    assert "give a pattern" in said
    assert not (tmp_path / "out").exists()
    result = json.loads(headrace("tokenize", source, *options, "--end", "<end>", "--pattern", "gpt2", "--special",
                                 "<end>=300")[0])
    assert samples(result["shards"])[1] == [[97, 98, 300], [0xC3, 0xA9, 300]]
    assert "--special takes TEXT=ID" in headrace("tokenize", source, *options, "--end", "<end>", "--pattern", "gpt2",
                                                 "--special", "<end>", exit_code=2)[1]


def test_real_files(headrace, tmp_path, data):
    folder = data / "tokenizers"
    text = tmp_path / "text.txt"
    text.write_text("Hello world")
    cases = {"gpt2/tokenizer.json": [15496, 995], "cl100k_base.tiktoken": [9906, 1917], "o200k_base.tiktoken": [13225, 2375],
             "llama2/tokenizer.model": [15043, 3186], "llama2/tokenizer.json": [15043, 3186],
             "mistral01/tokenizer.model": [22557, 1526], "llama3/tokenizer.model.tiktoken": [9906, 1917]}
    for name, ids in cases.items():
        shown = json.loads(headrace("tokens", "show", "--tokenizer", folder / name, "--text", "Hello world", "--json")[0])
        assert [piece["id"] for piece in shown["pieces"]] == ids, name


def test_a_full_disk_or_a_closed_folder_is_an_error(headrace, tmp_path):
    source = write_texts(tmp_path / "in.jsonl", TEXTS)
    if os.geteuid() == 0:
        target = "/proc/headrace"
    else:
        target = tmp_path / "closed" / "out"
        (tmp_path / "closed").mkdir(mode=0o500)
    headrace("tokenize", source, "--tokenizer", TINY_TOKENIZER, "--end", END, "--output", target, exit_code=3)
