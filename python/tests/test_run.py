# SPDX-License-Identifier: Apache-2.0
"""headrace.run and headrace.Run, on a small run."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import textwrap

import headrace
import pyarrow
import pyarrow.parquet
import pytest
from small_run import NEWS, POEMS


def test_books_balance_by_stage_and_domain(run):
    books = run.books
    assert books["in"] == len(NEWS) + len(POEMS)
    assert books["kept"] == books["in"] - 1
    assert sum(books["dropped"].values()) == 1
    assert books["quarantined"] == 0
    assert books["balanced"] is True
    for stage in books["stages"]:
        assert stage["in"] == stage["out"] + sum(stage["dropped"].values()) + stage["quarantined"]
    assert set(books["domains"]) == {"news", "poems"}


def test_paths(run):
    assert pathlib.Path(run.shards, "manifest.json").is_file()
    assert pathlib.Path(run.report).is_file()
    assert run.seconds > 0
    for opened in (headrace.Run.open(run.directory), headrace.Run(run.directory), headrace.Run(pathlib.Path(run.directory)),
                   headrace.Run(f"file://{run.directory}")):
        assert (opened.shards, opened.report, opened.books) == (run.shards, run.report, run.books)
        assert (opened.directory, opened.seconds, opened.plan) == (run.directory, None, None)
    assert run.books["finished"] is True


def test_what_is_no_run_is_said(tmp_path):
    with pytest.raises(headrace.NotFound, match="not a run directory"):
        headrace.Run(tmp_path)
    with pytest.raises(headrace.InvalidArgument, match="takes the path of a run directory"):
        headrace.Run({"run": "x"})


def test_kept_documents_in_the_order_of_ids(run):
    texts = [document["text"] for document in run.documents()]
    assert texts == NEWS + POEMS[:-1]
    first = next(iter(run.documents(limit=1)))
    assert (first["domain"], first["meta"], first["reason"], first["value"]) == ("news", {"n": 0}, None, None)
    assert first["source"].endswith("news.jsonl")


def test_dropped_documents_have_reason_and_value(run):
    (dropped,) = run.documents(kept=False)
    (reason,) = run.books["dropped"]
    assert (dropped["text"], dropped["reason"], dropped["value"]) == ("短", reason, 1.0)
    assert list(run.documents(kept=False, reason=reason)) == [dropped]
    assert list(run.documents(quarantined=True)) == []
    with pytest.raises(headrace.InvalidArgument):
        list(run.documents(reason=reason))


def test_an_iterator_can_be_left(run):
    documents = run.documents()
    next(documents)
    documents.close()
    assert len(list(run.documents(limit=3))) == 3


def test_explain(run):
    document = next(iter(run.documents(limit=1)))
    story = run.explain(document["id"])
    assert (story["id"], story["text"], story["verdict"], story["reasons"]) == (document["id"], document["text"], "kept", [])
    assert story["measures"]["code_points"] == len(document["text"])
    with pytest.raises(headrace.Error):
        run.explain("99:99")


def test_explain_tells_the_rules_that_a_document_breaks(run):
    (dropped,) = run.documents(kept=False)
    (rule,) = run.explain(dropped["id"])["broken"]
    assert rule == {"reason": "code_points_below_min", "measure": "code_points", "value": 1.0, "bound": "min 10", "scope": None,
                    "place": "judge.rules", "preset": None, "words": []}


def test_documents_and_explain_tell_scores(run, recipe, tmp_path):
    ids = [document["id"] for document in run.documents()]
    made = {(int(file) << 40) + int(place): number / 100 for number, (file, place) in enumerate(id.split(":") for id in ids)}
    table = pyarrow.table({"id": pyarrow.array(made, pyarrow.uint64()), "edu": list(made.values())})
    pyarrow.parquet.write_table(table, tmp_path / "edu.parquet")
    scored = tmp_path / "scored.yaml"
    score = f"score:\n  - external: {{column: edu, path: {tmp_path}/edu.parquet, min: 0.1}}\n"
    scored.write_text(recipe.read_text(encoding="utf-8").split("tokenize:")[0] + score, encoding="utf-8")
    run = headrace.run(scored, output=tmp_path / "x")
    kept = list(run.documents())
    assert [document["scores"]["edu"] for document in kept] == [{"value": value, "label": None} for value in made.values() if value >= 0.1]
    by_score = next(iter(run.documents(kept=False, reason="edu_below_min", limit=1)))
    assert by_score["scores"]["edu"]["value"] == by_score["value"] < 0.1
    short = next(iter(run.documents(kept=False, reason="code_points_below_min")))
    assert short["scores"] == {}  # it never came to the score
    story = run.explain(by_score["id"])["scores"]["edu"]
    assert story == {"value": by_score["value"], "label": None, "scored": True, "min": 0.1, "max": None, "keep": []}
    assert run.explain(short["id"])["scores"]["edu"]["scored"] is False


def test_leaks_and_the_split_are_told_as_the_command_tells_them(run, recipe, tmp_path):
    assert (run.books["leak"], run.books["validation"], run.validation_shards) == (None, None, None)
    question = "Why does the heron wait beside the second lock until the water has gone down again, and who feeds it at noon?"
    (tmp_path / "exam.jsonl").write_text(json.dumps({"question": question}))
    (tmp_path / "leaky.jsonl").write_text(json.dumps({"text": question + " It waits for frogs, as herons do everywhere."}))
    text = recipe.read_text().replace("judge:", f"  - {{domain: leaky, paths: [{tmp_path}/leaky.jsonl]}}\njudge:")
    leaky = tmp_path / "leaky.yaml"
    leaky.write_text(text + f"leak: {{against: {tmp_path}/exam.jsonl}}\nmix: {{validation: {{share: 0.3}}}}\n")
    found = headrace.run(leaky, output=tmp_path / "run")
    leak = found.books["leak"]
    assert (leak["items"], leak["found"], leak["verdict"]) == (1, 1, "drop")
    assert leak["sets"] == [{"set": "exam", "items": 1, "documents": 1, "drop": 1, "flag": 0, "report_only": False}]
    (dropped,) = found.documents(kept=False, reason="leak")
    (hit,) = found.explain(dropped["id"])["leaks"]
    assert hit["set"] == "exam" and hit["question"] == 1 and dropped["text"][hit["begin"]:hit["end"]] in question
    held_out = [record for record in found.documents() if record["split"] == "validation"]
    assert len(held_out) == found.books["validation"]["documents"] > 0
    assert found.books["validation"]["drops"] is True
    assert pathlib.Path(found.validation_shards, "manifest.json").is_file()
    assert headrace.Run(found.directory).validation_shards == found.validation_shards
    assert found.explain(held_out[0]["id"])["split"] == "validation"
    assert found.judge()["newly_scanned"] == 0


def test_a_sample_says_what_it_says_of_the_full_run(run, recipe, tmp_path):
    assert run.projection is None
    sample = headrace.run(recipe, output=tmp_path / "x", sample=0.5)
    said = sample.projection
    assert said["records"] == run.books["in"] > said["sampled"] > 0
    assert said["seconds"]["low"] <= said["seconds"]["high"]
    assert said["kept_documents"]["low"] <= run.books["kept"] <= said["kept_documents"]["high"]
    opened = headrace.Run(tmp_path / "x").projection
    assert opened["seconds"] is None  # no file holds a time
    assert {**opened, "seconds": said["seconds"]} == said


def test_judge_again_with_other_thresholds(recipe, tmp_path):
    run = headrace.run(recipe, output=tmp_path / "x")
    looser = tmp_path / "looser.yaml"
    looser.write_text(recipe.read_text(encoding="utf-8").replace("min: 10", "min: 1"), encoding="utf-8")
    result = run.judge(looser)
    assert (result["newly_kept"], result["newly_dropped"]) == (1, 0)
    assert result["after"] == result["before"] + 1


def test_the_same_bytes_for_any_number_of_threads(run, recipe, tmp_path):
    other = headrace.run(recipe, output=tmp_path / "x", threads=1)
    names = sorted(os.listdir(run.shards))
    assert names == sorted(os.listdir(other.shards))
    for name in names:
        assert pathlib.Path(run.shards, name).read_bytes() == pathlib.Path(other.shards, name).read_bytes(), name


def test_dry_run_writes_nothing(recipe, tmp_path):
    run = headrace.run(recipe, output=tmp_path / "x", dry_run=True)
    assert run.plan["input_files"] == 2
    assert not (tmp_path / "x").exists()


def test_faults_of_a_recipe_come_at_once(tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_text("sourcess: []\nsead: 1\n", encoding="utf-8")
    with pytest.raises(headrace.InvalidArgument) as caught:
        headrace.run(path, output=tmp_path / "x")
    assert "sourcess" in str(caught.value)
    assert "sead" in str(caught.value)


INTERRUPTED = """
    import os, signal, sys, threading, time
    import headrace
    def interrupt():
        while not os.path.exists(sys.argv[2]):
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt, daemon=True).start()
    try:
        headrace.run(sys.argv[1], output=sys.argv[2], threads=1)
    except KeyboardInterrupt:
        sys.exit(77)
"""


def test_ctrl_c_stops_a_run_and_the_next_one_finishes_it(recipe, tmp_path):
    large = tmp_path / "large.jsonl"
    lines = (recipe.parent / "news.jsonl").read_text(encoding="utf-8")
    with large.open("w", encoding="utf-8") as file:
        for _ in range(5000):
            file.write(lines)
    path = tmp_path / "recipe.yaml"
    text = recipe.read_text(encoding="utf-8").replace(str(recipe.parent / "news.jsonl"), str(large))
    path.write_text(text.replace("16KiB", "16MiB"), encoding="utf-8")  # thousands of shards would take minutes on a slow disk
    output = tmp_path / "x"
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(INTERRUPTED), path, output], timeout=120, check=False)
    assert done.returncode == 77, signal.strsignal(-done.returncode) if done.returncode < 0 else done.returncode
    assert headrace.run(path, output=output).books["in"] == 5000 * len(NEWS) + len(POEMS)
