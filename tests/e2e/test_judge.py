# SPDX-License-Identifier: Apache-2.0
"""Rules in buckets and by language, what a new judging changes, percentiles, and what a sample foretells."""

import json
import random
import signal
import subprocess
import time

import numpy as np
import pyarrow.parquet as pq
from small_corpus import CHINESE, ENGLISH, RULES, digest, recipe, write_corpus


def plain(corpus, **judge):
    """Verdicts only."""
    return recipe(corpus, judge=judge, tokenize=None, pack=None, shards=None, dedup=None)


def write_texts(path, texts):
    path.write_text("".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts), encoding="utf-8")


def kept_texts(headrace, tmp_path, texts, judge):
    write_texts(tmp_path / "in.jsonl", texts)
    (tmp_path / "recipe.yaml").write_text(json.dumps({
        "sources": [{"domain": "web", "paths": [f"{tmp_path}/in.jsonl"]}], "normalize": [], "judge": judge}), encoding="utf-8")
    books = headrace.json("run", tmp_path / "recipe.yaml", "--output", tmp_path / "run", "-q")["books"]
    assert books["balanced"]
    return [record["text"] for record in headrace.lines("cat", tmp_path / "run", "--kept")], books["dropped"]


def test_buckets_replace_rules_for_short_texts(headrace, tmp_path):
    texts = ["a" * 5 + "1" * 5, "a" * 50 + "1" * 50, "a" * 500]
    judge = {"rules": {"digit_share": {"max": 0.1}},
             "buckets": [{"when": {"code_points": {"max": 10}}, "rules": {"digit_share": {"max": 0.5}}}]}
    kept, dropped = kept_texts(headrace, tmp_path, texts, judge)
    assert kept == [texts[0], texts[2]] and dropped == {"digit_share_above_max": 1}


def test_null_drops_only_where_it_is_asked_for(headrace, tmp_path):
    texts = ["short", "a text of ten and more"]  # the first has no ten code points to repeat
    for null, expected in (("keep", texts), ("drop", texts[1:])):
        (tmp_path / null).mkdir()
        kept, dropped = kept_texts(headrace, tmp_path / null, texts, {"rules": {"dup_10gram_coverage": {"max": 0.5, "null": null}}})
        assert kept == expected and dropped == ({"dup_10gram_coverage_null": 1} if null == "drop" else {})


def test_languages_have_their_own_rules(headrace, tmp_path):
    texts = [CHINESE * 2, ENGLISH * 2, CHINESE, ENGLISH]
    judge = {"languages": {"zh": {"rules": {"code_points": {"min": 60}}}, "en": {"rules": {"code_points": {"min": 150}}}}}
    kept, dropped = kept_texts(headrace, tmp_path, texts, judge)
    assert kept == [text for text in texts if len(text) >= (60 if text.startswith(CHINESE) else 150)]
    assert dropped == {"code_points_below_min": 2}


def test_explain_tells_each_rule_with_its_value_bound_and_place(headrace, tmp_path):
    texts = ["在线av，百家乐开户送彩金 2024", "1" * 30 + "a" * 70, "Free PORN: online\ncasino! free porn", "x" * 50, "好" * 100]
    judge = {"rules": {"digit_share": {"max": 0.1}, "flagged_words": {"max": 0}},
             "languages": {"zh": {"rules": {"digit_share": {"max": 0.2}}}},
             "buckets": [{"when": {"code_points": {"max": 60}}, "rules": {"code_points": {"min": 55}}}],
             "domains": {"web": {"rules": {"distinct_word_share": {"min": 0.9}}}}}
    kept_texts(headrace, tmp_path, texts, judge)
    stories = {r["text"]: headrace.json("explain", tmp_path / "run", r["id"])
               for r in headrace.lines("cat", tmp_path / "run", "--dropped")}
    rules = {text: {rule["reason"]: rule for rule in story["broken"]} for text, story in stories.items()}
    for text, story in stories.items():
        assert [rule["reason"] for rule in story["broken"]] == story["reasons"], text

    digits = rules[texts[1]]["digit_share_above_max"]
    assert digits == {"reason": "digit_share_above_max", "measure": "digit_share", "value": 0.3, "bound": "max 0.1",
                      "scope": None, "place": "judge.rules", "preset": None}
    short = rules[texts[3]]["code_points_below_min"]
    assert (short["value"], short["bound"], short["scope"], short["place"]) == \
        (50, "min 55", "code_points ≤ 60", "judge.buckets[0].rules")
    assert rules[texts[4]]["distinct_word_share_below_min"]["place"] == "judge.domains.web.rules"
    chinese = rules[texts[0]]["digit_share_above_max"]
    assert (chinese["bound"], chinese["scope"], chinese["place"]) == ("max 0.2", "language zh", "judge.languages.zh.rules")
    assert rules[texts[2]]["flagged_words_above_max"]["words"] == ["Free PORN", "online\ncasino", "free porn"]
    assert "words" not in digits and "百家乐" in rules[texts[0]]["flagged_words_above_max"]["words"]
    id = next(story["id"] for text, story in stories.items() if text == texts[2])
    shown = headrace("explain", tmp_path / "run", id)[0]
    assert "rules that it breaks" in shown and "max 0   judge.rules" in shown and "online\\ncasino" in shown

    (tmp_path / "preset.yaml").write_text((tmp_path / "recipe.yaml").read_text().replace(
        json.dumps(judge), json.dumps({"languages": {"zh": {"preset": "zh-web"}}})))
    headrace("judge", tmp_path / "run", "--recipe", tmp_path / "preset.yaml")
    repeated = next(r for r in headrace.lines("cat", tmp_path / "run", "--dropped") if r["text"] == texts[4])
    rule = next(rule for rule in headrace.json("explain", tmp_path / "run", repeated["id"])["broken"]
                if rule["measure"] == "dup_10gram_coverage")
    assert (rule["bound"], rule["scope"], rule["place"], rule["preset"]) == \
        ("max 0.7", "language zh, code_points ≤ 1000", "judge.languages.zh.rules", "zh-web, bucket 1")


def test_a_judging_that_stops_leaves_the_old_verdicts(headrace, long_walk, tmp_path):
    """The disk is full (a limit on the size of files is the same error), Ctrl-C at any time, a kill."""
    low, high, run = tmp_path / "low.yaml", tmp_path / "high.yaml", tmp_path / "run"
    low.write_text(plain(long_walk[1], rules={"code_points": {"min": 50}}))
    high.write_text(plain(long_walk[1], rules={"code_points": {"min": 400}}))
    headrace("run", low, "--output", run, "-q")
    before, books = digest(run), headrace.json("books", run)
    command = f"ulimit -f 2; exec {headrace.path} judge {run} --recipe {high}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
    assert done.returncode == 3, done.stderr
    assert digest(run) == before and headrace.json("books", run) == books
    assert headrace.json("judge", run, "--recipe", high)["newly_dropped"] > 0
    after = digest(run)
    assert after != before and not (run / "judge.before").exists()
    headrace("judge", run, "--recipe", low, "-q")
    before = digest(run)  # run.json names no later stage any more

    stopped = 0
    for delay in range(0, 400, 20):
        process = subprocess.Popen([headrace.path, "judge", run, "--recipe", high, "--json"], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        time.sleep(delay / 1000)
        process.send_signal(signal.SIGKILL if delay % 40 else signal.SIGINT)
        asked = time.monotonic()
        process.communicate()
        assert time.monotonic() - asked < 10  # a loaded machine; no part takes that long
        if process.returncode == -signal.SIGKILL:
            headrace("judge", run, "-q")  # puts back what lay aside
        else:
            assert process.returncode in (0, 130, -signal.SIGINT)  # the last before it listens
        # The next run removes what a killed process was writing.
        found = {path: hash for path, hash in digest(run).items() if ".tmp-" not in path}
        done = process.returncode == 0 or (process.returncode == -signal.SIGKILL and found == after)
        assert found == (after if done else before), (delay, process.returncode)
        if done:
            headrace("judge", run, "--recipe", low, "-q")
        stopped += not done
    assert stopped > 0


def test_judge_says_what_changed_both_ways(headrace, walk, tmp_path):
    low, high = tmp_path / "low.yaml", tmp_path / "high.yaml"
    low.write_text(plain(walk[1], rules={"code_points": {"min": 50}, "special_symbol_share": {"max": 0.3}}))
    high.write_text(plain(walk[1], rules={"code_points": {"min": 400}}))
    headrace("run", low, "--output", tmp_path / "run", "-q")
    before = {r["id"]: r for r in headrace.lines("cat", tmp_path / "run", "--dropped") if r["reason"] != "text_missing"}
    result = headrace.json("judge", tmp_path / "run", "--recipe", high, "--examples", 1000)
    after = {r["id"]: r for r in headrace.lines("cat", tmp_path / "run", "--dropped") if r["reason"] != "text_missing"}

    # Every document that changed sides is there, with what cat says of it before and after.
    newly_kept = {change["id"]: change for change in result["examples"]["newly_kept"]}
    newly_dropped = {change["id"]: change for change in result["examples"]["newly_dropped"]}
    assert set(newly_kept) == set(before) - set(after) and len(newly_kept) == result["newly_kept"] > 0
    assert set(newly_dropped) == set(after) - set(before) and len(newly_dropped) == result["newly_dropped"] > 0
    for id, change in newly_kept.items():
        assert (change["reason_before"], change["reason_after"]) == (before[id]["reason"], None)
        assert abs(change["value_before"] - before[id]["value"]) < 1e-5 and change["value_after"] is None
        assert change["text"] == before[id]["text"][:200]
    for id, change in newly_dropped.items():
        assert (change["reason_before"], change["reason_after"]) == (None, after[id]["reason"])
        assert change["value_after"] == after[id]["value"] and change["domain"] == after[id]["domain"]
    counts = {row["reason"]: (row["before"], row["after"]) for row in result["reasons"]}
    for reason in {r["reason"] for r in [*before.values(), *after.values()]}:
        assert counts[reason] == (sum(r["reason"] == reason for r in before.values()),
                                  sum(r["reason"] == reason for r in after.values()))

    again = headrace.json("judge", tmp_path / "run", "--recipe", low)
    assert len(again["examples"]["newly_kept"]) == 5 and "text" not in again["examples"]["newly_kept"][0]
    shown = headrace("judge", tmp_path / "run", "--recipe", high)[0]
    assert "newly dropped, examples" in shown and "special_symbol_share_above_max" in shown


def test_stats_of_a_run_are_those_of_its_columns(headrace, walk, tmp_path):
    (tmp_path / "plain.yaml").write_text(plain(walk[1]))
    headrace("run", tmp_path / "plain.yaml", "--output", tmp_path / "run", "-q")
    stats = headrace.json("stats", tmp_path / "run")
    table = pq.read_table(tmp_path / "run/measures")
    domains = np.array(["verse" if "verse" in source else "web" for source in
                        [i["path"] for i in json.loads((tmp_path / "run/run.json").read_text())["inputs"]]])
    domain = domains[table["id"].to_numpy() >> np.uint64(40)]
    for measure in ("code_points", "digit_share", "mean_sentence_length"):
        column = table[measure].to_numpy(zero_copy_only=False)
        for name in ("web", "verse"):
            told = stats["measures"][measure][name]
            values = column[(domain == name) & ~np.isnan(column)]
            assert (told["values"], told["nulls"]) == (len(values), int((domain == name).sum()) - len(values))
            assert (told["min"], told["max"]) == (values.min(), values.max())
            for p in (1, 5, 25, 50, 75, 95, 99):
                assert told[f"p{p}"] == np.percentile(values, p)
            suggested = told["suggested"]
            if suggested["max"] is not None:
                assert suggested["max"] >= told["p99"]
                assert suggested["above_max"] == np.sum(values > suggested["max"]) / (domain == name).sum()
    assert stats["documents"] == {name: int((domain == name).sum()) for name in ("web", "verse")}


def test_stats_of_files_need_no_run(headrace, walk, tmp_path):
    (tmp_path / "plain.yaml").write_text(plain(walk[1]))
    headrace("run", tmp_path / "plain.yaml", "--output", tmp_path / "run", "-q")
    of_run = headrace.json("stats", tmp_path / "run")["measures"]
    pattern = f"{walk[1]}/web/*.jsonl"
    before = digest(walk[1])
    for threads in (1, 3):
        of_files = headrace.json("stats", pattern, "--threads", threads, cwd=tmp_path)
        assert {m: domains[pattern] for m, domains in of_files["measures"].items()} == \
            {m: domains["web"] for m, domains in of_run.items()}
    assert of_files["rejected"] > 0 and of_files["percentiles_from"] is None
    part = headrace.json("stats", pattern, "--sample", "30%")
    assert 0.15 < part["documents"][pattern] / of_files["documents"][pattern] < 0.45
    assert digest(walk[1]) == before
    assert "--sample is for files" in headrace("stats", tmp_path / "run", "--sample", "1%", exit_code=2)[1]
    headrace("stats", tmp_path / "nothing.jsonl", exit_code=3)
    assert "--text is for files" in headrace("stats", tmp_path / "run", "--text", "body", exit_code=2)[1]
    assert "is a run: its measures are shown alone" in headrace("stats", tmp_path / "run", pattern, exit_code=2)[1]
    nothing = headrace("stats", pattern, tmp_path / "nothing.jsonl", exit_code=3)[1]
    assert "nothing.jsonl' (argument 2)" in nothing and "recipe" not in nothing
    (tmp_path / "field.jsonl").write_text('{"body": "x"}\n')
    assert "they have body: name the field of the text (argument 1)" in headrace("stats", tmp_path / "field.jsonl", exit_code=2)[1]


def test_stats_show_one_table_of_all_domains(headrace, walk, tmp_path):
    (tmp_path / "plain.yaml").write_text(plain(walk[1]))
    headrace("run", tmp_path / "plain.yaml", "--output", tmp_path / "run", "-q")
    shown = headrace("stats", tmp_path / "run")[0]
    table = pq.read_table(tmp_path / "run/measures")
    lines = {line.split()[0]: line.split() for line in shown.splitlines() if line.startswith("  ") and len(line.split()) > 5}
    for measure in ("code_points", "digit_share"):
        values = table[measure].to_numpy(zero_copy_only=False)
        expected = [f"{value:.4g}" for value in np.percentile(values, [1, 5, 50, 95, 99])]
        assert lines[measure][1:6] == expected
    assert lines["measure"][1:6] == ["p1", "p5", "p50", "p95", "p99"] and shown.count("suggested min") == 1
    assert "in 2 domains" in shown and "the same from p1 to p99:" in shown and len(shown.splitlines()) < len(table.column_names)
    every = headrace("stats", tmp_path / "run", "--all")[0]
    assert every.count("suggested bounds") == 2 and len(every.splitlines()) > 2 * (len(table.column_names) - 1)
    together = headrace.json("stats", tmp_path / "run")["together"]["digit_share"]
    assert together["p95"] == np.percentile(table["digit_share"].to_numpy(), 95)
    of_files = headrace.json("stats", *(f"{walk[1]}/{name}" for name in ("web/0.jsonl", "web/1.jsonl", "web/2.jsonl")))
    web = headrace.json("stats", f"{walk[1]}/web/*.jsonl")
    assert of_files["together"] == web["together"] == {m: d[f"{walk[1]}/web/*.jsonl"] for m, d in web["measures"].items()}


def test_intervals_of_a_sample_hold_the_full_run(headrace, tmp_path):
    """Ten seeds, each a corpus and a sample of its own. A 95 % interval may miss one time in twenty: of all intervals of all
    seeds at least nine in ten hold, and none misses by more than half its width."""
    held = missed = 0
    for seed in range(10):
        folder = tmp_path / f"seed{seed}"
        folder.mkdir()
        corpus = write_corpus(folder / "raw", documents=3000, seed=seed)
        keys = json.loads(plain(corpus, rules={**RULES, "code_points": {"min": 60, "max": 1500}, "digit_share": {"max": 0.08}}))
        keys["seed"] = seed
        (folder / "recipe.yaml").write_text(json.dumps(keys))
        full = headrace.json("run", folder / "recipe.yaml", "--output", folder / "full", "-q")["books"]
        said = headrace.json("run", folder / "recipe.yaml", "--output", folder / "try", "--sample", "10%", "-q")["projection"]
        assert said["records"] == full["in"] and 0.05 < said["sampled"] / full["in"] < 0.15
        counts = {**full["dropped"], "quarantined": full["quarantined"]}
        known = {row["reason"] for row in said["reasons"]}
        assert {reason for reason, count in counts.items() if count > 0.05 * full["in"]} <= known
        truths = [(row["share"], counts.get(row["reason"], 0) / full["in"]) for row in said["reasons"]]
        truths.append((said["kept_documents"], full["kept"]))
        lengths = [len(r["text"].encode()) for r in headrace.lines("cat", folder / "full", "--kept")]
        truths.append((said["kept_bytes"], sum(lengths)))
        disk = sum(path.stat().st_size for folder_name in ("normalized", "measures", "rejected", "verdict")
                   for path in (folder / "full" / folder_name).glob("*"))
        assert said["disk_bytes"]["low"] <= disk <= said["disk_bytes"]["high"], (seed, disk, said["disk_bytes"])
        files = sum(path.stat().st_size for folder_name in ("normalized", "measures", "rejected", "verdict")
                    for path in (folder / "try" / folder_name).glob("*"))
        assert said["disk_bytes"]["value"] < 0.9 * files * said["records"] / said["sampled"]  # footers do not grow
        for interval, truth in truths:
            assert interval["low"] <= interval["value"] <= interval["high"]
            inside = interval["low"] <= truth <= interval["high"]
            held, missed = held + inside, missed + (not inside)
            slack = (interval["high"] - interval["low"]) / 2
            assert interval["low"] - slack <= truth <= interval["high"] + slack, (seed, interval, truth)
        for key in ("disk_bytes", "seconds"):
            assert 0 < said[key]["low"] <= said[key]["value"] <= said[key]["high"], key
        assert said["tokens"] is None
        page = (folder / "try/report/index.html").read_text(encoding="utf-8")
        assert "id=\"projection\"" in page and f"{said['sampled']:,} of {said['records']:,} records" in page
        assert "id=\"projection\"" not in (folder / "full/report/index.html").read_text(encoding="utf-8")
    print(f"{held} of {held + missed} intervals hold")
    assert held >= 9 * missed and held > 50


def test_a_sample_does_not_foretell_duplicates(headrace, tmp_path):
    rng = random.Random(3)
    texts = ["".join(rng.choices(CHINESE, k=60)) for _ in range(500)]
    write_texts(tmp_path / "in.jsonl", texts + texts)
    (tmp_path / "recipe.yaml").write_text(json.dumps({
        "sources": [{"domain": "web", "paths": [f"{tmp_path}/in.jsonl"]}], "dedup": {"exact": True}}))
    said = headrace.json("run", tmp_path / "recipe.yaml", "--output", tmp_path / "try", "--sample", "30%", "-q")["projection"]
    duplicates = [row for row in said["reasons"] if row["reason"] == "exact_duplicate"]
    assert len(duplicates) == 1 and duplicates[0]["share"] is None
    assert said["kept_documents"]["high"] == 1000
    shown = headrace("run", tmp_path / "recipe.yaml", "--output", tmp_path / "other", "--sample", "30%")[0]
    assert "a sample does not see the pairs" in shown
