# SPDX-License-Identifier: Apache-2.0
"""The score section: scoring what the rules keep, lines on scores, judging again without scoring again."""

import json
import math
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from small_corpus import CHINESE, ENGLISH, digest
from small_model import probability, write_model

# Two labels of quality; words that speak for either, more or less.
WORDS = {f"good{i}": [float(i), 0.0] for i in range(1, 9)} | {f"bad{i}": [0.0, float(i)] for i in range(1, 9)}
UNKNOWN = "xyzzy plugh frobnicate quux"
WORKER = pathlib.Path(__file__).with_name("fake_worker.py")


def write_documents(folder, documents=900, seed=1):
    """Two domains of texts by words; one in ten has no word that the model knows, one in ten is short, some are copies."""
    rng = random.Random(seed)
    folder.mkdir(parents=True)
    for domain in ("web", "book"):
        with open(folder / f"{domain}.jsonl", "w") as file:
            for i in range(documents // 2):
                kind = rng.random()
                words = rng.choices(list(WORDS), k=rng.randint(12, 40))
                text = "tiny" if kind < 0.1 else f"{UNKNOWN} {UNKNOWN} n{i}" if kind < 0.2 else " ".join([*words, f"n{i}"])
                file.write(json.dumps({"text": text}) + "\n")
                if kind > 0.9:
                    file.write(json.dumps({"text": text + " "}) + "\n")
    return folder


@pytest.fixture
def corpus(tmp_path):
    return write_documents(tmp_path / "raw")


@pytest.fixture
def model(tmp_path):
    return write_model(tmp_path / "quality.bin", WORDS, ["good", "bad"])


def quality(model, **keys):
    return {"quality": {"kind": "fasttext", "model": str(model), "label": "good", **keys}}


def write_recipe(path, corpus, score, rules=None, **changes):
    keys = {
        "seed": 7,
        "sources": [{"domain": d, "paths": [f"{corpus}/{d}.jsonl"]} for d in ("web", "book")],
        "normalize": ["whitespace"],
        "judge": {"rules": {"code_points": {"min": 20}} if rules is None else rules},
        "score": score,
        "dedup": {"exact": True},
        **changes,
    }
    path.write_text(json.dumps({key: value for key, value in keys.items() if value is not None}))
    return path


def scores_of(run, name="quality"):
    """{id: (scored, value, label)}"""
    columns = pq.read_table(run / "scores" / name).to_pydict()
    return {id: row for id, *row in zip(columns["id"], columns["scored"], columns["value"], columns["label"], strict=True)}


def verdicts_of(run):
    return {row["id"]: row for row in pq.read_table(run / "verdict").to_pylist()}


def texts_of(run):
    return {row["id"]: row["text"] for row in pq.read_table(run / "normalized").to_pylist()}


def run_books(headrace, recipe, run, *arguments):
    books = headrace.json("run", recipe, "--output", run, "-q", *arguments)["books"]
    assert books["balanced"]
    return books


def test_scores_are_the_models_and_lines_drop_by_them(headrace, tmp_path, corpus, model):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model, min=0.5, max=0.9)])
    books = run_books(headrace, recipe, tmp_path / "run")
    texts, verdicts = texts_of(tmp_path / "run"), verdicts_of(tmp_path / "run")
    expected = {}
    for id, (scored, value, label) in scores_of(tmp_path / "run").items():
        assert label is None
        if len(texts[id]) < 20:
            assert (scored, value) == (0, None) and verdicts[id]["reason"] == "code_points_below_min"
            continue
        truth = probability(texts[id].split("\n")[0], WORDS, 0)
        assert scored == 1 and (value is None) == (truth is None)
        if truth is None:
            reason = "quality_invalid"
        else:
            assert math.isclose(value, truth, abs_tol=3e-5)
            reason = "quality_below_min" if value < 0.5 else "quality_above_max" if value > 0.9 else ""
        said = verdicts[id]["reason"]
        assert said == reason or (said == "exact_duplicate" and reason == "")
        if reason:
            assert verdicts[id]["reasons"] == reason and verdicts[id]["value"] == value
            expected[reason] = expected.get(reason, 0) + 1
    assert set(expected) == {"quality_invalid", "quality_below_min", "quality_above_max"}
    assert {reason: books["dropped"][reason] for reason in expected} == expected
    stages = {stage["stage"]: stage for stage in books["stages"]}
    assert list(stages) == ["read", "judge", "score", "dedup"]
    assert stages["score"]["dropped"] == expected and stages["score"]["in"] == stages["judge"]["out"]
    assert books["scores"] == [{"name": "quality", "kind": "fasttext", "scored": stages["score"]["in"],
                                "invalid": expected["quality_invalid"], "unknown_ids": 0}]
    assert "no value" in headrace("books", tmp_path / "run")[0]
    assert headrace.json("verify", tmp_path / "run")["ok"]


def test_invalid_may_be_kept_when_asked_for(headrace, tmp_path, corpus, model):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model, min=0.5, invalid="keep")])
    books = run_books(headrace, recipe, tmp_path / "run")
    assert "quality_invalid" not in books["dropped"] and books["scores"][0]["invalid"] > 0
    kept = [record for record in headrace.lines("cat", tmp_path / "run") if record["text"].startswith(UNKNOWN)]
    assert kept and all(record["scores"]["quality"] == {"value": None} for record in kept)


def test_cheap_before_dear(headrace, tmp_path, corpus, model):
    """The second entry sees only what the first keeps, and the books know how many."""
    second = write_model(tmp_path / "other.bin", {"n1": [1, 0], "good1": [0.3, 0], "good8": [0, 1]}, ["a", "b"])
    recipe = write_recipe(tmp_path / "r.yaml", corpus,
                          [quality(model, min=0.5), {"other": {"kind": "fasttext", "model": str(second), "label": "a", "min": 0.4}}])
    books = run_books(headrace, recipe, tmp_path / "run")
    first, other = scores_of(tmp_path / "run"), scores_of(tmp_path / "run", "other")
    passed = {id for id, (scored, value, _) in first.items() if scored and value is not None and value >= 0.5}
    assert {id for id, (scored, *_) in other.items() if scored} == passed
    assert [entry["scored"] for entry in books["scores"]] == [sum(s for s, *_ in first.values()), len(passed)]
    assert books["dropped"]["other_below_min"] > 0 and books["dropped"]["other_invalid"] > 0


def test_a_bound_of_a_domain_lies_where_scores_do(headrace, tmp_path, corpus, model):
    for rules, message in (({"quality": {"min": 2}}, "'judge.domains.book.rules.quality.min' is 2: scores of the kind fasttext"),
                           ({"code_points": {"max": float("inf")}}, "'judge.domains.book.rules.code_points.max' must be a number")):
        recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model)], judge={"domains": {"book": {"rules": rules}}})
        recipe.write_text(recipe.read_text().replace("Infinity", ".inf"))
        assert message in headrace("run", recipe, "--output", tmp_path / "run", "--dry-run", exit_code=2)[1]


def test_domains_have_their_own_lines_and_buckets(headrace, tmp_path, corpus, model):
    judge = {"rules": {"code_points": {"min": 20}}, "domains": {"book": {"rules": {"quality": {"min": 0.8}}}},
             "buckets": [{"when": {"code_points": {"max": 120}}, "rules": {"quality": {"min": 0.2}}}]}
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model, min=0.5)], judge=judge)
    run_books(headrace, recipe, tmp_path / "run")
    texts, verdicts = texts_of(tmp_path / "run"), verdicts_of(tmp_path / "run")
    seen = set()
    for id, (scored, value, _) in scores_of(tmp_path / "run").items():
        if not scored:
            continue
        book = id >> 40 == 1
        line = 0.8 if book else 0.2 if len(texts[id]) <= 120 else 0.5
        reasons = verdicts[id]["reasons"]
        # A rule of a domain says nothing of invalid: it stays as the score section has it.
        assert reasons == "quality_invalid" if value is None else (reasons == "quality_below_min") == (value < line)
        seen.add((line, reasons))
    assert len(seen) >= 8


def test_percentiles_of_a_score(headrace, tmp_path, corpus, model):
    judge = {"rules": {"code_points": {"min": 20}, "quality": {"auto": "p25.."}}}
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model)], judge=judge)
    books = run_books(headrace, recipe, tmp_path / "run")
    valid = sum(1 for _, value, _ in scores_of(tmp_path / "run").values() if value is not None)
    assert 0.2 < books["dropped"]["quality_below_min"] / valid < 0.26


def test_judge_moves_a_line_without_text(headrace, tmp_path, corpus, model):
    loose, strict = (write_recipe(tmp_path / f"{name}.yaml", corpus, [quality(model, min=line)])
                     for name, line in (("loose", 0.3), ("strict", 0.7)))
    run_books(headrace, loose, tmp_path / "run")
    scores = digest(tmp_path / "run/scores")
    shutil.move(tmp_path / "run/normalized", tmp_path / "away")
    result = headrace.json("judge", tmp_path / "run", "--recipe", strict)
    assert result["newly_scored"] == 0 and result["newly_dropped"] > 0
    assert digest(tmp_path / "run/scores") == scores
    shutil.move(tmp_path / "away", tmp_path / "run/normalized")
    run_books(headrace, strict, tmp_path / "fresh")
    assert digest(tmp_path / "run/verdict") == digest(tmp_path / "fresh/verdict")
    example = result["examples"]["newly_dropped"][0]
    assert example["reason_after"] == "quality_below_min" and 0.3 <= example["value_after"] < 0.7


@pytest.mark.parametrize("tokens", [("tight", "wide"), ("wide", "tight", "wide")])
def test_judge_scores_only_what_newly_passes(headrace, tmp_path, corpus, model, tokens):
    """Whatever recipes a run has seen, its verdicts are those of a fresh run by the last one."""
    recipes = {}
    for name, rules in (("tight", {"code_points": {"min": 150}}), ("wide", {"code_points": {"min": 60}})):
        second = quality(model)["quality"] | {"label": "bad", "max": 0.6}
        recipes[name] = write_recipe(tmp_path / f"{name}.yaml", corpus,
                                     [quality(model, min=0.3 if name == "wide" else 0.5), {"second": second}], rules)
        run_books(headrace, recipes[name], tmp_path / f"fresh-{name}")
    run_books(headrace, recipes[tokens[0]], tmp_path / "run")
    for name in tokens[1:]:
        before = scores_of(tmp_path / "run")
        result = headrace.json("judge", tmp_path / "run", "--recipe", recipes[name])
        after = scores_of(tmp_path / "run")
        assert digest(tmp_path / "run/verdict") == digest(tmp_path / f"fresh-{name}/verdict")
        new = {id for id in after if after[id][0] and not before[id][0]}
        assert all(after[id] == before[id] for id in after if id not in new)
        assert (result["newly_scored"] > 0) == bool(new)
    assert new if len(tokens) == 2 else not new  # the second time over everything is there
    # The report and the books do not show what an earlier recipe left in the score files.
    books = run_books(headrace, recipes[tokens[-1]], tmp_path / "run")
    assert books["scores"] == headrace.json("books", tmp_path / f"fresh-{tokens[-1]}")["scores"]
    assert digest(tmp_path / "run/report") == digest(tmp_path / f"fresh-{tokens[-1]}/report")
    assert headrace.json("verify", tmp_path / "run")["ok"]


def test_what_an_earlier_recipe_scored_is_not_counted(headrace, tmp_path, corpus, model):
    """stats, cat, explain and score eval see the documents that come to a score by the recipe at hand, as a fresh run does."""
    second = {"second": quality(model, max=0.6)["quality"] | {"label": "bad"}}
    wide = write_recipe(tmp_path / "wide.yaml", corpus, [quality(model, min=0.3), second], {"code_points": {"min": 60}})
    tight = write_recipe(tmp_path / "tight.yaml", corpus, [quality(model, min=0.5), second], {"code_points": {"min": 150}})
    run_books(headrace, wide, tmp_path / "run")
    labels = [{"id": record["id"], "label": int(record["text"].count("good") > record["text"].count("bad")), "text": ""}
              for record in headrace.lines("cat", tmp_path / "run") + headrace.lines("cat", tmp_path / "run", "--dropped")
              if "good" in record["text"]]
    labelled = tmp_path / "labels.jsonl"
    labelled.write_text("".join(json.dumps(row) + "\n" for row in labels))
    before = headrace.json("score", "eval", tmp_path / "run", "--name", "quality", "--data", labelled, "-q")
    headrace("judge", tmp_path / "run", "--recipe", tight)
    run_books(headrace, tight, tmp_path / "fresh")
    assert digest(tmp_path / "run/scores") != digest(tmp_path / "fresh/scores")  # more is there than the recipe asks for
    for question in (("stats",), ("cat", "--kept"), ("cat", "--dropped"), ("score", "eval", "--data", labelled, "--name", "quality"),
                     ("score", "eval", "--data", labelled, "--name", "second")):
        how = [] if question[0] == "cat" else ["--json"]
        run, fresh = (headrace(*question, run, *how)[0].replace(str(run), "RUN") for run in (tmp_path / "run", tmp_path / "fresh"))
        assert run == fresh, question
    after = headrace.json("score", "eval", tmp_path / "run", "--name", "quality", "--data", labelled, "-q")
    assert after["unscored"] > before["unscored"] and after["positives"] < before["positives"]
    stats = headrace.json("stats", tmp_path / "run")["together"]
    books = {score["name"]: score for score in headrace.json("books", tmp_path / "run")["scores"]}
    for name in ("quality", "second"):
        assert stats[name]["values"] + stats[name]["nulls"] == books[name]["scored"], name
        assert stats[name]["nulls"] == books[name]["invalid"], name
    for record in headrace.lines("cat", tmp_path / "run", "--dropped=code_points_below_min")[:5]:
        assert "scores" not in record
        assert headrace.json("explain", tmp_path / "run", record["id"])["scores"]["quality"]["scored"] is False


def test_a_judging_that_must_score_needs_the_text(headrace, tmp_path, corpus, model):
    tight = write_recipe(tmp_path / "tight.yaml", corpus, [quality(model)], {"code_points": {"min": 150}})
    wide = write_recipe(tmp_path / "wide.yaml", corpus, [quality(model)], {"code_points": {"min": 60}})
    run_books(headrace, tight, tmp_path / "run")
    shutil.move(tmp_path / "run/normalized", tmp_path / "away")
    error = headrace("judge", tmp_path / "run", "--recipe", wide, exit_code=3)[1]
    assert "to be scored by 'quality', is gone" in error
    assert headrace.json("judge", tmp_path / "run")["newly_dropped"] == 0  # by its own recipe it needs none


def test_another_model_scores_again(headrace, tmp_path, corpus, model):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model, min=0.5)])
    run_books(headrace, recipe, tmp_path / "run")
    write_model(model, {word: weights[::-1] for word, weights in WORDS.items()}, ["good", "bad"])
    run_books(headrace, recipe, tmp_path / "run")
    run_books(headrace, recipe, tmp_path / "fresh")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")


def test_an_entry_that_is_gone_leaves_nothing(headrace, tmp_path, corpus, model):
    both = write_recipe(tmp_path / "both.yaml", corpus, [quality(model), {"b": quality(model)["quality"]}])
    one = write_recipe(tmp_path / "one.yaml", corpus, [{"b": quality(model)["quality"]}])
    run_books(headrace, both, tmp_path / "run")
    run_books(headrace, one, tmp_path / "run")
    run_books(headrace, one, tmp_path / "fresh")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")


def test_threads_and_kills_change_nothing(headrace, tmp_path, model):
    corpus = write_documents(tmp_path / "many", documents=60000)
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model, min=0.4), {"b": quality(model)["quality"] | {"label": "bad"}}])
    start = time.monotonic()
    run_books(headrace, recipe, tmp_path / "one", "--threads", 1)
    seconds = time.monotonic() - start
    run_books(headrace, recipe, tmp_path / "two", "--threads", 2)
    assert digest(tmp_path / "one") == digest(tmp_path / "two")
    assert len(list((tmp_path / "one/scores/quality").iterdir())) > 1
    rng = random.Random(5)
    for _ in range(8):
        process = subprocess.Popen([headrace.path, "run", recipe, "--output", tmp_path / "killed", "-q", "--threads", "2"])
        # Documents are there after the first start: later ones are killed while scoring.
        end = time.monotonic() + seconds
        while (tmp_path / "killed/tasks/documents").exists() is False and process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        try:
            process.wait(timeout=rng.uniform(0.01, seconds / 2))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        for commit in (tmp_path / "killed/tasks/score").rglob("*.json"):
            if rng.random() < 0.5:
                commit.unlink()
    run_books(headrace, recipe, tmp_path / "killed")
    assert digest(tmp_path / "killed") == digest(tmp_path / "one")


def test_shown_by_explain_cat_stats_and_report(headrace, tmp_path, corpus, model):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model, min=0.5)])
    run_books(headrace, recipe, tmp_path / "run")
    dropped = headrace.lines("cat", tmp_path / "run", "--dropped=quality_below_min")
    story = headrace.json("explain", tmp_path / "run", dropped[0]["id"])
    assert story["scores"]["quality"]["scored"] is True and story["scores"]["quality"]["min"] == 0.5
    assert math.isclose(story["scores"]["quality"]["value"], dropped[0]["scores"]["quality"]["value"])
    assert "min 0.5" in headrace("explain", tmp_path / "run", dropped[0]["id"])[0]
    short = headrace.lines("cat", tmp_path / "run", "--dropped=code_points_below_min")[0]
    assert "scores" not in short
    assert "not scored: dropped before" in headrace("explain", tmp_path / "run", short["id"])[0]
    values = sorted(value for id, (_, value, _) in scores_of(tmp_path / "run").items() if value is not None and id >> 40 == 0)
    stats = headrace.json("stats", tmp_path / "run")["measures"]["quality"]["web"]
    assert (stats["values"], stats["min"], stats["max"]) == (len(values), values[0], values[-1])
    page = (tmp_path / "run/report/index.html").read_text()
    assert "quality_below_min" in page and "what the fasttext model says" in page


def test_a_sample_foretells_the_rules_on_scores(headrace, tmp_path, model):
    corpus = write_documents(tmp_path / "many", documents=8000)
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model, min=0.5)])
    full = run_books(headrace, recipe, tmp_path / "full")
    said = headrace.json("run", recipe, "--output", tmp_path / "try", "--sample", "20%", "-q")["projection"]
    shares = {row["reason"]: row["share"] for row in said["reasons"]}
    for reason in ("quality_below_min", "quality_invalid"):
        truth = full["dropped"][reason] / full["in"]
        half = (shares[reason]["high"] - shares[reason]["low"]) / 2
        assert shares[reason]["low"] - half <= truth <= shares[reason]["high"] + half
    rules = next(stage for stage in full["stages"] if stage["stage"] == "score")
    assert 0.9 < said["kept_documents"]["value"] / rules["out"] < 1.1


def test_best_f1_is_the_threshold_of_the_card(headrace, tmp_path, corpus, model):
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model, min="best_f1")])
    assert "'headrace score eval --model" in headrace("run", recipe, "--output", tmp_path / "run", "-q", "--dry-run", exit_code=3)[1]
    card = tmp_path / "quality.card.json"
    keys = {"card": 1, "kind": "fasttext", "model": "quality.bin"}
    card.write_text(json.dumps({**keys, "evaluation": None}))
    assert "has no evaluation" in headrace("run", recipe, "--output", tmp_path / "run", "-q", "--dry-run", exit_code=2)[1]
    for content, words in (("", "is empty"), ("[]", "the card is []"), ('{"card": NaN}', "not JSON: line 1, at 'NaN'")):
        card.write_text(content)
        said = headrace("run", recipe, "--output", tmp_path / "run", "-q", "--dry-run", exit_code=3)[1]
        assert words in said and str(card) in said and "headrace score eval" in said and "exception" not in said
    best = {"threshold": 0.625, "threshold_interval": [0.5, 0.75], "precision": 1, "recall": 1, "f1": 1, "f1_interval": [1, 1]}
    card.write_text(json.dumps({**keys, "evaluation": {
        "data": {"files": ["labels.jsonl"], "positives": 1, "negatives": 1, "invalid": 0}, "average_precision": 1,
        "average_precision_interval": [1, 1], "best_f1": best, "precision_at_recall": []}}))
    whole = card.read_text()
    for absurd in ("1e9", "-1", "1e999"):
        card.write_text(whole.replace("0.625", absurd))
        said = headrace("run", recipe, "--output", tmp_path / "run", "-q", "--dry-run", exit_code=3)[1]
        assert "threshold" in said or "1e999" in said, said
    card.write_text(whole)
    as_max = write_recipe(tmp_path / "max.yaml", corpus, [quality(model, max="best_f1")])
    assert "so best_f1 is a min" in headrace("run", as_max, "--output", tmp_path / "run", "-q", "--dry-run", exit_code=2)[1]
    books = run_books(headrace, recipe, tmp_path / "run")
    number = write_recipe(tmp_path / "n.yaml", corpus, [quality(model, min=0.625)])
    assert run_books(headrace, number, tmp_path / "fresh")["dropped"] == books["dropped"]
    below = headrace.lines("cat", tmp_path / "run", "--dropped=quality_below_min")[0]
    card.unlink()  # the run keeps the number that it was made with
    assert headrace.json("explain", tmp_path / "run", below["id"])["scores"]["quality"]["min"] == 0.625


@pytest.mark.parametrize(("score", "message"), [
    ({"quality": {"kind": "fasttext", "model": "NO.bin"}}, "is not there: 'headrace score train --kind fasttext --output"),
    ({"quality": {"kind": "transformer", "model": "NO.onnx"}}, "headrace.torch in Python, or python -m headrace.mindspore train makes one"),
    ({"language": {"model": "NO.ftz"}}, "is not there: fastText's lid.176.ftz is one"),
    ({"quality": {"kind": "fasttext", "model": "M", "min": float("inf")}}, "'score.quality.min' must be a number, not"),
    ({"quality": {"kind": "fasttext", "model": "M", "min": float("nan")}}, "'score.quality.min' must be a number, not"),
    ({"quality": {"kind": "fasttext", "model": "M", "min": 1e9}}, "'score.quality.min' is 1000000000: scores of the kind fasttext go from"),
    ({"quality": {"kind": "fasttext", "model": "M", "max": -0.5}}, "'score.quality.max' is -0.5: scores"),
    ({"lm": {"kind": "perplexity", "model": "M", "max": -3}}, "scores of the kind perplexity go from 0 upwards"),
    ({"quality": {"kind": "fasttext", "model": "M", "min": "best_f1", "max": "best_f1"}}, "are both best_f1"),
    ({"quality": {"kind": "fasttxt", "model": "M"}}, "'score.quality.kind' cannot be 'fasttxt'; did you mean 'fasttext'?"),
    ({"quality": {"model": "M"}}, "'score.quality.kind' is needed: one of"),
    ({"quality": {"kind": "fasttext"}}, "'score.quality.model' is needed"),
    ({"quality": {"kind": "fasttext", "model": "M", "lable": "x"}}, "unknown key 'score.quality.lable'; did you mean 'label'?"),
    ({"quality": {"kind": "fasttext", "model": "M", "han": "spilt"}}, "'score.quality.han' cannot be 'spilt'; did you mean 'split'?"),
    ({"quality": {"kind": "fasttext", "model": "M", "label": "great"}}, "has no label 'great'; it has"),
    ({"quality": {"kind": "fasttext", "model": "M", "min": "best"}}, "'score.quality.min' must be a number"),
    ({"quality": {"kind": "fasttext", "model": "M", "min": 0.7, "max": 0.5}}, "'score.quality.min' 0.7 is above 'max' 0.5"),
    ({"quality": {"kind": "fasttext", "model": "M", "undetermined": "drop"}}, "unknown key 'score.quality.undetermined'"),
    ({"code_points": {"kind": "fasttext", "model": "M"}}, "'code_points' is a measure"),
    ({"a b": {"kind": "fasttext", "model": "M"}}, "'a b' cannot be a name"),
    ({"external": {"column": "edu", "path": "NO/*.parquet"}}, "matches no file"),
    ({"external": {"column": "edu", "path": "M", "min": "best_f1"}}, "cannot be best_f1"),
    ({"quality": {"kind": "mindspore", "model": "NO.mindir"}}, "NO.mindir"),
    ({"quality": {"kind": "mindspore", "model": "M", "python": "no-such-python"}}, "no-such-python"),
])
def test_faults_are_told_before_anything_runs(headrace, tmp_path, corpus, model, score, message):
    score = json.loads(json.dumps(score).replace('"M"', json.dumps(str(model))).replace('"NO', f'"{tmp_path}/NO'))
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [score])
    recipe.write_text(recipe.read_text().replace("Infinity", ".inf").replace("NaN", ".nan"))
    for options in (["--dry-run"], []):
        done = subprocess.run([headrace.path, "run", recipe, "--output", tmp_path / "run", "-q", *options],
                              capture_output=True, text=True, check=False)
        assert done.returncode in (2, 3) and message in done.stderr, done.stderr
        assert "r.yaml:1" in done.stderr and not (tmp_path / "run").exists()


def test_a_cut_model_and_faults_of_order(headrace, tmp_path, corpus, model):
    model.write_bytes(model.read_bytes()[:-10])
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model)])
    assert str(model) in headrace("run", recipe, "--output", tmp_path / "run", "--dry-run", exit_code=3)[1]
    judge = {"buckets": [{"when": {"quality": {"min": 0.5}}, "rules": {"code_points": {"min": 5}}}]}
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [quality(model)], judge=judge)
    assert "is judged before 'quality' is scored" in headrace("run", recipe, "--output", tmp_path / "run", exit_code=2)[1]


def external(path, **keys):
    return {"external": {"column": "edu", "path": str(path), **keys}}


def test_external_scores_in_any_order(headrace, tmp_path, corpus):
    plain = write_recipe(tmp_path / "plain.yaml", corpus, None)
    run_books(headrace, plain, tmp_path / "plain")
    ids = list(texts_of(tmp_path / "plain"))
    rng = random.Random(3)
    values = {id: rng.randrange(1024) / 1024 for id in ids}  # the same in float and double
    missing = set(rng.sample(ids, 50))
    nulls = set(rng.sample(sorted(set(ids) - missing), 30))
    rows = [(id, None if id in nulls else values[id]) for id in ids if id not in missing] + [(999 << 40, 0.5), (998 << 40, 0.5)]
    rows += rows[:20]  # the same again is no contradiction
    rng.shuffle(rows)
    (tmp_path / "made").mkdir()
    for part, (id_type, type) in enumerate([(pa.uint64(), pa.float32()), (pa.int64(), pa.float64())]):
        half = rows[part::2]
        pq.write_table(pa.table({"edu": pa.array([v for _, v in half], type), "id": pa.array([i for i, _ in half], id_type)}),
                       tmp_path / f"made/{part}.parquet")
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [external(tmp_path / "made/*.parquet", min=0.4)])
    books = run_books(headrace, recipe, tmp_path / "run")
    verdicts, scores = verdicts_of(tmp_path / "run"), scores_of(tmp_path / "run", "edu")
    for id, (scored, value, _) in scores.items():
        if not scored:
            assert verdicts[id]["reason"] == "code_points_below_min"
        elif id in missing or id in nulls:
            assert value is None and verdicts[id]["reason"] == "edu_invalid"
        else:
            assert math.isclose(value, values[id], rel_tol=1e-6)
            assert (verdicts[id]["reason"] == "edu_below_min") == (value < 0.4)
    assert books["scores"][0]["unknown_ids"] == 2 and books["dropped"]["edu_invalid"] > 0
    assert "ids of its files are of no document" in headrace("books", tmp_path / "run")[0]

    pq.write_table(pa.table({"id": pa.array([ids[7]], pa.uint64()), "edu": [-1.0]}), tmp_path / "made/2.parquet")
    error = headrace("run", recipe, "--output", tmp_path / "run", "-q", exit_code=2)[1]
    assert f"(id {ids[7]}) has two values" in error or ids[7] in missing
    pq.write_table(pa.table({"id": ["x"], "edu": [1.0]}), tmp_path / "made/2.parquet")
    assert "has no column 'id'" in headrace("run", recipe, "--output", tmp_path / "run", "-q", "--dry-run", exit_code=2)[1]


@pytest.fixture
def worker(tmp_path):
    """A program to call in place of Python."""
    path = tmp_path / "worker"
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{WORKER}" "$@"\n')
    path.chmod(0o755)
    return path


def test_worker_scores_by_files(headrace, tmp_path, corpus, model, worker, monkeypatch):
    entry = {"share": {"kind": "mindspore", "model": str(model), "max_length": 128, "min": 0.02}}
    monkeypatch.setenv("HEADRACE_PYTHON", str(worker))
    tight = write_recipe(tmp_path / "tight.yaml", corpus, [entry], {"code_points": {"min": 150}})
    wide = write_recipe(tmp_path / "wide.yaml", corpus, [entry], {"code_points": {"min": 20}})
    run_books(headrace, tight, tmp_path / "run")
    first = scores_of(tmp_path / "run", "share")
    texts = texts_of(tmp_path / "run")
    for id, (scored, value, _) in first.items():
        assert scored == (len(texts[id]) >= 150) and (not scored or value == texts[id].count("e") / len(texts[id]))
    assert {path.suffix for path in (tmp_path / "run/scores/share").iterdir()} == {".parquet"}  # no wanted/, no fresh/
    headrace.json("judge", tmp_path / "run", "--recipe", wide)
    asked = [int(line.split()[1]) for line in (tmp_path / "worker.log").read_text().splitlines()]
    after = scores_of(tmp_path / "run", "share")
    assert sum(asked) == sum(scored for scored, *_ in after.values())  # none twice
    run_books(headrace, wide, tmp_path / "fresh")
    assert digest(tmp_path / "run/scores") == digest(tmp_path / "fresh/scores")
    assert digest(tmp_path / "run/verdict") == digest(tmp_path / "fresh/verdict")


def test_worker_that_fails(headrace, tmp_path, corpus, model, worker, monkeypatch):
    entry = {"share": {"kind": "mindspore", "model": str(model), "python": str(worker)}}
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [entry])
    monkeypatch.setenv("FAKE_WORKER", "fail")
    done = headrace("run", recipe, "--output", tmp_path / "run", "-v", exit_code=3)[1]
    assert "device ready" in done and "goes nowhere" not in done
    assert "score 'share': the worker" in done and "ended with code 3: RuntimeError: the model has no input 'input_ids'" in done
    monkeypatch.setenv("FAKE_WORKER", "short")
    assert "the answer of the worker of 'share'" in headrace("run", recipe, "--output", tmp_path / "run", "-q", exit_code=3)[1]
    monkeypatch.setenv("FAKE_WORKER", "null")
    said = headrace("run", recipe, "--output", tmp_path / "run", "-q", exit_code=2)[1]
    assert "the answer of the worker of 'share'" in said and "has no id" in said
    # What it left is no answer: the next start asks again.
    monkeypatch.setenv("FAKE_WORKER", "nan")
    books = run_books(headrace, recipe, tmp_path / "run")
    assert books["dropped"]["share_invalid"] == books["scores"][0]["invalid"] > 0


def test_worker_that_is_killed_goes_on(headrace, tmp_path, model, worker, monkeypatch):
    corpus = write_documents(tmp_path / "many", documents=60000)
    entry = {"share": {"kind": "mindspore", "model": str(model), "python": str(worker)}}
    recipe = write_recipe(tmp_path / "r.yaml", corpus, [entry])
    monkeypatch.setenv("FAKE_WORKER", "die")
    assert "ended with code 137" in headrace("run", recipe, "--output", tmp_path / "run", "-q", exit_code=3)[1]
    monkeypatch.delenv("FAKE_WORKER")
    run_books(headrace, recipe, tmp_path / "run")
    parts = [line.split()[0] for line in (tmp_path / "worker.log").read_text().splitlines()]
    assert len(parts) == len(set(parts)) > 1
    run_books(headrace, recipe, tmp_path / "fresh")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")


def test_languages_of_real_texts(headrace, tmp_path, data):
    """lid.176 keeps Chinese and English; a short text is undetermined, and stays unless it is asked to go."""
    texts = [CHINESE * 3, (ENGLISH * 3).strip(), "Der Mond ist aufgegangen, die goldnen Sternlein prangen am Himmel hell und klar.",
             "Le moulin se dressait au bord de la rivière, et sa roue tournait depuis toujours.", "ok", "1234 5678 90"]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    for what, kept in (("keep", [0, 1, 4, 5]), ("drop", [0, 1])):
        keys = {"sources": [{"domain": "d", "paths": [f"{tmp_path}/in.jsonl"]}],
                "score": [{"language": {"model": str(data / "model-lid176/lid.176.ftz"), "keep": ["zh", "en"], "min": 0.3,
                                        "undetermined": what}}]}
        (tmp_path / "r.yaml").write_text(json.dumps(keys))
        books = run_books(headrace, tmp_path / "r.yaml", tmp_path / what)
        assert [r["text"] for r in headrace.lines("cat", tmp_path / what)] == [texts[i] for i in kept]
        assert books["dropped"] == {"language_not_kept": 2} | ({"language_undetermined": 2} if what == "drop" else {})
        assert books["scores"][0]["invalid"] == 2
    labels = [label for _, _, label in scores_of(tmp_path / "keep", "language").values()]
    assert labels == ["zh", "en", "de", "fr", None, None]
    # A domain may lift the filter.
    keys["judge"] = {"domains": {"d": {"rules": {"language_not_kept": {}}}}}
    (tmp_path / "r.yaml").write_text(json.dumps(keys))
    assert run_books(headrace, tmp_path / "r.yaml", tmp_path / "lifted")["dropped"] == {"language_undetermined": 2}
