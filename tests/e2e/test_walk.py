# SPDX-License-Identifier: Apache-2.0
"""One path through the house: raw files to shards, and what can be asked of a run."""

import json
import os
import shutil

import numpy as np
from small_corpus import TINY_TOKENIZER, digest, recipe, write_corpus


def test_books_balance_and_name_every_loss(headrace, walk, tmp_path):
    run = headrace.json("run", walk[0], "--output", tmp_path / "run", "-q")
    books = run["books"]
    assert books["balanced"]
    assert books["in"] == books["kept"] + sum(books["dropped"].values()) + books["quarantined"]
    assert [stage["stage"] for stage in books["stages"]] == ["read", "judge", "dedup", "tokenize", "mix"]
    for stage in books["stages"]:
        assert stage["in"] == stage["out"] + sum(stage["dropped"].values()) + stage["quarantined"]
    assert {"text_missing", "code_points_below_min", "special_symbol_share_above_max", "exact_duplicate"} <= set(books["dropped"])
    assert books["quarantined"] > 0
    # An independent count of what went in: lines that are not blank, paragraphs.
    lines = sum(sum(1 for line in path.read_bytes().split(b"\n") if line.strip()) for path in (walk[1] / "web").iterdir())
    paragraphs = len((walk[1] / "verse/a.txt").read_bytes().decode("gb18030").split("\n\n"))
    assert books["in"] == lines + paragraphs
    assert books == headrace.json("books", tmp_path / "run")


def test_cat_shows_every_record_once(headrace, walk, tmp_path):
    books = headrace.json("run", walk[0], "--output", tmp_path / "run", "-q")["books"]
    kept = headrace.lines("cat", tmp_path / "run", "--kept")
    dropped = headrace.lines("cat", tmp_path / "run", "--dropped")
    quarantined = headrace.lines("cat", tmp_path / "run", "--quarantined")
    assert (len(kept), len(dropped), len(quarantined)) == (books["kept"], sum(books["dropped"].values()), books["quarantined"])
    ids = [record["id"] for record in kept + dropped + quarantined]
    assert len(set(ids)) == books["in"]
    for reason, count in books["dropped"].items():
        some = headrace.lines("cat", tmp_path / "run", f"--dropped={reason}")
        assert len(some) == count and {record["reason"] for record in some} == {reason}
    assert all(record["text"] and record["reason"] is None for record in kept)
    short = headrace.lines("cat", tmp_path / "run", "--dropped=code_points_below_min", "--limit", "3")
    assert len(short) == 3 and short[0]["value"] == 5  # "short"
    # A quarantined record names its place: the line of the file holds exactly its bytes.
    for record in quarantined:
        line = open(record["source"], "rb").read().split(b"\n")[record["line"] - 1]
        assert record["text"] == line.decode(errors="backslashreplace")
        assert open(record["source"], "rb").read()[record["offset"] :].startswith(line)


def test_explain_tells_of_records_that_are_no_documents(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    record = headrace.lines("cat", tmp_path / "run", "--quarantined", "--limit", "1")[0]
    story = headrace.json("explain", tmp_path / "run", record["id"])
    assert story["verdict"] == "quarantined" and story["reasons"] == [record["reason"]] and story["detail"]
    assert story["before"] == record["text"]
    record = headrace.lines("cat", tmp_path / "run", "--dropped=text_missing", "--limit", "1")[0]
    story = headrace.json("explain", tmp_path / "run", record["id"])
    assert story["verdict"] == "dropped" and story["reasons"] == ["text_missing"]
    assert "text_missing" in headrace("explain", tmp_path / "run", record["id"])[0]


def test_inspect_tells_of_each_file(headrace, walk, tmp_path):
    verse = walk[1] / "verse/a.txt"
    out, error = headrace("inspect", tmp_path / "missing.txt", verse, "--json", exit_code=3)
    files = json.loads(out)["files"]
    assert "missing.txt" in error and "missing.txt" in files[0]["error"]
    assert files[1]["encoding"] == "gb18030" and not files[1]["undetermined"]


def test_explain_tells_the_whole_story(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    record = next(r for r in headrace.lines("cat", tmp_path / "run", "--kept") if r["domain"] == "web")
    story = headrace.json("explain", tmp_path / "run", record["id"])
    assert story["verdict"] == "kept" and story["text"] == record["text"] and story["source"] == record["source"]
    assert story["measures"]["code_points"] == len(record["text"])
    assert [step["step"] for step in story["steps"]] == ["html_to_text", "control_chars", "whitespace"]
    assert all((step["changes"] == 0) == (step["before"] == step["after"] == "") for step in story["steps"])
    assert story["tokens"] > 0
    dropped = headrace.lines("cat", tmp_path / "run", "--dropped=exact_duplicate", "--limit", "1")[0]
    story = headrace.json("explain", tmp_path / "run", dropped["id"])
    assert story["verdict"] == "dropped" and story["reasons"] == ["exact_duplicate"]
    assert dropped["id"] in story["cluster"] and story["cluster"][0] != dropped["id"]
    headrace("explain", tmp_path / "run", "0:1", exit_code=3)
    headrace("explain", tmp_path / "run", "nonsense", exit_code=2)


def test_explain_shows_what_each_step_changed(headrace, tmp_path):
    text = "Write to jane.doe@example.org.\u200b Le cafÃ© est fermÃ©.  Call 138-1234-5678, not version 11.2.202.235."
    (tmp_path / "in.jsonl").write_text(json.dumps({"text": text}) + "\n", encoding="utf-8")
    (tmp_path / "recipe.yaml").write_text(f"""
sources: [{{domain: web, paths: ["{tmp_path}/in.jsonl"]}}]
normalize: [control_chars, whitespace, mojibake, unicode_form, pii: {{mask: [email, phone]}}]
""", encoding="utf-8")
    headrace("run", tmp_path / "recipe.yaml", "--output", tmp_path / "run", "-q")
    record = headrace.lines("cat", tmp_path / "run", "--kept")[0]
    assert record["text"] == "Write to <EMAIL>. Le café est fermé. Call <PHONE>, not version 11.2.202.235."
    steps = {step.pop("step"): step for step in headrace.json("explain", tmp_path / "run", record["id"])["steps"]}
    assert {name: step["changes"] for name, step in steps.items()} == {
        "control_chars": 1, "whitespace": 1, "mojibake": 2, "unicode_form": 0, "pii": 2}
    assert "\u200b" in steps["control_chars"]["before"] and "\u200b" not in steps["control_chars"]["after"]
    assert "cafÃ© est fermÃ©." in steps["mojibake"]["before"] and "café est fermé." in steps["mojibake"]["after"]
    assert "jane.doe@example.org" in steps["pii"]["before"] and "<EMAIL>" in steps["pii"]["after"]
    assert steps["unicode_form"]["before"] == steps["unicode_form"]["after"] == ""
    shown = headrace("explain", tmp_path / "run", record["id"])[0]
    assert "<U+200B>" in shown and "+ Write to <EMAIL>." in shown


def test_shards_hold_exactly_the_kept_documents(headrace, walk, tmp_path):
    """Read with numpy alone, by the manifest and the Megatron layout: the text of every kept document, once, whole."""
    run = headrace.json("run", walk[0], "--output", tmp_path / "run", "-q")
    assert headrace.json("verify", run["shards"])["ok"]
    manifest = json.load(open(run["shards"] + "/manifest.json"))
    sizes = [shard["samples"] for shard in manifest["shards"]]
    assert len(sizes) % 2 == 0 and max(sizes) - min(sizes) <= 1 and sum(sizes) == manifest["samples"]
    assert manifest["tokens"] + manifest["leftover_tokens"] == sum(domain["tokens"] for domain in manifest["domains"])

    # Without packing and shuffling a shard's sequences are the documents in id order.
    plain = tmp_path / "plain.yaml"
    plain.write_text(recipe(walk[1], pack={"method": "none"}, shards={"format": "megatron", "shuffle": False}))
    run = headrace.json("run", plain, "--output", tmp_path / "plain", "-q")
    manifest = json.load(open(run["shards"] + "/manifest.json"))
    dtype = {"uint16": np.uint16, "int32": np.int32}[manifest["token_type"]]
    tokens = np.concatenate([np.fromfile(f"{run['shards']}/{shard['path']}", dtype) for shard in manifest["shards"]])
    vocabulary = json.load(open(TINY_TOKENIZER))
    end = next(token["id"] for token in vocabulary["added_tokens"] if token["content"] == "<|endoftext|>")
    documents = np.split(tokens, np.flatnonzero(tokens == end) + 1)[:-1]
    spell = {id: token for token, id in vocabulary["model"]["vocab"].items()}
    texts = [byte_level_text("".join(spell[int(id)] for id in document[:-1])) for document in documents]
    assert texts == [record["text"] for record in headrace.lines("cat", tmp_path / "plain", "--kept")]


def byte_level_text(spelling):
    """Undoes the byte-level alphabet of GPT-2: printable bytes stand for themselves, the others are moved above 255."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    moved = {chr(256 + i): byte for i, byte in enumerate(b for b in range(256) if b not in printable)}
    return bytes(moved.get(char, ord(char)) for char in spelling).decode()


def test_any_thread_count_gives_the_same_bytes(headrace, walk, tmp_path):
    digests = []
    for threads in (1, 2, 5):
        headrace("run", walk[0], "--output", tmp_path / f"run{threads}", "--threads", threads, "-q")
        digests.append(digest(tmp_path / f"run{threads}"))
    assert digests[0] == digests[1] == digests[2]
    assert any(name.startswith("shards/") for name in digests[0])


def test_a_touched_corpus_gives_the_same_bytes(headrace, walk, tmp_path):
    """Only run.json and the ledger know when input files were changed."""
    recipe_path, corpus = walk
    headrace("run", recipe_path, "--output", tmp_path / "before", "-q")
    for number, path in enumerate(sorted(corpus.rglob("*.*"))):
        os.utime(path, ns=(0, 1_700_000_000_000_000_000 + number))
    headrace("run", recipe_path, "--output", tmp_path / "after", "-q")

    def outputs(folder):
        return {name: sha for name, sha in digest(folder).items() if name != "run.json" and not name.startswith("tasks/")}

    assert outputs(tmp_path / "after") == outputs(tmp_path / "before")


def test_running_again_does_nothing(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "run").rglob("part-*")}
    first = digest(tmp_path / "run")
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "run").rglob("part-*")} == before
    assert digest(tmp_path / "run") == first


def test_judge_reads_no_text_and_equals_a_fresh_run(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    books = headrace.json("books", tmp_path / "run")
    moved = tmp_path / "moved.yaml"
    moved.write_text(recipe(walk[1], judge={"rules": {"code_points": {"min": 400}}}))
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    shutil.move(tmp_path / "run/normalized", hidden / "normalized")  # the text is out of reach,
    shutil.move(walk[1], hidden / "raw")                             # and so is the input
    result = headrace.json("judge", tmp_path / "run", "--recipe", moved)
    shutil.move(hidden / "normalized", tmp_path / "run/normalized")
    shutil.move(hidden / "raw", walk[1])
    kept_before = next(s["out"] for s in books["stages"] if s["stage"] == "dedup")
    assert result["before"] == kept_before
    assert result["after"] == result["before"] + result["newly_kept"] - result["newly_dropped"]
    assert result["newly_dropped"] > 0 and result["newly_kept"] > 0  # symbol soup over 400 code points comes back
    headrace("run", moved, "--output", tmp_path / "run", "-q")
    headrace("run", moved, "--output", tmp_path / "fresh", "-q")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")
    back = headrace.json("judge", tmp_path / "run", "--recipe", walk[0])
    assert back["after"] == kept_before


def test_judge_refuses_another_normalization(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    other = tmp_path / "other.yaml"
    other.write_text(recipe(walk[1], normalize=["control_chars"]))
    assert "moves thresholds only" in headrace("judge", tmp_path / "run", "--recipe", other, exit_code=2)[1]


def test_auto_thresholds_come_from_the_data(headrace, walk, tmp_path):
    auto = tmp_path / "auto.yaml"
    auto.write_text(recipe(walk[1], judge={"rules": {"code_points": {"auto": "p10..p90"}}}, dedup=None))
    books = headrace.json("run", auto, "--output", tmp_path / "run", "-q")["books"]
    judged = next(s for s in books["stages"] if s["stage"] == "judge")
    assert 0.12 < sum(judged["dropped"].values()) / judged["in"] < 0.21


def test_mix_gives_domains_their_share_of_tokens(headrace, tmp_path):
    corpus = write_corpus(tmp_path / "raw", documents=3000)
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(corpus, mix={"weights": {"web": 0.7, "verse": 0.3}}))
    run = headrace.json("run", path, "--output", tmp_path / "run", "-q")
    manifest = json.load(open(run["shards"] + "/manifest.json"))
    total = sum(domain["tokens"] for domain in manifest["domains"])
    shares = {domain["name"]: domain["tokens"] / total for domain in manifest["domains"]}
    assert abs(shares["web"] - 0.7) < 0.01 and abs(shares["verse"] - 0.3) < 0.01
    assert run["books"]["dropped"]["mix_quota"] > 0 and run["books"]["balanced"]


def test_sample_is_a_deterministic_part(headrace, walk, tmp_path):
    whole = headrace.json("run", walk[0], "--output", tmp_path / "whole", "-q")["books"]
    sample = headrace.json("run", walk[0], "--output", tmp_path / "a", "--sample", "20%", "-q")["books"]
    assert sample["in"] == whole["in"] and sample["balanced"]
    taken = sample["in"] - sample["dropped"]["not_sampled"]
    assert 0.1 * whole["in"] < taken < 0.3 * whole["in"]
    headrace("run", walk[0], "--output", tmp_path / "b", "--sample", "0.2", "--threads", 2, "-q")
    assert digest(tmp_path / "a") == digest(tmp_path / "b")


def test_without_a_tokenizer_the_run_ends_with_verdicts(headrace, walk, tmp_path):
    path = tmp_path / "small.yaml"
    path.write_text(recipe(walk[1], tokenize=None, pack=None, shards=None))
    run = headrace.json("run", path, "--output", tmp_path / "run", "-q")
    assert run["shards"] is None and run["books"]["balanced"]
    assert (tmp_path / "run/report/index.html").stat().st_size > 1000


def test_no_packing_keeps_documents_whole(headrace, walk, tmp_path):
    path = tmp_path / "whole.yaml"
    path.write_text(recipe(walk[1], pack={"method": "none"}))
    run = headrace.json("run", path, "--output", tmp_path / "run", "-q")
    manifest = json.load(open(run["shards"] + "/manifest.json"))
    assert manifest["samples"] == run["books"]["kept"] and manifest["sequence_length"] == 0
    assert headrace.json("verify", run["shards"])["ok"]


def test_dry_run_writes_nothing(headrace, walk, tmp_path):
    plan = headrace.json("run", walk[0], "--output", tmp_path / "run", "--dry-run", "-q")["plan"]
    assert plan["input_files"] == 4 and plan["stages"][0]["tasks"] >= 1
    assert not (tmp_path / "run").exists()
