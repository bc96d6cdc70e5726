# SPDX-License-Identifier: Apache-2.0
"""The section leak: held-out items in disguise are found, dropped, counted or cut out; nobody is told "0" and nothing else."""

import json
import random
import signal
import subprocess
import time

import pyarrow.parquet as pq
import pytest
from leaky_corpus import make_items, wide, write_items, write_leaky
from small_corpus import TINY_TOKENIZER, digest


@pytest.fixture
def items():
    return make_items()


def write_recipe(path, corpus, leak, rules=None, **changes):
    keys = {
        "seed": 7,
        "sources": [{"domain": d, "paths": [f"{corpus}/{d}.jsonl"]} for d in ("web", "book")],
        "normalize": ["whitespace"],
        "judge": {"rules": {"code_points": {"min": 20}} if rules is None else rules},
        "leak": leak,
        "dedup": {"exact": True},
        **changes,
    }
    path.write_text(json.dumps({key: value for key, value in keys.items() if value is not None}), encoding="utf-8")
    return path


def run_books(headrace, recipe, run, *arguments):
    books = headrace.json("run", recipe, "--output", run, "-q", *arguments)["books"]
    assert books["balanced"]
    return books


def numbers(records):
    return {record["meta"]["n"] for record in records}


def read_parts(folder):
    return [row for path in sorted(folder.glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def hits_of(run):
    return pq.read_table(run / "leak/hits").to_pylist()


@pytest.fixture
def leaky(tmp_path, items):
    """(corpus, file of items, {n: (disguise, item)})"""
    planted = write_leaky(tmp_path / "raw", items)
    return tmp_path / "raw", write_items(tmp_path / "eval/exam.jsonl", items), planted


def test_items_in_disguise_are_found_and_nothing_else(headrace, tmp_path, leaky):
    corpus, exam, planted = leaky
    recipe = write_recipe(tmp_path / "r.yaml", corpus, {"against": [str(exam)]})
    books = run_books(headrace, recipe, tmp_path / "run")
    dropped = headrace.lines("cat", tmp_path / "run", "--dropped=leak")
    assert numbers(dropped) == set(planted)
    assert len({name for name, _ in planted.values()}) == 6
    assert not numbers(headrace.lines("cat", tmp_path / "run")) & set(planted)
    for record in dropped:
        assert planted[record["meta"]["n"]][1] in record["detail"] and 0 < record["value"] <= 1
    leak = books["leak"]
    assert leak["items"] == 24 and leak["found"] == len(planted) and leak["reference_documents"] == 0  # of so few documents none is common
    n = len(planted)
    assert leak["sets"] == [{"set": "exam", "items": 24, "documents": n, "drop": n, "flag": 0, "report_only": False}]
    stages = {stage["stage"]: stage for stage in books["stages"]}
    assert list(stages) == ["read", "judge", "leak", "dedup"]
    assert stages["leak"]["dropped"] == {"leak": len(planted)} and stages["leak"]["in"] == leak["documents"] == stages["judge"]["out"]
    text = headrace("books", tmp_path / "run")[0]
    assert f"24 items looked for in {leak['documents']} documents: {len(planted)} documents hold one" in text
    assert f"in {leak['documents']} documents" in (tmp_path / "run/report/index.html").read_text(encoding="utf-8")
    assert headrace.json("verify", tmp_path / "run")["ok"]

    # The evidence: what stands at the place of the hit is what the item says.
    texts = {record["id"]: record["text"].encode() for record in dropped}
    for record in dropped:
        story = headrace.json("explain", tmp_path / "run", record["id"])
        (hit,) = story["leaks"]
        assert (hit["set"], hit["item"], hit["verdict"]) == ("exam", planted[record["meta"]["n"]][1], "drop")
        assert story["reasons"] == ["leak"] and texts[record["id"]][hit["begin"]:hit["end"]].decode().startswith(hit["excerpt"][:20])
    assert "held-out items" in headrace("explain", tmp_path / "run", dropped[0]["id"])[0]
    kept = headrace.lines("cat", tmp_path / "run", "--limit", 1)[0]
    assert headrace.json("explain", tmp_path / "run", kept["id"])["leaks"] == []
    assert "looked for, none found" in headrace("explain", tmp_path / "run", kept["id"])[0]
    short = headrace.lines("cat", tmp_path / "run", "--dropped=code_points_below_min")[0]
    assert "leaks" not in headrace.json("explain", tmp_path / "run", short["id"])  # nobody looked


def test_pieces_are_what_item_and_document_share(headrace, tmp_path, leaky, items):
    corpus, exam, _ = leaky
    run_books(headrace, write_recipe(tmp_path / "r.yaml", corpus, {"against": [str(exam)]}), tmp_path / "run")
    texts = {row["id"]: row["text"].encode() for row in pq.read_table(tmp_path / "run/normalized").to_pylist()}
    by_id = {item["id"]: item for item in items}
    hits = hits_of(tmp_path / "run")
    assert hits
    for hit in hits:
        assert hit["remove_begin"] <= hit["begin"] < hit["end"] <= hit["remove_end"] <= len(texts[hit["id"]])
        spans = [tuple(map(int, piece.split("-"))) for piece in hit["pieces"].split()]
        assert spans == sorted(spans) and spans[0][0] == hit["begin"] and spans[-1][1] == hit["end"]
        for begin, end in spans:
            texts[hit["id"]][begin:end].decode()  # on borders of characters
        for piece in hit["item_pieces"].split():
            part, number, place = piece.split(":")
            begin, end = map(int, place.split("-"))
            item = by_id[hit["item"]]
            answer = item["options"]["ABCD".index(item["answer"])]
            text = {"question": item["question"], "options": item["options"][int(number) % 4], "answer": answer}[part]
            assert begin < end and text.encode()[begin:end].decode()


def test_flag_and_report_only_touch_nothing(headrace, tmp_path, leaky, items):
    corpus, exam, planted = leaky
    flag = write_recipe(tmp_path / "flag.yaml", corpus, {"against": [str(exam)], "verdict": "flag"})
    books = run_books(headrace, flag, tmp_path / "flag")
    assert "leak" not in books["dropped"] and books["leak"]["sets"][0]["drop"] == len(planted)
    half = [item["id"] for item in items[:12]]
    write_items(tmp_path / "eval/a.jsonl", items[:12])
    write_items(tmp_path / "eval/b.jsonl", items[12:])
    sets = [{"name": "first", "paths": [str(tmp_path / "eval/a.jsonl")], "report_only": True}, str(tmp_path / "eval/b.jsonl")]
    books = run_books(headrace, write_recipe(tmp_path / "own.yaml", corpus, {"against": sets}), tmp_path / "own")
    of_first = {n for n, (_, item) in planted.items() if item in half}
    one, two = len(of_first), len(planted) - len(of_first)
    assert books["leak"]["sets"] == [
        {"set": "b", "items": 12, "documents": two, "drop": two, "flag": 0, "report_only": False},
        {"set": "first", "items": 12, "documents": one, "drop": one, "flag": 0, "report_only": True}]
    assert numbers(headrace.lines("cat", tmp_path / "own", "--dropped=leak")) == set(planted) - of_first


def test_fields_are_told_by_the_recipe(headrace, tmp_path, leaky, items):
    corpus, _, planted = leaky
    strange = [{"q": {"stem": item["question"]}, "a": item["options"][0], "b": item["options"][1], "c": item["options"][2],
                "d": item["options"][3], "nr": item["id"]} for item in items]
    path = write_items(tmp_path / "eval/strange.jsonl", strange)
    spec = {"name": "s", "paths": [str(path)], "id": "nr", "question": "q.stem", "options": ["a", "b", "c", "d"]}
    run_books(headrace, write_recipe(tmp_path / "r.yaml", corpus, {"against": [spec]}), tmp_path / "run")
    found = {(row["id"], row["item"]) for row in hits_of(tmp_path / "run")}
    assert len(found) == len(planted) and {item for _, item in found} == {item for _, item in planted.values()}


def test_nothing_found_says_what_was_looked_for(headrace, tmp_path, leaky):
    corpus, _, _ = leaky
    other = write_items(tmp_path / "eval/other.jsonl", make_items(seed=99))
    recipe = write_recipe(tmp_path / "r.yaml", corpus, {"against": [str(other)]})
    books = run_books(headrace, recipe, tmp_path / "run")
    assert books["leak"]["found"] == 0 and books["leak"]["items"] == 24 and books["leak"]["documents"] > 200
    text = headrace("run", recipe, "--output", tmp_path / "run", "-q")[0]
    assert f"24 items looked for in {books['leak']['documents']} documents: 0 documents hold one" in text


@pytest.mark.parametrize(("leak", "message"), [
    ({"against": ["NO/*.jsonl"]}, "no file matches"),
    ({"against": ["EMPTY"]}, "empty.jsonl"),
    ({"against": ["BROKEN"]}, "broken.jsonl"),
    ({"against": ["UNKNOWN"]}, "unknown.jsonl"),
    ({"against": ["EXAM"], "verdct": "drop"}, "did you mean 'verdict'?"),
    ({"against": ["EXAM"], "verdict": "remove"}, "'leak.verdict' cannot be 'remove'"),
    ({}, "'leak.against' is needed"),
])
def test_faults_are_told_before_anything_runs(headrace, tmp_path, leaky, leak, message):
    corpus, exam, _ = leaky
    folder = exam.parent
    (folder / "empty.jsonl").write_text("")
    (folder / "broken.jsonl").write_text('{"question": "a b c d e f g h"}\n{"question": \n')
    (folder / "unknown.jsonl").write_text('{"tree": 1, "leaf": [2, 3]}\n')
    text = json.dumps(leak).replace('"NO/', f'"{folder}/none/')
    for word in ("EXAM", "EMPTY", "BROKEN", "UNKNOWN"):
        text = text.replace(f'"{word}"', json.dumps(str(folder / f"{word.lower()}.jsonl")))
    recipe = write_recipe(tmp_path / "r.yaml", corpus, json.loads(text))
    for options in (["--dry-run"], []):
        done = subprocess.run([headrace.path, "run", recipe, "--output", tmp_path / "run", "-q", *options],
                              capture_output=True, text=True, check=False)
        assert done.returncode in (2, 3) and message in done.stderr, done.stderr
        assert "r.yaml:1" in done.stderr and not (tmp_path / "run").exists()


def test_judge_looks_only_through_what_newly_passes(headrace, tmp_path, leaky):
    """Whatever recipes a run has seen, its verdicts and finds are those of a fresh run by the last one."""
    corpus, exam, _ = leaky
    leak = {"against": [str(exam)]}
    tight = write_recipe(tmp_path / "tight.yaml", corpus, leak, {"code_points": {"min": 400}})
    wide_open = write_recipe(tmp_path / "wide.yaml", corpus, leak)
    first = run_books(headrace, tight, tmp_path / "run")["leak"]["documents"]
    result = headrace.json("judge", tmp_path / "run", "--recipe", wide_open)
    second = run_books(headrace, wide_open, tmp_path / "fresh")["leak"]["documents"]
    assert result["newly_scanned"] == second - first > 0
    for folder in ("leak", "verdict", "tasks/leak", "tasks/verdict"):
        assert digest(tmp_path / "run" / folder) == digest(tmp_path / "fresh" / folder), folder
    # Another verdict looks nothing through again.
    flag = write_recipe(tmp_path / "flag.yaml", corpus, leak | {"verdict": "flag"})
    result = headrace.json("judge", tmp_path / "run", "--recipe", flag)
    assert result["newly_scanned"] == 0 and result["newly_kept"] > 0
    assert headrace.json("judge", tmp_path / "run", "--recipe", tight)["newly_scanned"] == 0
    assert headrace.json("books", tmp_path / "run")["leak"]["documents"] == first


def test_other_items_begin_anew(headrace, tmp_path, leaky, items):
    corpus, exam, planted = leaky
    recipe = write_recipe(tmp_path / "r.yaml", corpus, {"against": [str(exam)]})
    run_books(headrace, recipe, tmp_path / "run")
    write_items(exam, items[:12])
    books = run_books(headrace, recipe, tmp_path / "run")
    assert books["leak"]["items"] == 12 and 0 < books["dropped"]["leak"] < len(planted)
    run_books(headrace, recipe, tmp_path / "fresh")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")


def test_a_section_that_is_gone_leaves_nothing(headrace, tmp_path, leaky):
    corpus, exam, _ = leaky
    validation = {"mix": {"validation": {"share": 0.1}}}
    run_books(headrace, with_tokens(tmp_path / "r.yaml", corpus, {"against": [str(exam)]}, **validation), tmp_path / "run")
    plain = with_tokens(tmp_path / "plain.yaml", corpus, None)
    run_books(headrace, plain, tmp_path / "run")
    run_books(headrace, plain, tmp_path / "fresh")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")
    assert headrace.json("verify", tmp_path / "run")["ok"]


def with_tokens(path, corpus, leak, **changes):
    keys = {"tokenize": {"tokenizer": str(TINY_TOKENIZER), "end": "<|endoftext|>"}, "pack": {"length": 64},
            "shards": {"size": "64KiB"}}
    return write_recipe(path, corpus, leak, **(keys | changes))


def test_threads_and_kills_change_nothing(headrace, tmp_path, items):
    exam = write_items(tmp_path / "eval/exam.jsonl", items)
    write_leaky(tmp_path / "raw", items, documents=12000)
    recipe = with_tokens(tmp_path / "r.yaml", tmp_path / "raw", {"against": [str(exam)]}, mix={"validation": {"share": 0.05}})
    start = time.monotonic()
    run_books(headrace, recipe, tmp_path / "one", "--threads", 1)
    seconds = time.monotonic() - start
    run_books(headrace, recipe, tmp_path / "two", "--threads", 2)
    assert digest(tmp_path / "one") == digest(tmp_path / "two")
    assert len(list((tmp_path / "one/leak/hits").iterdir())) > 1
    rng = random.Random(5)
    for _ in range(8):
        process = subprocess.Popen([headrace.path, "run", recipe, "--output", tmp_path / "killed", "-q", "--threads", "2"])
        end = time.monotonic() + seconds
        while (tmp_path / "killed/tasks/documents").exists() is False and process.poll() is None and time.monotonic() < end:
            time.sleep(0.002)
        try:
            process.wait(timeout=rng.uniform(0.01, seconds / 2))
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        for stage in ("leak", "split", "validation", "shards"):
            for commit in (tmp_path / "killed/tasks" / stage).rglob("*.json"):
                if rng.random() < 0.5:
                    commit.unlink()
    run_books(headrace, recipe, tmp_path / "killed")
    assert digest(tmp_path / "killed") == digest(tmp_path / "one")


def test_a_damaged_file_is_made_again(headrace, tmp_path, leaky):
    corpus, exam, _ = leaky
    recipe = with_tokens(tmp_path / "r.yaml", corpus, {"against": [str(exam)]}, mix={"validation": {"share": 0.1}})
    run_books(headrace, recipe, tmp_path / "run")
    whole = digest(tmp_path / "run")
    for name in ("leak/index.bin", "leak/hits/part-00000.parquet", "leak/documents/part-00000.parquet", "split/index.bin",
                 "split/part-00000.parquet", "split/leaks/part-00000.parquet"):
        path = tmp_path / "run" / name
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
        broken = headrace.json("verify", tmp_path / "run", exit_code=1)["broken"]
        assert [one["shard"] for one in broken] == [name]
        run_books(headrace, recipe, tmp_path / "run")
        assert digest(tmp_path / "run") == whole, name


def test_a_copy_of_a_leaked_document_does_not_survive_for_it(headrace, tmp_path, items):
    """Leaks come before duplicates, and a document that is dropped for one takes no clean document with it."""
    exam = write_items(tmp_path / "eval/exam.jsonl", items)
    corpus = tmp_path / "raw"
    write_leaky(corpus, items, documents=100)
    with open(corpus / "web.jsonl", "a", encoding="utf-8") as file:
        for text in (items[0]["question"], wide(items[0]["question"])):  # equal in the view of dedup
            file.write(json.dumps({"text": text, "n": -1}, ensure_ascii=False) + "\n")
    run_books(headrace, write_recipe(tmp_path / "r.yaml", corpus, {"against": [str(exam)]}), tmp_path / "run")
    assert sum(record["meta"]["n"] == -1 for record in headrace.lines("cat", tmp_path / "run", "--dropped=leak")) == 2


def test_a_domain_may_lift_the_check(headrace, tmp_path, leaky):
    corpus, exam, planted = leaky
    judge = {"rules": {"code_points": {"min": 20}}, "domains": {"book": {"rules": {"leak": {}}}}}
    run_books(headrace, write_recipe(tmp_path / "r.yaml", corpus, {"against": [str(exam)]}, judge=judge), tmp_path / "run")
    assert {record["domain"] for record in headrace.lines("cat", tmp_path / "run", "--dropped=leak")} == {"web"}
    assert numbers(headrace.lines("cat", tmp_path / "run")) & set(planted)


def test_remove_span_takes_the_item_and_nothing_else(headrace, tmp_path, leaky, items):
    corpus, exam, planted = leaky
    leak = {"against": [str(exam)], "verdict": "remove_span"}
    books = run_books(headrace, with_tokens(tmp_path / "cut.yaml", corpus, leak), tmp_path / "cut")
    plain = run_books(headrace, with_tokens(tmp_path / "plain.yaml", corpus, None), tmp_path / "plain")
    assert "leak" not in books["dropped"] and books["kept"] == plain["kept"]
    before = {record["id"]: record["text"] for record in headrace.lines("cat", tmp_path / "plain")}
    by_id = {item["id"]: item for item in items}
    tokens = [{row["id"]: row["tokens"] for row in read_parts(tmp_path / name / "tokens")} for name in ("cut", "plain")]
    for record in headrace.lines("cat", tmp_path / "cut"):
        n = record["meta"]["n"]
        file, offset = map(int, record["id"].split(":"))
        cut, whole = (counts[file << 40 | offset] for counts in tokens)
        if n not in planted:
            assert record["text"] == before[record["id"]] and cut == whole
            continue
        assert cut < whole and len(record["text"]) < len(before[record["id"]])
        if planted[n][0] == "verbatim":
            assert by_id[planted[n][1]]["question"] not in record["text"]
    # What is cut out is not found again.
    (tmp_path / "again").mkdir()
    kept = headrace.lines("cat", tmp_path / "cut")
    for domain in ("web", "book"):
        texts = [json.dumps({"text": record["text"]}) + "\n" for record in kept if record["domain"] == domain]
        (tmp_path / f"again/{domain}.jsonl").write_text("".join(texts))
    again = run_books(headrace, write_recipe(tmp_path / "again.yaml", tmp_path / "again", {"against": [str(exam)]}), tmp_path / "twice")
    assert again["leak"]["sets"][0]["drop"] == 0 < again["leak"]["documents"]


def test_b032_a_check_that_finds_nothing_did_not_run(headrace, tmp_path, data):
    case = data.parent / "cases/B032"
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    keys = {"sources": [{"domain": "case", "paths": [str(case / "corpus.jsonl")]}],
            "leak": {"against": [{"name": "case", "paths": [str(case / "benchmark.jsonl")], "id": "id", "question": "text"}]}}
    (tmp_path / "r.yaml").write_text(json.dumps(keys))
    books = run_books(headrace, tmp_path / "r.yaml", tmp_path / "run")
    found = {}
    for record in headrace.lines("cat", tmp_path / "run", "--dropped=leak"):
        found[record["meta"]["id"]] = [leak["item"] for leak in headrace.json("explain", tmp_path / "run", record["id"])["leaks"]]
    assert found == expected["flagged"]
    assert {record["meta"]["id"] for record in headrace.lines("cat", tmp_path / "run")} == set(expected["clean"])
    assert books["leak"]["items"] == 2
    index = (tmp_path / "run/leak/index.bin").read_bytes()
    run_books(headrace, tmp_path / "r.yaml", tmp_path / "run")
    assert (tmp_path / "run/leak/index.bin").read_bytes() == index  # looking changes nothing of what is looked for


def test_b035_whole_questions_are_leaks_and_frames_are_not(headrace, tmp_path, data):
    case = data.parent / "cases/B035"
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    keys = {"sources": [{"domain": "case", "paths": [str(case / "corpus.jsonl")]}],
            "leak": {"against": [{"name": "case", "paths": [str(case / "benchmark.jsonl")], "id": "id", "question": "text"}]}}
    (tmp_path / "r.yaml").write_text(json.dumps(keys))
    run_books(headrace, tmp_path / "r.yaml", tmp_path / "run")
    assert {record["meta"]["id"] for record in headrace.lines("cat", tmp_path / "run", "--dropped=leak")} == set(expected["contaminated"])
    assert {record["meta"]["id"] for record in headrace.lines("cat", tmp_path / "run")} == set(expected["clean"])
