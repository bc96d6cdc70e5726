# SPDX-License-Identifier: Apache-2.0
"""Training and scoring as far as it needs neither a framework nor onnx: tests/interop/mindspore has the rest."""

import gzip
import json
import math
from pathlib import Path

import headrace
import numpy as np
import pytest
from headrace.quality import train, worker
from headrace.quality.batches import Sampling, by_length
from headrace.quality.bert import Config, first_weights, probabilities, shapes
from headrace.quality.command import main
from headrace.quality.evaluation import evaluation
from headrace.quality.files import whole
from headrace.quality.labels import read_labels, split
from headrace.quality.needs import need


def write(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_labels_of_lines(tmp_path):
    path = write(tmp_path / "a.jsonl", {"text": "a", "label": 1}, {"text": "b", "label": "0", "other": []}, {"text": "c", "label": None},
                 {"text": "a", "label": 1.0}, {"text": None, "label": 1})
    packed = tmp_path / "b.jsonl.gz"
    packed.write_bytes(gzip.compress(b'{"text": "d", "label": true}\n{"text": "cut'))
    found = read_labels([path, packed])
    assert (found.texts, found.labels) == (["a", "b", "d"], ["1", "0", "1"])
    assert found.by_label() == {"0": 1, "1": 2}


def test_labels_of_an_audit_end_with_the_last_line_of_a_document(tmp_path):
    def line(id, label, **more):
        return {"id": id, "text": f"text {id} {more.get('source')}", "label": label, "decision": "any", **more}

    path = write(tmp_path / "labels.jsonl", line("0:1", 1), line("0:2", 0), line("0:1", 0), line("0:3", 1), line("0:3", None),
                 line("0:2", 1, source="other run"), line("0:4", 1), line("0:4", None, undo=True), line("0:4", 1))
    found = read_labels(path)
    assert dict(zip(found.texts, found.labels)) == {"text 0:1 None": "0", "text 0:2 None": "0", "text 0:2 other run": "1",
                                                    "text 0:4 None": "1"}


@pytest.mark.parametrize("lines, error, message", [
    ([{"text": "a", "label": 1}], headrace.InvalidArgument, "training needs two labels"),
    ([{"text": "a", "label": 1}, {"text": "a", "label": 0}], headrace.InvalidArgument, "has the labels '1' and '0'"),
    ([{"text": "a"}], headrace.Corrupt, "line 1: no 'label'; it has text"),
    ([{"text": "a", "label": []}], headrace.Corrupt, "line 1: a label must be"),
    ([{"text": 3, "label": 1}], headrace.Corrupt, "line 1: 'text' must be a string, not int"),
    ([["a"]], headrace.Corrupt, "line 1 is no JSON object"),
    ([{"text": "a", "label": math.inf}], headrace.Corrupt, "line 1"),
])
def test_labels_that_are_refused(tmp_path, lines, error, message):
    with pytest.raises(error, match=message):
        read_labels(write(tmp_path / "a.jsonl", *lines))


def test_labels_that_are_no_json_or_not_there(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"text": "a", "label": 1}\nbroken\n')
    with pytest.raises(headrace.Corrupt, match="line 2 is no JSON"):
        read_labels(tmp_path / "a.jsonl")
    with pytest.raises(headrace.NotFound, match="none.jsonl"):
        read_labels(tmp_path / "none.jsonl")


def test_the_held_out_part(tmp_path):
    path = write(tmp_path / "a.jsonl", *({"text": f"t{n}", "label": int(n % 5 == 0)} for n in range(100)))
    labelled = read_labels(path)
    training, held_out = split(labelled, 0.2, seed=3)
    assert held_out.by_label() == {"0": 16, "1": 4}
    assert training.by_label() == {"0": 64, "1": 16}
    assert set(training.texts).isdisjoint(held_out.texts)
    assert split(labelled, 0.2, seed=3)[1].texts == held_out.texts
    assert split(labelled, 0.2, seed=4)[1].texts != held_out.texts
    with pytest.raises(headrace.InvalidArgument, match="above 0 and below 1"):
        split(labelled, 1.0, seed=3)
    with pytest.raises(headrace.InvalidArgument, match="1 texts with the label '1': too few"):
        split(labelled.take([0, 1, 2]), 0.5, seed=3)


def rows(lengths):
    return [np.arange(2, 2 + length, dtype=np.int32) for length in lengths]


def test_training_batches_are_balanced_and_complete():
    labels = np.array([0] * 90 + [1] * 10, np.int32)
    texts = [np.array([2, 10 + number, 3], np.int32) for number in range(100)]
    sampling = Sampling(batch=10, max_length=16, pad=0, mask=4, drop_tokens=0.0, seed=1)
    batches = list(sampling.batches(texts, labels, 18))
    for batch in batches:
        assert batch.labels.tolist().count(1) == 5
        assert batch.ids.shape == (10, 16)
        assert batch.mask.sum() == 30
        assert [labels[ids[1] - 10] for ids in batch.ids] == batch.labels.tolist()
    seen = np.concatenate([batch.ids[:, 1] for batch in batches]) - 10
    assert np.bincount(seen, minlength=100).tolist() == [1] * 90 + [9] * 10  # a round of a label has each text once

    hidden = list(Sampling(10, 16, 0, 4, 0.5, 1).batches(texts, labels, 18))
    share = np.mean([(batch.ids[:, 1:3] == 4).mean() for batch in hidden])
    assert 0.4 < share < 0.6
    assert all((batch.ids[:, 0] == 2).all() and (batch.ids[:, 3:] == 0).all() for batch in hidden)


def test_batches_by_length_hold_every_row_once():
    lengths = [3, 40, 31, 100, 7, 33, 64, 65, 100, 2]
    seen = []
    for which, ids, mask in by_length(rows(lengths), 4, 100, pad=0):
        assert ids.shape in {(4, 32), (4, 64), (4, 100)}
        assert mask.sum(1)[: len(which)].tolist() == [lengths[row] for row in which]
        assert (mask.sum(1) > 0).all()
        seen.extend(which.tolist())
    assert sorted(seen) == list(range(10))


def test_first_weights():
    config = Config.of("tiny", vocabulary=50, positions=16, labels=2)
    weights = first_weights(config, seed=1)
    assert {name: values.shape for name, values in weights.items()} == shapes(config)
    assert weights["classifier.weight"].shape == (2, 128)
    assert abs(weights["encoder.layer.1.intermediate.dense.weight"].std() - 0.02) < 1e-3
    assert (first_weights(config, seed=1)["pooler.dense.weight"] == weights["pooler.dense.weight"]).all()
    assert (first_weights(config, seed=2)["pooler.dense.weight"] != weights["pooler.dense.weight"]).any()


def test_probabilities():
    found = probabilities(np.array([[0, 0], [1000, 0], [np.nan, 0], [np.inf, 0]], np.float32))
    assert found[0].tolist() == [0.5, 0.5]
    assert found[1].tolist() == [1, 0]
    assert np.isnan(found[2:]).all()


def test_the_evaluation_is_the_engines():
    found = evaluation(np.array([0.9, 0.8, 0.7, np.nan]), np.array([True, False, True, False]), ["labels.jsonl"], seed=1)
    assert found["data"] == {"positives": 2, "negatives": 2, "invalid": 1, "files": ["labels.jsonl"]}
    assert found["average_precision"] == pytest.approx((1 + 2 / 3) / 2)
    assert found["best_f1"]["threshold"] == 0.7
    assert found["best_f1"]["f1"] == pytest.approx(0.8)
    assert [row["recall"] for row in found["precision_at_recall"]] == [0.5, 0.8, 0.9, 0.95]
    assert found["curve"] == [
        {"threshold": 0.9, "precision": 1.0, "recall": 0.5},
        {"threshold": 0.8, "precision": 0.5, "recall": 0.5},
        {"threshold": 0.7, "precision": pytest.approx(2 / 3), "recall": 1.0},
    ]
    bins = found["histogram"]
    assert (bins["low"], bins["high"]) == (0, 1) and len(bins["positives"]) == len(bins["negatives"])
    assert sum(bins["positives"]) == 2 and sum(bins["negatives"]) == 1  # the invalid one has no place
    with pytest.raises(headrace.InvalidArgument, match="both kinds are needed"):
        evaluation(np.array([0.5]), np.array([True]), [], seed=1)


def test_files_are_whole_or_not_there(tmp_path):
    path = tmp_path / "model.onnx"
    path.write_text("before")
    with pytest.raises(RuntimeError), whole(path) as made:
        made.write_text("half")
        raise RuntimeError
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("model.onnx", "before")]
    with whole(path) as made:
        made.write_text("after")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("model.onnx", "after")]


def test_what_is_missing_is_named_with_its_pip_line(tmp_path, capsys):
    with pytest.raises(headrace.Unsupported, match="pip install no_such_package"):
        need("no_such_package.inner", "a test")
    path = write(tmp_path / "a.jsonl", *({"text": f"t{n}", "label": n % 2} for n in range(40)))
    for name in ("mindspore", "torch"):
        code = main(f"headrace.{name}", getattr(headrace, name).train_quality, arguments=["train", str(path), "--output", str(tmp_path)])
        assert code == 1
        assert "pip install" in capsys.readouterr().err.splitlines()[-1]


def test_options_out_of_range():
    with pytest.raises(headrace.InvalidArgument, match=r"batch=1 must be 2 to 4096; max_length=1000 must be 3 to 512; size='huge'"):
        train.Options(batch=1, max_length=1000, size="huge")


@pytest.mark.parametrize("options, error, message", [
    ({"positive": "2"}, headrace.InvalidArgument, "labels 0, 1 is the one to keep. there is no '2'"),
    ({"validation": 0.0}, headrace.InvalidArgument, "validation=0.0"),
    ({"vocabulary": "no.txt"}, headrace.NotFound, "no.txt is not a file"),
])
def test_what_can_not_be_trained(tmp_path, options, error, message):
    path = write(tmp_path / "a.jsonl", *({"text": f"t{n}", "label": n % 2} for n in range(40)))
    with pytest.raises(error, match=message):
        train.train(None, path, tmp_path / "model", train.Options(**options))
    assert not (tmp_path / "model").exists()


def test_a_loss_that_is_no_number_ends_the_training():
    class Diverging:
        def step(self, batch):
            return math.nan

    with pytest.raises(headrace.InvalidArgument, match="learning_rate=1 is too high"):
        train._fit(Diverging(), rows([3, 4]), np.array([0, 1], np.int32), 3, train.Options(learning_rate=1), Letters())


def test_every_option_is_in_the_help(capsys):
    with pytest.raises(SystemExit):
        main("headrace.torch", headrace.torch.train_quality, arguments=["train", "--help"])
    text = capsys.readouterr().out
    for name in train.Options.__dataclass_fields__:
        assert name == "progress" or f"--{name.replace('_', '-')}" in text


def write_card(folder, **changes):
    card = {"labels": ["0", "1"], "positive": "1", "training": {"max_length": 8, "vocabulary_size": 9}, **changes}
    (folder / "quality.card.json").write_text(json.dumps(card))
    return folder / "quality.mindir"


def test_what_the_worker_reads_of_a_card(tmp_path):
    assert worker.Card.of(write_card(tmp_path)) == worker.Card(1, 2, 8, 9, tmp_path / "quality.card.json")
    for changes in ({"positive": "2"}, {"training": None}, {"labels": 3}):
        with pytest.raises(headrace.Corrupt, match="no card of a trained model"):
            worker.Card.of(write_card(tmp_path, **changes))
    with pytest.raises(headrace.NotFound, match="no card beside it"):
        worker.Card.of(Path(tmp_path / "other.mindir"))


class Letters:
    """A vocabulary of letters."""

    max_length, pad, mask = 8, 0, 4

    def encode(self, texts):
        return [np.array([2, *(ord(letter) for letter in text[:6]), 3], np.int32) for text in texts]


def test_a_logit_that_is_no_number_is_no_score(tmp_path):
    def logits(ids, mask):
        last = np.array([row[1] for row in ids], np.float32) - ord("a")
        last[last == 3] = np.nan
        return np.stack([np.zeros(len(ids), np.float32), last], 1)

    scorer = worker.TextScorer(logits, worker.Card.of(write_card(tmp_path)), Letters(), batch=2)
    scores = scorer(["a", "bcd", "d", "c"])
    assert scores[[0, 1, 3]] == pytest.approx([1 / (1 + math.exp(-value)) for value in (0, 1, 2)])
    assert math.isnan(scores[2])

    few = worker.TextScorer(lambda ids, mask: logits(ids, mask)[:, :1], worker.Card.of(write_card(tmp_path)), Letters(), batch=2)
    with pytest.raises(headrace.InvalidArgument, match="they do not belong together"):
        few(["a"])
