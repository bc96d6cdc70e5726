# SPDX-License-Identifier: Apache-2.0
"""Recipes that say something that cannot be meant, and runs that would take the place of others."""

import json
import os

import pytest
from small_corpus import digest, recipe, write_corpus

PLAIN = {"tokenize": None, "pack": None, "shards": None, "dedup": None}


def write(path, folder, **changes):
    path.write_text(recipe(folder, **{**PLAIN, **changes}))
    return path


def error_of(headrace, *arguments, exit_code=2):
    return headrace("run", *arguments, "-q", exit_code=exit_code)[1]


def test_a_percentile_beyond_the_written_bound_is_a_fault(headrace, walk, tmp_path):
    """Both domains fault; each line names the recipe's line, the domain and both numbers."""
    path = tmp_path / "auto.yaml"
    sources = json.loads(recipe(walk[1]))["sources"]
    path.write_text(f"sources: {json.dumps(sources)}\njudge:\n  rules:\n    digit_share: {{max: 1}}\n"
                    "    code_points: {min: 1000000, auto: ..p95}\n")
    lines = error_of(headrace, path, "--output", tmp_path / "run").strip().splitlines()
    assert len(lines) == 2
    for line, domain in zip(lines, ("web", "verse")):
        assert f"{path}:5: 'code_points' in the domain '{domain}': min 1000000 is above max " in line
        assert "(p95 of its documents)" in line
    path.write_text(path.read_text().replace("1000000", "10"))
    headrace("run", path, "--output", tmp_path / "run", "-q")


def test_twenty_thousand_buckets_are_read_in_no_time(headrace, walk, tmp_path):
    def seconds(count):
        buckets = [{"when": {"code_points": {"max": i + 1}}, "rules": {"digit_share": {"max": 0.5}}} for i in range(count)]
        path = write(tmp_path / "many.yaml", walk[1], judge={"buckets": buckets})
        start = os.times().children_user
        headrace("run", path, "--output", tmp_path / "run", "--dry-run")
        return os.times().children_user - start

    few, many = seconds(2_000), seconds(20_000)
    assert many < 30 * max(few, 0.1)  # ten times the buckets; the square would be a hundred times


def test_word_lists(headrace, walk, tmp_path):
    def error(kind, language, path, exit_code=2):
        return error_of(headrace, write(tmp_path / "r.yaml", walk[1], measure={kind: {language: str(path)}}),
                        "--output", tmp_path / "run", exit_code=exit_code)

    (tmp_path / "good").write_text("的\n是\n")
    named = error("stop_words", "chinese", tmp_path / "good")
    assert "'chinese' is no code of a language (ISO 639: zh, en, de); did you mean 'zh'?" in named
    assert "did you mean 'zh'?" in error("stop_words", "zx", tmp_path / "good")
    assert "did you mean 'en'?" in error("flagged_words", "EN", tmp_path / "good")
    assert "'measure.stop_words': 'qqq' is no code" in error("stop_words", "qqq", tmp_path / "good")
    assert "/dev/zero is no regular file" in error("stop_words", "zh", "/dev/zero", exit_code=3)
    os.mkfifo(tmp_path / "pipe")
    assert "pipe is no regular file" in error("flagged_words", "zh", tmp_path / "pipe", exit_code=3)
    (tmp_path / "long").write_bytes(b"a\n" * (9 << 20))
    assert "has more than 16777216 bytes" in error("flagged_words", "en", tmp_path / "long")
    (tmp_path / "empty").write_text("# nothing\n\n")
    assert "empty: no word in it: the share of stop words would be 0" in error("stop_words", "zh", tmp_path / "empty")
    (tmp_path / "pairs").write_text("我们\n他们\n")
    assert "none of its 2 entries can match" in error("stop_words", "zh", tmp_path / "pairs")
    assert not (tmp_path / "run").exists()
    for kind, text, warning in (("flagged_words", "# nothing\n", "nothing is flagged in 'zh' any more"),
                                ("stop_words", "我们\n他们\n的\n", "2 of 3 entries match nothing")):
        (tmp_path / "list").write_text(text)
        path = write(tmp_path / "r.yaml", walk[1], measure={kind: {"zh": str(tmp_path / "list")}})
        assert warning in headrace("run", path, "--output", tmp_path / "dry", "--dry-run")[1]


def test_a_recipe_without_an_end(headrace, tmp_path):
    assert "/dev/zero has more than 67108864 bytes" in error_of(headrace, "/dev/zero", "--output", tmp_path / "run")


def test_a_run_of_other_sources_is_not_replaced(headrace, walk, tmp_path):
    run, other = tmp_path / "run", write_corpus(tmp_path / "other", seed=2)
    headrace("run", walk[0], "--output", run, "-q")
    before = digest(run)
    path = write(tmp_path / "other.yaml", other)
    for more in ([], ["--dry-run"]):
        error = error_of(headrace, path, "--output", run, *more)
        assert f"{run} holds a run of other sources (4 files, the first {walk[1]}/web/0.jsonl;" in error
        assert "choose another --output, or give --replace" in error
    assert digest(run) == before
    headrace("run", path, "--output", run, "--replace", "-q")
    headrace("run", path, "--output", tmp_path / "calm", "-q")
    calm = digest(tmp_path / "calm")
    assert {name: digest(run)[name] for name in calm} == calm


def test_a_corpus_may_grow_and_thresholds_may_move(headrace, walk, tmp_path):
    """The same sources, as far as one file of them is still there, are a normal start."""
    run = tmp_path / "run"
    headrace("run", write(tmp_path / "a.yaml", walk[1]), "--output", run, "-q")
    headrace("run", write(tmp_path / "b.yaml", walk[1], judge={"rules": {"code_points": {"min": 100}}}), "--output", run, "-q")
    (walk[1] / "web/9.jsonl").write_text('{"text": "one more"}\n')
    headrace("run", tmp_path / "b.yaml", "--output", run, "-q")
    (walk[1] / "web/0.jsonl").unlink()
    headrace("run", tmp_path / "b.yaml", "--output", run, "-q")
    assert headrace.json("verify", run)["ok"]


def test_a_sample_is_replaced_on_request(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "--sample", "10%", "-q")
    assert "--replace" in error_of(headrace, walk[0], "--output", tmp_path / "run")
    headrace("run", walk[0], "--output", tmp_path / "run", "--replace", "-q")
    assert headrace.json("verify", tmp_path / "run")["ok"]


@pytest.mark.parametrize("arguments", [("run", "RECIPE", "--output", "OUT", "--sample", ""), ("run", "RECIPE", "--output", ""),
                                       ("stats", "FILES", "--sample", ""), ("stats", "FILES", "--text", ""), ("books", ""),
                                       ("judge", "OUT", "--recipe", "")])
def test_an_empty_value_is_wrong_usage(headrace, walk, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    names = {"RECIPE": walk[0], "OUT": tmp_path / "run", "FILES": f"{walk[1]}/web/*.jsonl"}
    error = headrace(*(names.get(word, word) for word in arguments), exit_code=2)[1]
    assert "is empty: give a value, or leave the option out" in error
    assert not (tmp_path / "run").exists()


def test_file_uris_are_percent_decoded(headrace, tmp_path):
    folder = write_corpus(tmp_path / "my corpus")
    uri = f"file://{tmp_path}/my%20corpus"
    path = tmp_path / "r.yaml"
    path.write_text(recipe(uri, output=f"file://{tmp_path}/my%20run", **PLAIN))
    headrace("run", path, "-q")
    assert (tmp_path / "my run/run.json").exists() and not (tmp_path / "my%20run").exists()
    assert headrace.json("verify", f"file://{tmp_path}/my%20run")["ok"]
    assert headrace.json("inspect", f"{uri}/verse/a.txt")["files"][0]["encoding"] == "gb18030"
    assert digest(folder)


def test_why_records_were_quarantined_is_said(headrace, walk, tmp_path):
    run = tmp_path / "run"
    shown = headrace("run", write(tmp_path / "r.yaml", walk[1]), "--output", run, "-q")[0]
    rows = [row for row in map(json.loads, (run / "rejected/part-00000.jsonl").read_text().splitlines()) if row["kind"] == "quarantined"]
    inputs = [entry["path"] for entry in json.loads((run / "run.json").read_text())["inputs"]]
    books = headrace.json("books", run)
    assert sum(entry["records"] for entry in books["quarantine"].values()) == books["quarantined"] == len(rows)
    assert set(books["quarantine"]) == {"not_json", "invalid_utf8"}
    for text in (shown, headrace("books", run)[0]):
        assert "quarantined because" in text and "headrace inspect" in text and "docs/reference/reasons.md" in text
        for reason, entry in books["quarantine"].items():
            first = min((row["file"], row["offset"]) for row in rows if row["reason"] == reason)
            assert (inputs.index(entry["source"]), entry["offset"]) == first
            assert f"{entry['source']} at byte {entry['offset']:,}" in text


BOOK = "The kiln was left to the heat of that morning, and the men from the mill stood by.\n" * 400


def test_a_degree_sign_does_not_spoil_a_book(headrace, tmp_path):
    (tmp_path / "book.txt").write_bytes((BOOK + "It was 460°C in there.\n" + BOOK).encode("windows-1252"))
    file = headrace.json("inspect", tmp_path / "book.txt")["files"][0]
    assert file["encoding"] == "windows-1252" and not file["undetermined"]
    path = write(tmp_path / "r.yaml", tmp_path, sources=[{"domain": "d", "paths": [f"{tmp_path}/book.txt"]}], judge=None)
    headrace("run", path, "--output", tmp_path / "run", "-q")
    assert "460°C" in headrace.lines("cat", tmp_path / "run", "--kept")[0]["text"]


def test_inspect_and_run_say_the_same_of_a_text_that_is_not_sure(headrace, tmp_path):
    (tmp_path / "book.txt").write_bytes(BOOK.encode() + b"A stra\xa7e in caf\xe9.\n")
    file = headrace.json("inspect", tmp_path / "book.txt")["files"][0]
    path = write(tmp_path / "r.yaml", tmp_path, sources=[{"domain": "d", "paths": [f"{tmp_path}/book.txt"]}], judge=None)
    headrace("run", path, "--output", tmp_path / "run", "-q")
    row = headrace.lines("cat", tmp_path / "run", "--quarantined")[0]
    assert row["reason"] == "invalid_utf8" and "invalid_utf8" in file["why"]
    remedy = row["detail"][row["detail"].index("the file is taken for damaged ASCII"):]
    assert remedy in file["why"] and "'encoding: windows-1252'" in remedy
    path = write(tmp_path / "r.yaml", tmp_path, judge=None,
                 sources=[{"domain": "d", "paths": [f"{tmp_path}/book.txt"], "encoding": "windows-1252"}])
    headrace("run", path, "--output", tmp_path / "declared", "-q")
    assert "café" in headrace.lines("cat", tmp_path / "declared", "--kept")[0]["text"]
