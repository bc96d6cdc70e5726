# SPDX-License-Identifier: Apache-2.0
"""headrace score: labels to a model, its card and its threshold; scores of files; what is refused and how."""

import gzip
import hashlib
import json
import math
import os
import random
import signal
import subprocess
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

GOOD = "river mill wheel stone harvest winter letter garden evening harbour".split()
BAD = "click win free casino bonus deal cheap viagra followers prize".split()
BOTH = "the of and a in was that had with for from on it at by".split()
SMALL = ("--dim", 16, "--buckets", 5000, "--epochs", 10)


def texts(count, seed=1, noise=0.1):
    """(text, label): words of two kinds, some of the other kind among them."""
    rng = random.Random(seed)
    made = []
    for i in range(count):
        good = i % 2 == 0
        own, other = (GOOD, BAD) if good else (BAD, GOOD)
        words = [rng.choice(BOTH if rng.random() < 0.6 else other if rng.random() < noise else own) for _ in range(12)]
        made.append((" ".join(words) + f" {seed}-{i}", int(good)))
    return made


def write_jsonl(path, rows):
    opened = gzip.open(path, "wt", encoding="utf-8") if path.suffix == ".gz" else open(path, "w", encoding="utf-8")
    with opened as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    return path


def labelled(path, count=400, seed=1, noise=0.1):
    return write_jsonl(path, [{"text": text, "label": label} for text, label in texts(count, seed, noise)])


@pytest.fixture
def trained(headrace, tmp_path):
    data = labelled(tmp_path / "labels.jsonl.gz")
    result = headrace.json("score", "train", "--data", data, "--output", tmp_path / "quality.bin", *SMALL, "-q")
    return tmp_path / "quality.bin", result


def average_precision(values, wanted):
    """By the definition, ties as one step."""
    precision_sum, recall = 0.0, 0.0
    for threshold in sorted(set(values), reverse=True):
        kept = [w for v, w in zip(values, wanted, strict=True) if v >= threshold]
        now = sum(kept) / sum(wanted)
        precision_sum += (now - recall) * sum(kept) / len(kept)
        recall = now
    return precision_sum


def test_train_measures_on_texts_that_it_has_not_seen(trained, tmp_path):
    model, result = trained
    card = json.loads((tmp_path / "quality.card.json").read_text())
    assert result["trained"] + result["held_out"] == 400 and 50 < result["held_out"] < 110
    assert card["kind"] == "fasttext" and card["model"] == "quality.bin" and card["positive"] == "1"
    assert card["training"]["dim"] == 16 and card["training"]["han"] == "keep"
    assert sum(card["training"]["data"]["by_label"].values()) == card["training"]["data"]["documents"] == result["trained"]
    evaluation = card["evaluation"]
    assert evaluation["data"]["positives"] + evaluation["data"]["negatives"] == result["held_out"]
    assert 0.9 < evaluation["average_precision"] <= 1
    low, high = evaluation["average_precision_interval"]
    assert low <= evaluation["average_precision"] <= high
    assert result["evaluation"]["threshold"] == evaluation["best_f1"]["threshold"]


def test_the_same_model_whatever_the_order_of_threads(headrace, tmp_path):
    data = labelled(tmp_path / "labels.jsonl")
    hashes = set()
    for threads in (1, 3):
        folder = tmp_path / str(threads)
        folder.mkdir()
        headrace("score", "train", "--data", data, "--output", folder / "m.bin", *SMALL, "--threads", threads, "-q")
        hashes.add((hashlib.sha256((folder / "m.bin").read_bytes()).hexdigest(), (folder / "m.card.json").read_text()))
    assert len(hashes) == 1


def test_equal_texts_never_end_on_both_sides(headrace, tmp_path):
    rows = [{"text": f"{text} ", "label": label} for text, label in texts(60)]
    rows = [dict(row, text=row["text"] + " " * (i % 3)) for row in rows for i in range(5)]  # white space does not count
    data = write_jsonl(tmp_path / "labels.jsonl", rows)
    result = headrace.json("score", "train", "--data", data, "--output", tmp_path / "m.bin", *SMALL, "-q")
    assert result["held_out"] % 5 == 0 and result["trained"] % 5 == 0
    # A validation file: what it holds is not trained on.
    held = write_jsonl(tmp_path / "held.jsonl", rows[:100])
    result = headrace.json("score", "train", "--data", data, "--validation", held, "--output", tmp_path / "m.bin", *SMALL, "-q")
    assert result["held_out"] == 100 and result["leaked"] == 100 and result["trained"] == 200


def test_eval_is_what_the_scores_of_apply_say(headrace, trained, tmp_path):
    model, _ = trained
    rows = texts(300, seed=2, noise=0.4)
    data = write_jsonl(tmp_path / "test.jsonl", [{"text": t, "quality": {"good": bool(x)}, "url": f"u{i}"}
                                                for i, (t, x) in enumerate(rows)])
    made = headrace.json("score", "eval", "--model", model, "--data", data, "--label", "quality.good", "--recall", "0.5,0.9",
                         "--report", tmp_path / "eval.html", "-q")
    scored = headrace.lines("score", "apply", "--model", model, data, "-q")
    assert len(scored) == 300
    values = [line["value"] for line in scored]
    wanted = [x for _, x in rows]
    assert made["average_precision"] == pytest.approx(average_precision(values, wanted), abs=1e-12)
    kept = [w for v, w in zip(values, wanted, strict=True) if v >= made["threshold"]]
    assert made["precision"] == pytest.approx(sum(kept) / len(kept)) and made["recall"] == pytest.approx(sum(kept) / 150)
    best = max(2 * sum(k) / (len(k) + 150) for k in
               ([w for v, w in zip(values, wanted, strict=True) if v >= t] for t in values))
    assert made["best_f1"] == pytest.approx(best)
    assert [at["recall"] for at in made["precision_at_recall"]] == [0.5, 0.9]
    assert made["average_precision_interval"][0] < made["average_precision"] < made["average_precision_interval"][1]
    # The card says the same, and a page shows it.
    card = json.loads((tmp_path / "quality.card.json").read_text())
    assert card["evaluation"]["average_precision"] == made["average_precision"] and card["training"]["dim"] == 16
    page = (tmp_path / "eval.html").read_text()
    assert page.count("<svg") == 2 and "http" not in page.split("</head>")[1] and "<script" not in page
    # --no-card leaves the card as it is.
    before = (tmp_path / "quality.card.json").read_text()
    headrace("score", "eval", "--model", model, "--data", data, "--label", "quality.good", "--seed", 9, "--no-card", "-q")
    assert (tmp_path / "quality.card.json").read_text() == before


def test_apply_writes_the_same_file_for_any_threads(headrace, trained, tmp_path):
    model, _ = trained
    files = [labelled(tmp_path / "a.jsonl", 1500, seed=5), labelled(tmp_path / "b.jsonl.gz", 700, seed=6)]
    outputs = []
    for threads in (1, 4):
        out = tmp_path / f"{threads}.parquet"
        done = headrace.json("score", "apply", "--model", model, "--output", out, "--threads", threads, *files, "-q")
        assert done["documents"] == 2200 and done["invalid"] == 0
        outputs.append(out.read_bytes())
    assert outputs[0] == outputs[1]
    table = pq.read_table(tmp_path / "1.parquet")
    assert table.column_names == ["id", "value", "label"] and table["id"].type == pa.uint64()
    ids = table["id"].to_pylist()
    assert ids == sorted(ids) and ids[0] == 0 and ids[-1] >> 40 == 1
    lines = headrace.lines("score", "apply", "--model", model, *files, "-q")
    assert [line["value"] for line in lines] == table["value"].to_pylist()
    assert [(int(file) << 40) + int(place) for file, place in (line["id"].split(":") for line in lines)] == ids


def test_scores_of_a_file_are_joined_by_id(headrace, tmp_path):
    rng = np.random.default_rng(1)
    wanted = rng.integers(0, 2, 500)
    values = rng.normal(size=500) + wanted
    values[:7] = math.nan
    write_jsonl(tmp_path / "labels.jsonl", [{"id": f"doc-{i}", "label": int(w)} for i, w in enumerate(wanted)])
    order = rng.permutation(500)[:480]
    pq.write_table(pa.table({"name": [f"doc-{i}" for i in order], "score": pa.array(values[order], from_pandas=False)}),
                   tmp_path / "scores.parquet")
    made = headrace.json("score", "eval", "--scores", tmp_path / "scores.parquet", "--id", "name", "--score", "score",
                         "--data", tmp_path / "labels.jsonl", "-q")
    assert made["data"]["unmatched"] == 20 and made["card"] is None
    there = [i for i in range(500) if i in set(order)]
    assert made["invalid"] == sum(math.isnan(values[i]) for i in there)
    # NaN is kept by no threshold: as if it were below all.
    lowest = np.where(np.isnan(values), -100, values)
    kept = [i for i in there if lowest[i] >= made["threshold"]]
    assert made["recall"] == pytest.approx(sum(wanted[kept]) / sum(wanted[there]))
    assert not math.isnan(made["threshold"])
    # Ids that are numbers, in both.
    write_jsonl(tmp_path / "numbers.jsonl", [{"id": i, "text": "x", "label": int(w)} for i, w in enumerate(wanted)])
    pq.write_table(pa.table({"id": pa.array(order, pa.int64()), "value": values[order]}), tmp_path / "numbers.parquet")
    again = headrace.json("score", "eval", "--scores", tmp_path / "numbers.parquet", "--data", tmp_path / "numbers.jsonl", "-q")
    assert again["average_precision"] == made["average_precision"]


def test_scores_of_a_file_may_be_numbers_of_any_type(headrace, tmp_path):
    wanted = [0, 1, 0, 1, 1, 0]
    data = write_jsonl(tmp_path / "labels.jsonl", [{"id": f"d{i}", "label": w} for i, w in enumerate(wanted)])
    for values in (pa.array([1, 3, 2, 2, 3, None], pa.int32()), pa.array([1, 3, 2, 2, 3, None], pa.uint8()),
                   pa.array([1, 3, 2, 2, 3, math.nan], pa.float32()), pa.array([1, 3, 2, 2, 3, None], pa.float64())):
        pq.write_table(pa.table({"id": [f"d{i}" for i in range(6)], "value": values}), tmp_path / "scores.parquet")
        made = headrace.json("score", "eval", "--scores", tmp_path / "scores.parquet", "--data", data, "-q")
        assert made["average_precision"] == pytest.approx(2 / 3 + 1 / 3 * 3 / 4) and made["invalid"] == 1, values.type
    pq.write_table(pa.table({"id": ["d0"], "value": ["high"]}), tmp_path / "scores.parquet")
    for column, code, words in (("value", 2, ["'value'", "numbers", "--score"]), ("score", 3, ["'score'", "no such column", "--score"])):
        _, stderr = headrace("score", "eval", "--scores", tmp_path / "scores.parquet", "--score", column, "--data", data, exit_code=code)
        assert all(word in stderr for word in words), stderr


def decision(number, label, text, **more):
    return {"id": number, "text": text, "label": label, "decision": {1: "keep", 0: "garbage", None: "unsure"}[label], **more}


def test_audit_labels_the_last_line_counts_and_unsure_is_left_out(headrace, walk, tmp_path):
    run = tmp_path / "run"
    headrace("run", walk[0], "--output", run, "-q")
    records = [r for r in headrace.lines("cat", run, "--kept") if len(r["text"]) > 50][:80]
    # Chinese is what people want here; each is first labelled wrongly.
    def label(record):
        return int(record["text"].count("黄河") > record["text"].count("mill"))
    lines = [decision(r["id"], 1 - label(r), r["text"][:40], source=r["source"]) for r in records]
    lines += [decision(r["id"], label(r), r["text"][:40], source=r["source"]) for r in records]
    lines.append(decision(records[0]["id"], None, records[0]["text"][:40], source=records[0]["source"]))
    lines.append(decision("7:1", 1, "of another run"))
    (run / "audit").mkdir()
    data = write_jsonl(run / "audit/labels.jsonl", lines)
    wanted = sum(label(r) for r in records[1:])
    assert 10 < wanted < 70

    made = headrace.json("score", "train", "--data", data, "--validation", 0, "--output", tmp_path / "a.bin", *SMALL, "-q")
    assert made["data"]["replaced"] == 81 and made["data"]["unlabelled"] == 1
    assert made["data"]["by_label"] == {"0": 79 - wanted, "1": wanted + 1} and made["evaluation"] is None
    whole = headrace.json("score", "train", "--data", data, "--run", run, "--han", "split", "--validation", 0.3,
                          "--output", tmp_path / "b.bin", *SMALL, "-q")
    assert whole["data"]["unmatched"] == 1 and whole["data"]["documents"] == 79
    assert whole["evaluation"]["average_precision"] > 0.9

    # The same model on the texts of the run, by its audit labels, which lie in it.
    made = headrace.json("score", "eval", run, "--model", tmp_path / "b.bin", "--no-card", "-q")
    assert made["data"]["documents"] == 79 and made["average_precision"] > 0.95 and made["card"] is None

    # Scores of the run, as a run with scores has them, and the labels that lie in it.
    (run / "scores/zh").mkdir(parents=True)
    table = pq.read_table(run / "normalized/part-00000.parquet")
    scored = [0 if text.startswith("short") else 1 for text in table["text"].to_pylist()]
    values = [float(t.count("黄河") - t.count("mill")) for t in table["text"].to_pylist()]
    pq.write_table(pa.table({"id": table["id"], "scored": pa.array(scored, pa.uint32()), "value": values,
                             "label": pa.nulls(len(values), pa.string())}), run / "scores/zh/part-00000.parquet")
    made = headrace.json("score", "eval", run, "--name", "zh", "-q")
    assert made["average_precision"] == 1 and made["threshold"] == 1 and made["data"]["unmatched"] == 1
    assert "no score 'en'" in headrace("score", "eval", run, "--name", "en", exit_code=3)[1]


def test_chinese_needs_characters_as_words_and_the_card_remembers(headrace, tmp_path):
    rng = random.Random(4)
    rows = [{"text": "".join(rng.choices("山水云月风花雪" if i % 2 else "钱赚快买送奖抢", k=12)), "label": "好" if i % 2 else "坏"}
            for i in range(300)]
    data = write_jsonl(tmp_path / "zh.jsonl", rows)
    common = ("score", "train", "--data", data, "--positive", "好", *SMALL, "-q")
    split = headrace.json(*common, "--han", "split", "--output", tmp_path / "split.bin")
    kept = headrace.json(*common, "--output", tmp_path / "keep.bin")
    assert split["evaluation"]["average_precision"] == 1 > kept["evaluation"]["average_precision"]
    scored = headrace.lines("score", "apply", "--model", tmp_path / "split.bin", data, "-q")  # as its card says
    assert all((line["value"] > 0.5) == (row["label"] == "好") for line, row in zip(scored, rows, strict=True))


def test_labels_of_any_format_give_the_same_model(headrace, tmp_path):
    rows = texts(120)
    labelled(tmp_path / "a.jsonl.gz", 120)
    pq.write_table(pa.table({"text": [t for t, _ in rows], "label": pa.array([float(x) for _, x in rows])}), tmp_path / "a.parquet")
    (tmp_path / "a.csv").write_text("label,text\n" + "".join(f"{x},{t}\n" for t, x in rows))
    models = set()
    for name in ("a.jsonl.gz", "a.parquet", "a.csv"):
        made = headrace.json("score", "train", "--data", tmp_path / name, "--output", tmp_path / "m.bin", *SMALL, "-q")
        assert made["data"]["by_label"] == {"0": 60, "1": 60}
        models.add((tmp_path / "m.bin").read_bytes())
    assert len(models) == 1


def test_texts_without_a_score_are_counted(headrace, trained, tmp_path):
    model, _ = trained
    write_jsonl(tmp_path / "in.jsonl", [{"text": "河", "label": 1}, {"text": "river mill", "label": 1}, {"text": "casino", "label": 0}])
    scored = headrace.lines("score", "apply", "--model", model, tmp_path / "in.jsonl", "-q")
    made = headrace.json("score", "eval", "--model", model, "--data", tmp_path / "in.jsonl", "--no-card", "-q")
    assert made["invalid"] == sum(line["value"] is None for line in scored)


def test_what_is_refused_says_what_to_do(headrace, trained, tmp_path):
    model, _ = trained
    data = labelled(tmp_path / "labels.jsonl", 40)
    one = write_jsonl(tmp_path / "one.jsonl", [{"text": t, "label": 1} for t, _ in texts(20)])
    empty = write_jsonl(tmp_path / "empty.jsonl", [])
    null = write_jsonl(tmp_path / "null.jsonl", [{"text": "a", "label": None}])
    (tmp_path / "cut.bin").write_bytes(model.read_bytes()[:1000])
    (tmp_path / "bad.card.json").write_text('{"card": 1, "kind": 7}')
    (tmp_path / "bad.bin").write_bytes(model.read_bytes())
    for arguments, code, words in [
        (["train", "--data", data, "--label", "quality"], 2, ["'quality'", "label", "--label"]),
        (["train", "--data", data, "--text", "body"], 2, ["body", "text"]),
        (["train", "--data", one], 2, ["one label", "1 (20 documents)"]),
        (["train", "--data", empty], 2, ["no document"]),
        (["train", "--data", null], 2, ["null"]),
        (["train", "--data", tmp_path / "gone.jsonl"], 3, ["gone.jsonl"]),
        (["train", "--data", data, "--positive", "good"], 2, ["'good'", "0 (20 documents)"]),
        (["train", "--data", data, "--dim", "many"], 2, ["dim", "many"]),
        (["eval", "--data", data, data, "--model", model], 3, ["labels.jsonl", "run"]),
        (["train", "--data", data, "--dim", "0"], 2, ["dim is 0", "1 to 4096"]),
        (["train", "--data", data, "--han", "spilt"], 2, ["did you mean 'split'"]),
        (["train", "--data", data, "--validation", "1.5"], 2, ["1.5"]),
        (["train", "--data", data, "--kind", "fastext"], 2, ["did you mean 'fasttext'"]),
        (["train", "--data", data, "--kind", "transformer"], 2, ["headrace.torch"]),
        (["train", "--data", data, "--kind", "mindspore"], 2, ["python -m headrace.mindspore train"]),
        (["train"], 2, ["--data"]),
        (["train", "--kind", "perplexity"], 2, ["--data"]),
        (["train", "--kind", "perplexity", "--data", tmp_path / "gone.jsonl"], 3, ["gone.jsonl"]),
        (["train", "--kind", "perplexity", "--data", empty], 2, ["no token"]),
        (["train", "--kind", "perplexity", "--data", data, "--positive", "1"], 2, ["no labels"]),
        (["train", "--kind", "perplexity", "--data", data, "--run", "RUN"], 2, ["headrace cat RUN --kept"]),
        (["train", "--kind", "perplexity", "--data", data, "--order", "1"], 2, ["order is 1", "2 to 8"]),
        (["train", "--kind", "perplexity", "--data", data, "--prune", "1,x"], 2, ["prune", "'x'"]),
        (["train", "--kind", "perplexity", "--data", data, "--prune", "1"], 2, ["prune", "the first 0"]),
        (["train", "--kind", "perplexity", "--data", data, "--memory-mb", "0"], 3, ["0 MB"]),
        (["train", "--kind", "perplexity", "--data", data, "--dim", "3"], 2, ["'dim'", "order"]),
        (["train", "--kind", "perplexity", "--data", data, "--validation", "-1"], 2, ["-1"]),
        (["eval", "--data", data], 2, ["--model", "RUN --name", "--scores"]),
        (["eval", "--model", tmp_path / "gone.bin", "--data", data], 3, ["gone.bin"]),
        (["eval", "--model", tmp_path / "cut.bin", "--data", data], 3, ["cut.bin"]),
        (["eval", "--model", tmp_path / "bad.bin", "--data", data], 3, ["bad.card.json", "'kind'"]),
        (["eval", "--model", model, "--data", one], 2, ["one label"]),
        (["eval", "--model", model, "--data", data, "--recall", "1.5"], 2, ["1.5"]),
        (["eval", "--model", model, "--data", data, "--option", "han"], 2, ["NAME=VALUE"]),
        (["eval", "--model", model, "--data", data, "--option", "hann=split"], 2, ["'hann'", "han"]),
        (["apply", "--model", model, data, "--id", "url"], 2, ["'url'", "0:0"]),
        (["apply", "--model", data, data], 2, ["--kind"]),
    ]:
        if arguments[0] == "train":
            arguments = [*arguments, "--output", tmp_path / "never.bin"]
        _, stderr = headrace("score", *arguments, exit_code=code)
        assert all(word in stderr for word in words), (arguments, stderr)
    assert not list(tmp_path.glob("never*"))


ONE_TASK = 2000


def sentences(count, words, seed=1):
    """Texts of lines in which each word is followed by one of the next three."""
    rng = random.Random(seed)
    made = []
    for _ in range(count):
        at, line = rng.randrange(len(words)), []
        for _ in range(14):
            line.append(words[at])
            at = (at + rng.randint(1, 3)) % len(words)
        made.append(" ".join(line[:7]) + "\n" + " ".join(line[7:]))
    return made


def test_perplexity_is_trained_on_texts_without_labels(headrace, tmp_path):
    known = sentences(ONE_TASK, GOOD + BOTH)
    data = write_jsonl(tmp_path / "good.jsonl.gz", [{"text": t, "other": [1]} for t in known])
    common = ("score", "train", "--kind", "perplexity", "--data", data, "-q")
    made = headrace.json(*common, "--order", 3, "--prune", "0,0,1", "--output", tmp_path / "lm.bin")
    card = json.loads((tmp_path / "lm.card.json").read_text())
    assert made["trained"] + made["held_out"] == made["data"]["documents"] == ONE_TASK and 300 < made["held_out"] < 500
    assert made["positive"] is None and card["kind"] == "perplexity" and card["positive"] is None and card["evaluation"] is None
    training = card["training"]
    assert training["order"] == 3 and training["han"] == "keep" and training["data"]["documents"] == made["trained"]
    measured = made["measured"]
    assert training["held_out"] == {"documents": made["held_out"], **measured}
    # A line is one of 26 words, six times one of three, and the end, which comes behind one word in seven.
    least = math.exp((math.log(26) + 6 * math.log(3 * 7 / 6) + math.log(7)) / 8)
    assert 0.97 * least < measured["perplexity"] < 1.1 * least
    assert measured["document_p50"] < measured["document_p90"] < measured["document_p99"]

    # What apply says of a file held out is what the card says.
    other = write_jsonl(tmp_path / "other.jsonl", [{"text": t} for t in sentences(200, GOOD + BOTH, 2)])
    by_file = headrace.json(*common, "--order", 3, "--validation", other, "--output", tmp_path / "lm.arpa")
    values = sorted(line["value"] for line in headrace.lines("score", "apply", "--model", tmp_path / "lm.arpa", other, "-q"))
    assert by_file["held_out"] == 200 and by_file["leaked"] == 0 and by_file["trained"] == ONE_TASK
    assert by_file["measured"]["document_p50"] == values[99] and by_file["measured"]["document_p99"] == values[197]
    assert values[0] < by_file["measured"]["perplexity"] < values[-1]
    itself = headrace.json(*common, "--validation", other, "--data", other, "--output", tmp_path / "twice.bin")
    assert itself["leaked"] == 200 and itself["trained"] == ONE_TASK

    # The same bytes for any number of threads; a binary without a card is no fastText model.
    headrace(*common, "--order", 3, "--prune", "0,0,1", "--threads", 1, "--output", tmp_path / "again.bin")
    assert (tmp_path / "again.bin").read_bytes() == (tmp_path / "lm.bin").read_bytes()
    (tmp_path / "again.card.json").unlink()
    for model in ("again.bin", "lm.bin"):
        scored = headrace.lines("score", "apply", "--model", tmp_path / model, other, "-q")
        assert len({line["value"] for line in scored}) > 100 and max(line["value"] for line in scored) < 12


def test_perplexity_in_a_run_drops_what_is_unlike(headrace, tmp_path):
    rng = random.Random(5)
    rows = [{"text": "".join(rng.choices("山水云月风花雪夜", k=40)) + str(i)} for i in range(600)]
    headrace("score", "train", "--kind", "perplexity", "--han", "split", "--order", 2, "--output", tmp_path / "lm.bin", "-q",
             "--data", write_jsonl(tmp_path / "zh.jsonl", rows))
    measured = json.loads((tmp_path / "lm.card.json").read_text())["training"]["held_out"]
    unlike = [{"text": "".join(rng.choices("钱赚快买送奖抢中", k=40)) + str(i)} for i in range(50)]
    raw = write_jsonl(tmp_path / "raw.jsonl", [row for pair in zip(rows, [*unlike, *[None] * 550], strict=True) for row in pair if row])
    most = 4 * measured["document_p99"]
    (tmp_path / "r.yaml").write_text(json.dumps({
        "seed": 1, "sources": [{"domain": "zh", "paths": [str(raw)]}], "normalize": ["whitespace"], "judge": {"rules": {}},
        "score": [{"lm": {"kind": "perplexity", "model": str(tmp_path / "lm.bin"), "max": most}}]}))
    books = headrace.json("run", tmp_path / "r.yaml", "--output", tmp_path / "run", "-q")["books"]
    assert books["balanced"] and books["dropped"] == {"lm_above_max": 50}
    kept = [record["text"] for record in headrace.lines("cat", tmp_path / "run", "--kept")]
    assert sorted(kept) == sorted(row["text"] for row in rows)  # the card says that Han characters are words
    assert headrace.json("verify", tmp_path / "run")["ok"]


@pytest.mark.parametrize("kind", ["fasttext", "perplexity"])
def test_a_training_that_is_stopped_leaves_what_was_there(headrace, tmp_path, kind):
    data = labelled(tmp_path / "labels.jsonl", 20_000)
    before = {"m.bin": b"a model", "m.card.json": b"its card"}
    for name, content in before.items():
        (tmp_path / name).write_bytes(content)
    many = [tmp_path / f"labels-{i}.jsonl" for i in range(60 if kind == "perplexity" else 0)]
    for path in many:
        os.link(data, path)
    # Work of more than a second, far more for fastText.
    more = [word for path in many for word in ("--data", path)]
    options = ("--dim", 64, "--buckets", 1000, "--epochs", 10_000) if kind == "fasttext" else more
    command = [headrace.path, "score", "train", "--kind", kind, "--data", data, "--output", tmp_path / "m.bin", "-q", *options]
    process = subprocess.Popen([str(part) for part in command], stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130 and "stopped" in stderr
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path not in (data, *many)} == before


def test_nothing_that_is_read_is_written_over(headrace, trained, tmp_path):
    model, _ = trained
    data = labelled(tmp_path / "again.jsonl", count=40, seed=3)
    before = data.read_bytes()
    for command in (
        ["train", "--data", data, "--positive", "good", "--output", data],
        ["apply", "--model", model, "--output", data, data],
        ["apply", "--model", model, "--output", model, data],
        ["eval", "--model", model, "--data", data, "--positive", "good", "--report", data],
    ):
        _, stderr = headrace("score", *command, "-q", exit_code=2)
        assert "would be written over" in stderr
    assert data.read_bytes() == before


def test_what_cannot_be_written_is_known_before_the_work(headrace, trained, tmp_path):
    model, _ = trained
    gone = tmp_path / "gone.jsonl"  # is not read before the output is tried
    nowhere = tmp_path / "no/folder"
    for arguments in (["train", "--data", gone, "--output", nowhere / "m.bin"],
                      ["train", "--kind", "perplexity", "--data", gone, "--output", nowhere / "m.bin"],
                      ["apply", "--model", model, "--output", nowhere / "s.parquet", gone],
                      ["eval", "--model", model, "--data", gone, "--report", nowhere / "eval.html"]):
        _, stderr = headrace("score", *arguments, exit_code=3)
        assert str(nowhere) in stderr and "gone" not in stderr, stderr
    _, stderr = headrace("score", "train", "--data", gone, "--output", tmp_path, exit_code=2)
    assert "is a folder" in stderr
    assert not list(tmp_path.glob("*.tmp*"))


def test_records_that_are_no_documents_are_told(headrace, trained, tmp_path):
    model, _ = trained
    data = labelled(tmp_path / "some.jsonl", 40)
    data.write_text(data.read_text() + '{"text": 7}\n{broken\n' + json.dumps({"text": "", "label": 0}) + "\n")
    stdout, stderr = headrace("score", "apply", "--model", model, data)
    assert len(stdout.splitlines()) == 41 and "41 documents scored" in stderr
    assert "1 got no number" in stderr and "2 records are no documents" in stderr
    stdout, stderr = headrace("score", "apply", "--model", model, data, "-q")
    assert len(stdout.splitlines()) == 41 and stderr == ""
    stdout, stderr = headrace("score", "apply", "--model", model, data, "-q", "--json")
    said = json.loads(stderr)
    assert (said["documents"], said["invalid"], said["rejected"], said["output"]) == (41, 1, 2, None)
    made = headrace.json("score", "apply", "--model", model, data, "--output", tmp_path / "s.parquet")
    assert (made["documents"], made["rejected"]) == (41, 2)
    common = ("score", "train", "--data", labelled(tmp_path / "whole.jsonl", 200, 7), "--validation", data,
              "--output", tmp_path / "m.bin", *SMALL, "-q")
    assert headrace.json(*common)["validation"]["rejected"] == 2
    assert "2 records are no documents (of the validation file)" in headrace(*common)[0]


def test_an_option_takes_one_value(headrace, trained, tmp_path):
    model, _ = trained
    data = labelled(tmp_path / "test.jsonl", 60)
    wanted = headrace.lines("score", "apply", "--model", model, data, "-q")
    assert headrace.lines("score", "apply", "--model", model, "--option", "han=keep", data, "-q") == wanted
    assert headrace.lines("score", "apply", "--model", model, "--option", "han=keep", "--option", "label=1", data, "-q") == wanted
    assert "'RUN" not in headrace("score", "eval", "--data", data, "--recall", 0.5, "RUN", "--name", "x", exit_code=3)[1]
    other = labelled(tmp_path / "b.jsonl", 20, 2)
    two = headrace.json("score", "eval", "--model", model, "--data", data, "--data", other, "--no-card", "-q")
    assert two["data"]["documents"] == 80


def test_an_empty_text_has_no_score(headrace, trained, tmp_path):
    model, _ = trained
    data = write_jsonl(tmp_path / "in.jsonl", [{"text": ""}, {"text": " \n\t "}, {"text": "zzzz"}])
    values = [line["value"] for line in headrace.lines("score", "apply", "--model", model, data, "-q")]
    assert values[:2] == [None, None] and values[2] is not None  # fastText ends each line by </s>, which it knows
    assert "none for a text without a word" in " ".join(headrace("score", "apply", "--help")[0].split())


def test_of_a_perplexity_low_is_good(headrace, tmp_path):
    """Precision and recall are of the documents at or below the threshold, and a recipe takes it as a max."""
    like, unlike = sentences(900, GOOD + BOTH), sentences(100, BAD + BOTH, 3)
    good = write_jsonl(tmp_path / "good.jsonl", [{"text": t} for t in like[:800]])
    headrace("score", "train", "--kind", "perplexity", "--order", 2, "--data", good, "--output", tmp_path / "lm.bin", "-q")
    rows = [(text, 1) for text in like[800:]] + [(text, 0) for text in unlike]
    data = write_jsonl(tmp_path / "labels.jsonl", [{"text": t, "label": x, "id": f"d{i}"} for i, (t, x) in enumerate(rows)])
    made = headrace.json("score", "eval", "--model", tmp_path / "lm.bin", "--data", data, "--report", tmp_path / "page.html", "-q")
    values = [line["value"] for line in headrace.lines("score", "apply", "--model", tmp_path / "lm.bin", data, "-q")]
    wanted = [x for _, x in rows]
    assert made["low_is_better"] and made["average_precision"] == pytest.approx(average_precision([-v for v in values], wanted), abs=1e-12)
    assert made["average_precision"] > 0.95 and min(values) < made["threshold"] < max(values)
    kept = [w for v, w in zip(values, wanted, strict=True) if v <= made["threshold"]]
    assert made["precision"] == pytest.approx(sum(kept) / len(kept)) and made["recall"] == pytest.approx(sum(kept) / 100)
    page = (tmp_path / "page.html").read_text()
    assert "score at most" in page and "at ≤" in page and "at least" not in page
    assert "its threshold      at most" in headrace("score", "eval", "--model", tmp_path / "lm.bin", "--data", data, "-q")[0]

    def recipe(**bound):
        (tmp_path / "r.yaml").write_text(json.dumps({
            "sources": [{"domain": "d", "paths": [str(data)]}], "judge": {"rules": {}},
            "score": [{"lm": {"kind": "perplexity", "model": str(tmp_path / "lm.bin"), **bound}}]}))
        return tmp_path / "r.yaml"

    assert "best_f1 is a max" in headrace("run", recipe(min="best_f1"), "--output", tmp_path / "run", exit_code=2)[1]
    books = headrace.json("run", recipe(max="best_f1"), "--output", tmp_path / "run", "-q")["books"]
    assert books["kept"] == len(kept) and books["dropped"] == {"lm_above_max": 200 - len(kept)}
    run = json.loads((tmp_path / "run/run.json").read_text())
    assert run["best_f1"] == {"lm": made["threshold"]}

    # The scores of a run: its recipe knows the kind. Of a file it is asked for.
    labels = write_jsonl(tmp_path / "ids.jsonl", [{"id": r["id"], "label": x} for r, (_, x) in
                         zip(sorted(headrace.lines("cat", tmp_path / "run") + headrace.lines("cat", tmp_path / "run", "--dropped"),
                                    key=lambda r: r["offset"]), rows, strict=True)])
    of_run = headrace.json("score", "eval", tmp_path / "run", "--name", "lm", "--data", labels, "-q")
    assert of_run["low_is_better"] and of_run["threshold"] == made["threshold"]
    pq.write_table(pa.table({"id": [f"d{i}" for i in range(200)], "value": values}), tmp_path / "scores.parquet")
    of_file = ("score", "eval", "--scores", tmp_path / "scores.parquet", "--data", data, "-q")
    assert headrace.json(*of_file, "--low-is-better")["threshold"] == made["threshold"]
    assert headrace.json(*of_file)["average_precision"] < 0.5


def test_files_that_are_no_models_are_told_in_our_words(headrace, tmp_path):
    data = write_jsonl(tmp_path / "in.jsonl", [{"text": "a", "label": 1}])
    (tmp_path / "zero.bin").write_bytes(b"")
    (tmp_path / "zeros.bin").write_bytes(bytes(100))
    (tmp_path / "zero.onnx").write_bytes(b"")
    (tmp_path / "vocab.txt").write_text("[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n")
    for name, kind, words in (("zero.bin", "perplexity", "it holds no text"), ("zeros.bin", "perplexity", "is no n-gram model"),
                              ("zero.bin", "fasttext", "zero.bin"), ("zero.onnx", "transformer", "the file is empty")):
        _, stderr = headrace("score", "apply", "--kind", kind, "--model", tmp_path / name, data, exit_code=3)
        assert words in stderr and str(tmp_path / name) in stderr, stderr
        assert "line 0" not in stderr and "exception" not in stderr.lower() and "Check '" not in stderr, stderr


def test_failed_evaluations_leave_the_card_alone(headrace, trained, tmp_path):
    model, _ = trained
    before = (tmp_path / "quality.card.json").read_text()
    headrace("score", "eval", "--model", model, "--data", write_jsonl(tmp_path / "x.jsonl", [{"text": "a", "label": 1}]),
             exit_code=2)
    assert (tmp_path / "quality.card.json").read_text() == before


def test_help_teaches(headrace):
    assert all(word in headrace("score", "--help")[0] for word in ("train", "eval", "apply", "audit", "best_f1"))
    text = headrace("score", "train", "--help")[0]
    assert all(word in text for word in ("--word-ngrams", "--han", "fasttext", "headrace.mindspore", "held out"))
