# SPDX-License-Identifier: Apache-2.0
"""mix.validation: what is held out, that it stays together, and that its text is nowhere else."""

import json
import random
import shutil

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from leaky_corpus import sentence
from small_corpus import TINY_TOKENIZER, digest


def write_corpus(folder, documents=600, seed=2):
    """Two languages, a `work` for every three records, and texts cut into paragraphs; some are copies, some quote others."""
    rng = random.Random(seed)
    folder.mkdir(parents=True)
    texts = []
    with open(folder / "web.jsonl", "w", encoding="utf-8") as file:
        for n in range(documents):
            language = "zh" if n % 2 else "en"
            kind = rng.random()
            text = "\n".join(sentence(rng, language, rng.randint(30, 80)) for _ in range(4))
            if kind < 0.1 and texts:
                text = rng.choice(texts)  # a copy
            elif kind < 0.2 and texts:
                lines = rng.choice(texts).split("\n")
                text = "\n".join([*lines[:3], sentence(rng, language, 40)])  # most of another
            texts.append(text)
            file.write(json.dumps({"text": text, "n": n, "work": {"id": f"w{n // 3}"}}, ensure_ascii=False) + "\n")
    (folder / "verse").mkdir()
    for part in range(20):
        paragraphs = [sentence(rng, "zh", 60) for _ in range(10)]
        (folder / f"verse/{part}.txt").write_text("\n\n".join(paragraphs), encoding="utf-8")
    return folder


@pytest.fixture
def corpus(tmp_path):
    return write_corpus(tmp_path / "raw")


def write_recipe(path, corpus, validation, **changes):
    keys = {
        "seed": 7,
        "sources": [{"domain": "web", "paths": [f"{corpus}/*.jsonl"]},
                    {"domain": "verse", "paths": [f"{corpus}/verse/*.txt"], "documents": "paragraph", "encoding": "utf-8"}],
        "dedup": {"exact": True},
        "mix": {"validation": validation} if validation else None,
        "tokenize": {"tokenizer": str(TINY_TOKENIZER), "end": "<|endoftext|>"},
        "pack": {"length": 64},
        "shards": {"size": "64KiB"},
        **changes,
    }
    path.write_text(json.dumps({key: value for key, value in keys.items() if value is not None}))
    return path


def run_books(headrace, recipe, run, *arguments):
    result = headrace.json("run", recipe, "--output", run, "-q", *arguments)
    assert result["books"]["balanced"]
    return result["books"]


def records(headrace, run):
    return headrace.lines("cat", run)


def sides(headrace, run):
    return {record["id"]: record["split"] for record in records(headrace, run)}


def documents_of(manifest_folder):
    manifest = json.loads((manifest_folder / "manifest.json").read_text())
    return sum(domain["documents"] for domain in manifest["domains"]), sum(domain["tokens"] for domain in manifest["domains"])


def test_the_set_is_its_own_and_holds_what_is_held_out(headrace, tmp_path, corpus):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, {"share": 0.2})
    result = headrace.json("run", recipe, "--output", tmp_path / "run", "-q")
    books = result["books"]
    assert books["balanced"] and result["validation_shards"] == str(tmp_path / "run/shards/validation")
    split = sides(headrace, tmp_path / "run")
    held_out = sum(side == "validation" for side in split.values())
    assert books["validation"]["documents"] == held_out > 0
    assert documents_of(tmp_path / "run/shards/validation")[0] == held_out
    assert documents_of(tmp_path / "run/shards")[0] == len(split) - held_out
    tokens = sum(pc.sum(pq.read_table(path)["tokens"]).as_py() for path in (tmp_path / "run/tokens").glob("*.parquet"))
    assert documents_of(tmp_path / "run/shards/validation")[1] + documents_of(tmp_path / "run/shards")[1] == tokens
    assert headrace.json("verify", tmp_path / "run")["ok"]
    assert headrace.json("verify", tmp_path / "run/shards/validation")["ok"]
    text = headrace("books", tmp_path / "run")[0]
    assert f"{held_out} documents are held out" in text and "training documents looked through" in text
    shard = tmp_path / "run/shards/validation/shard-00000.bin"
    content = bytearray(shard.read_bytes())
    content[7] ^= 1
    shard.write_bytes(content)
    broken = headrace.json("verify", tmp_path / "run", exit_code=1)["broken"]
    assert {one["shard"] for one in broken} == {"shards/validation/shard-00000.bin"}


def test_parts_of_one_source_document_stay_together(headrace, tmp_path, corpus):
    for by, key in (({"by": "source_document"}, None), ({"by": "field", "field": "work.id"}, "work"), ({"by": "file"}, "file")):
        recipe = write_recipe(tmp_path / f"{key}.yaml", corpus, {"share": 0.3, "leaks": "ignore"} | by)
        run_books(headrace, recipe, tmp_path / f"run{key}")
        together = {}
        for record in records(headrace, tmp_path / f"run{key}"):
            is_piece = key == "file" or record["domain"] == "verse"
            name = record["source"] if is_piece else record["meta"]["work"]["id"] if key else record["id"]
            together.setdefault(name, set()).add(record["split"])
        assert all(len(split) == 1 for split in together.values())
        assert set.union(*together.values()) == {"validation", "training"}


def test_no_validation_text_in_training(headrace, tmp_path, corpus):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, {"share": 0.2})
    books = run_books(headrace, recipe, tmp_path / "run")
    held_out = [record for record in records(headrace, tmp_path / "run") if record["split"] == "validation"]
    lines = {line for record in held_out for line in record["text"].split("\n") if len(line) > 20}
    for record in records(headrace, tmp_path / "run"):
        if record["split"] == "training":
            assert len(lines & set(record["text"].split("\n"))) <= 1, record["id"]
    dropped = headrace.lines("cat", tmp_path / "run", "--dropped=validation_leak")
    assert len(dropped) == books["dropped"]["validation_leak"] == books["validation"]["leaks"] > 10
    texts = {record["id"]: record["text"] for record in held_out}
    for record in dropped:
        story = headrace.json("explain", tmp_path / "run", record["id"])
        assert story["split"] == "training" and story["reasons"] == ["validation_leak"]
        assert any(leak["leak"] for leak in story["validation_leaks"])
        shared = [set(texts[leak["id"]].split("\n")) & set(record["text"].split("\n"))
                  for leak in story["validation_leaks"] if leak["id"] in texts]  # of copies only the survivor is held out
        assert not shared or any(shared)
    # Nobody is dropped who has no line in common with the validation side.
    copies = headrace.lines("cat", tmp_path / "run", "--dropped=exact_duplicate")
    everyone = {line for record in copies + held_out for line in record["text"].split("\n")}
    assert all(set(record["text"].split("\n")) & everyone for record in dropped)


def test_copies_never_end_on_both_sides(headrace, tmp_path, corpus):
    for leaks in ("drop", "flag", "ignore"):
        recipe = write_recipe(tmp_path / f"{leaks}.yaml", corpus, {"share": 0.3, "leaks": leaks})
        books = run_books(headrace, recipe, tmp_path / leaks)
        texts = [record["text"] for record in records(headrace, tmp_path / leaks)]
        assert len(texts) == len(set(texts))
        assert ("validation_leak" in books["dropped"]) == (leaks == "drop")
        assert (books["validation"]["checked"] is None) == (leaks == "ignore")


def test_sides_follow_from_names_alone(headrace, tmp_path, corpus):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, {"share": 0.2})
    run_books(headrace, recipe, tmp_path / "run")
    # The same corpus elsewhere: the same bytes in both sets.
    shutil.copytree(corpus, tmp_path / "copy")
    run_books(headrace, write_recipe(tmp_path / "copy.yaml", tmp_path / "copy", {"share": 0.2}), tmp_path / "copied")
    assert digest(tmp_path / "run/shards") == digest(tmp_path / "copied/shards")
    # A corpus that grows moves nobody, though ids change with the order of files.
    before = {record["text"]: record["split"] for record in records(headrace, tmp_path / "run")}
    (corpus / "verse/00.txt").write_text("\n\n".join(sentence(random.Random(9), "zh", 60) for _ in range(10)), encoding="utf-8")
    (corpus / "a.jsonl").write_text(json.dumps({"text": sentence(random.Random(8), "en", 60)}) + "\n")
    run_books(headrace, recipe, tmp_path / "grown")
    after = {record["text"]: record["split"] for record in records(headrace, tmp_path / "grown")}
    assert all(after[text] == side for text, side in before.items() if text in after) and len(after) > len(before)
    # Another seed is another draw; a larger share takes more on top.
    run_books(headrace, write_recipe(tmp_path / "seed.yaml", corpus, {"share": 0.2}, seed=8), tmp_path / "seed")
    other = {record["text"]: record["split"] for record in records(headrace, tmp_path / "seed")}
    assert any(other[text] != side for text, side in after.items() if text in other)
    run_books(headrace, write_recipe(tmp_path / "more.yaml", corpus, {"share": 0.4}), tmp_path / "more")
    more = {record["text"]: record["split"] for record in records(headrace, tmp_path / "more")}
    assert all(more[text] == "validation" for text, side in after.items() if side == "validation" and text in more)


def test_the_share_is_of_source_documents(headrace, tmp_path):
    (tmp_path / "raw").mkdir()
    rng = random.Random(3)
    (tmp_path / "raw/web.jsonl").write_text("".join(json.dumps({"text": sentence(rng, "en", 12)}) + "\n" for _ in range(8000)))
    recipe = write_recipe(tmp_path / "r.yaml", tmp_path / "raw", {"share": 0.05, "leaks": "ignore"},
                          sources=[{"domain": "web", "paths": [f"{tmp_path}/raw/*.jsonl"]}])
    held_out = run_books(headrace, recipe, tmp_path / "run")["validation"]["documents"]
    assert 0.04 < held_out / 8000 < 0.06


def test_weights_are_of_training_documents(headrace, tmp_path, corpus):
    mix = {"weights": {"web": 1, "verse": 9}, "validation": {"share": 0.2}}
    run_books(headrace, write_recipe(tmp_path / "r.yaml", corpus, None, mix=mix), tmp_path / "run")
    training, validation = (json.loads((tmp_path / "run" / name / "manifest.json").read_text()) for name in ("shards", "shards/validation"))
    tokens = {domain["name"]: domain["tokens"] for domain in training["domains"]}
    assert tokens["verse"] > 4 * tokens["web"]
    held_out = sum(domain["documents"] for domain in validation["domains"])
    dropped = {record["split"] for record in headrace.lines("cat", tmp_path / "run", "--dropped=mix_quota")}
    assert dropped == {"training"} and held_out > 0


def test_judge_keeps_what_was_looked_through(headrace, tmp_path, corpus):
    tight = write_recipe(tmp_path / "tight.yaml", corpus, {"share": 0.2}, judge={"rules": {"code_points": {"min": 250}}})
    loose = write_recipe(tmp_path / "loose.yaml", corpus, {"share": 0.2}, judge={"rules": {"code_points": {"min": 20}}})
    run_books(headrace, tight, tmp_path / "run")
    headrace.json("judge", tmp_path / "run", "--recipe", loose)
    run_books(headrace, loose, tmp_path / "fresh")
    for folder in ("split", "verdict", "tasks/split", "tasks/verdict"):
        assert digest(tmp_path / "run" / folder) == digest(tmp_path / "fresh" / folder), folder


def test_a_share_of_nothing_is_told(headrace, tmp_path, corpus):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, {"share": 0.000001})
    said = headrace("run", recipe, "--output", tmp_path / "run")[1]
    assert "no document is held out" in said
    assert headrace.json("verify", tmp_path / "run")["ok"]
    assert json.loads((tmp_path / "run/shards/validation/manifest.json").read_text())["samples"] == 0
