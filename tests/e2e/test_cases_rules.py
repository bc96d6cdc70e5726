# SPDX-License-Identifier: Apache-2.0
"""Known failures of other tools with rules on text (cases B015 to B024), each as its files say, whole runs.

B021 (language of short text) waits for a language score.
"""

import json
import math

import pytest


@pytest.fixture
def case(data):
    """(records by id, expected) of a case."""
    def load(name):
        folder = data.parent / "cases" / name
        lines = (folder / "in.jsonl").read_text(encoding="utf-8").splitlines()
        records = {record["id"]: record for record in map(json.loads, lines)}
        return folder / "in.jsonl", records, json.loads((folder / "expected.json").read_text(encoding="utf-8"))
    return load


@pytest.fixture
def judged(headrace, tmp_path):
    """Runs a judge section over a file; what became of each id: {id: reason, "" = kept}, and measures by id."""
    def run(path, rules, text="text", **judge):
        number = len(list(tmp_path.iterdir()))
        recipe, out = tmp_path / f"{number}.yaml", tmp_path / f"run{number}"
        recipe.write_text(json.dumps({"sources": [{"domain": "case", "paths": [str(path)], "text": text}],
                                      "judge": {"rules": rules, **judge}}), encoding="utf-8")
        books = headrace.json("run", recipe, "--output", out, "-q")["books"]
        assert books["balanced"]
        verdicts, measures = {}, {}
        for what in ("--kept", "--dropped", "--quarantined"):
            for record in headrace.lines("cat", out, what):
                story = headrace.json("explain", out, record["id"])
                name = record["meta"]["id"] if "meta" in record else json.loads(record["text"])["id"]
                verdicts[name] = record["reason"] or ""
                measures[name] = story["measures"]
        assert len(verdicts) == books["in"]
        return verdicts, measures
    return run


def kept(verdicts):
    return {name for name, reason in verdicts.items() if reason == ""}


def test_b015_letters_are_letters_of_any_script(case, judged):
    path, _, expected = case("B015")
    verdicts, measures = judged(path, {"alphabetic_word_share": {"min": 0.8}, "words": {"min": 1}})
    assert kept(verdicts) == set(expected["keep"])
    assert measures["zh"]["alphabetic_word_share"] == measures["en"]["alphabetic_word_share"] == 1
    assert verdicts["digits"] == verdicts["mixed"] == "alphabetic_word_share_below_min"
    # Punctuation makes no word: the share is null, and the rule for texts without words takes it.
    assert measures["punct"]["alphabetic_word_share"] is None and verdicts["punct"] == "words_below_min"


def test_b016_blank_lines_are_no_duplicates(case, judged):
    path, _, expected = case("B016")
    verdicts, measures = judged(path, {"repeated_line_share": {"max": 0.3}, "code_points": {"min": 1}})
    assert kept(verdicts) == set(expected["keep"])
    for name in ("airy", "spam", "crlf"):
        assert measures[name]["repeated_line_share"] == expected["share"][name]
    assert verdicts["spam"] == "repeated_line_share_above_max" and verdicts["blankonly"] != verdicts["spam"]


def test_b017_no_words_at_all(case, judged):
    path, records, expected = case("B017")
    verdicts, measures = judged(path, {"alphabetic_word_share": {"min": 0.8}, "stop_word_share": {"min": 0.01, "null": "keep"},
                                       "dup_10gram_coverage": {"max": 0.5}, "repeated_line_share": {"max": 0.5}})
    assert len(verdicts) == len(records) == expected["records_accounted_for"]
    for name, values in measures.items():
        assert all(value is None or math.isfinite(value) for value in values.values()), name
    for name in ("e2", "e4", "e7"):  # no word: no rule applies
        assert measures[name]["alphabetic_word_share"] is None and verdicts[name] == ""


def test_b019_chinese_has_no_blanks(case, judged):
    path, _, expected = case("B019")
    verdicts, _ = judged(path, {"words": {"min": 20}})
    assert kept(verdicts) == set(expected["min_words_20"]["keep"])
    verdicts, _ = judged(path, {"stop_word_share": {"min": 0.01}})
    rule = expected["min_stopword_share_0.01"]
    assert set(rule["keep"]) <= kept(verdicts) and not set(rule["drop"]) & kept(verdicts)
    assert verdicts["zhkw"] == "stop_word_share_below_min"


def test_b020_chinese_end_marks_end_lines(case, judged):
    path, _, expected = case("B020")
    verdicts, measures = judged(path, {"end_mark_line_share": {"min": 0.5}})
    assert kept(verdicts) == set(expected["documents_kept"])
    assert measures["zh"]["end_mark_line_share"] == pytest.approx(len(expected["lines_kept"]["zh"]) / 7)
    assert measures["en"]["end_mark_line_share"] == pytest.approx(len(expected["lines_kept"]["en"]) / 6)
    # The line rule of C4 is another column: it counts words and the ellipsis as well.
    assert measures["en"]["c4_line_share"] < measures["en"]["end_mark_line_share"]


def test_b022_no_step_folds_chinese_punctuation_unasked(case, headrace, tmp_path):
    path, _, expected = case("B022")
    for form, key in (("nfc", "default(NFC)"), ("nfkc", "NFKC(only when asked)")):
        (tmp_path / f"{form}.yaml").write_text(json.dumps({
            "sources": [{"domain": "case", "paths": [str(path)]}], "normalize": [{"unicode_form": {"form": form}}]}))
        headrace("run", tmp_path / f"{form}.yaml", "--output", tmp_path / form, "-q")
        assert [r["text"] for r in headrace.lines("cat", tmp_path / form, "--kept")] == expected[key]


def test_b024_words_are_those_of_the_field_that_was_asked_for(case, judged):
    path, records, expected = case("B024")
    counts, keep = {}, set(records)
    for field in ("title", "text"):
        verdicts, measures = judged(path, {"words": {"min": 3}}, text=field)
        counts[field] = {name: values["words"] for name, values in measures.items()}
        keep &= kept(verdicts)
    assert counts == {"title": expected["title_words"], "text": expected["text_words"]}
    assert keep == set(expected["keep"])
