# SPDX-License-Identifier: Apache-2.0
"""Text that stands elsewhere goes from the texts that are kept: lines, paragraphs, stretches; through the command."""

import json
import random
import signal
import subprocess
import time
import unicodedata

import pyarrow.parquet as pq
import pytest
from small_corpus import CHINESE, ENGLISH, TINY_TOKENIZER, digest

LINE = "All rights reserved by the owners of the mill, 本站所有内容版权归磨坊主人所有。"
BLOCK = "第一行属于一个段落，它在别处也出现过。\nThe second line of the paragraph, seen before."


def write_jsonl(path, texts):
    path.write_text("".join(json.dumps({"text": text}, ensure_ascii=False) + "\n" for text in texts), encoding="utf-8")


def write_recipe(path, corpus, dedup, **more):
    keys = {"seed": 3, "sources": [{"domain": "d", "paths": [f"{corpus}/*.jsonl"]}], "normalize": [], "dedup": dedup, **more}
    path.write_text(json.dumps(keys, ensure_ascii=False), encoding="utf-8")
    return path


TOKENS = {"tokenize": {"tokenizer": str(TINY_TOKENIZER), "end": "<|endoftext|>"}, "pack": {"length": 64},
          "shards": {"size": "64KiB"}}


def run(headrace, tmp_path, texts, dedup, **more):
    """(books, texts that are kept) of a corpus of one file."""
    (tmp_path / "raw").mkdir()
    write_jsonl(tmp_path / "raw/a.jsonl", texts)
    recipe = write_recipe(tmp_path / "recipe.yaml", tmp_path / "raw", dedup, **more)
    books = headrace.json("run", recipe, "--output", tmp_path / "run", "-q")["books"]
    assert books["balanced"]
    return books, [record["text"] for record in headrace.lines("cat", tmp_path / "run", "--kept")]


def windows_removed(texts, k):
    """What must stay of each text, by every window of k code points compared with every earlier one."""
    first, rests = {}, []
    for t, text in enumerate(texts):
        gone = [False] * len(text)
        for i in range(len(text) - k + 1):
            place = first.setdefault(text[i:i + k], (t, i))
            if place[0] != t or place[1] + k <= i:
                gone[i:i + k] = [True] * k
        rests.append("".join(c for c, g in zip(text, gone, strict=True) if not g))
    return rests


def test_lines_go_but_short_ones_and_first_ones_stay(headrace, tmp_path):
    texts = [f"甲的开头。\n{LINE}\n}}\n是的\n甲的结尾。", f"乙的开头。\n  {LINE.upper()}\n}}\n是的\n乙的结尾。", f"{LINE}\n丙\n\n{LINE}"]
    books, kept = run(headrace, tmp_path, texts, {"exact": {"level": ["document", "line"]}})
    assert kept == [texts[0], "乙的开头。\n}\n是的\n乙的结尾。", "丙"]
    assert books["removed"] == [{"reason": "duplicate_line", "ranges": 3,
                                 "bytes": len(f"  {LINE.upper()}\n{LINE}\n{LINE}".encode())}]
    assert books["documents_cut"] == 2 and books["dropped"] == {}


def test_paragraphs_go_whole(headrace, tmp_path):
    texts = [f"甲。\n\n{BLOCK}\n\n尾。", f"乙。\n\n{BLOCK}\n\n{BLOCK}", f"{BLOCK}\nand a third line\n\n丙", BLOCK.split("\n")[0] + "\n丁"]
    books, kept = run(headrace, tmp_path, texts, {"exact": {"level": "paragraph", "min_code_points": 20}})
    assert kept == [texts[0], "乙。", texts[2], texts[3]]
    assert [stage["stage"] for stage in books["stages"]] == ["read", "judge", "spans"]


def test_a_document_of_which_nothing_is_left_is_dropped(headrace, tmp_path):
    texts = [f"{LINE}\n{BLOCK}", f"{BLOCK}\n\n{LINE}\n", f"{LINE}\n丙"]
    books, kept = run(headrace, tmp_path, texts, {"exact": {"level": ["line"], "min_code_points": 15}})
    assert kept == [texts[0], "丙"] and books["dropped"] == {"little_left": 1}
    spans = books["stages"][-1]
    assert (spans["stage"], spans["in"], spans["out"], spans["dropped"]) == ("spans", 3, 2, {"little_left": 1})
    [dropped] = headrace.lines("cat", tmp_path / "run", "--dropped=little_left")
    assert dropped["text"] == texts[1]
    story = headrace.json("explain", tmp_path / "run", dropped["id"])
    assert story["verdict"] == "dropped" and story["reasons"] == ["little_left"] and story["text_left"].strip() == ""
    assert {r["reason"] for r in story["removed"]} == {"duplicate_line"}
    write_recipe(tmp_path / "recipe.yaml", tmp_path / "raw", {"exact": {"level": "line", "min_code_points": 15}, "min_rest": 2})
    books = headrace.json("run", tmp_path / "recipe.yaml", "--output", tmp_path / "run", "-q")["books"]
    assert books["dropped"] == {"little_left": 2}


def test_explain_shows_what_goes_and_where_it_stays(headrace, tmp_path):
    texts = [f"前言。\n{LINE}\n后记。", f"别的话。\n{LINE}\n结束。"]
    run(headrace, tmp_path, texts, {"exact": {"level": "line"}})
    first, second = headrace.lines("cat", tmp_path / "run", "--kept")
    story = headrace.json("explain", tmp_path / "run", second["id"])
    assert story["text"] == texts[1] and story["text_left"] == second["text"] == "别的话。\n结束。"
    [removed] = story["removed"]
    assert texts[1].encode()[removed["begin"]:removed["end"]].decode() == LINE + "\n" == removed["text"]
    assert removed["kept_id"] == first["id"]
    assert texts[0].encode()[removed["kept_begin"]:].decode().startswith(LINE)
    assert headrace.json("explain", tmp_path / "run", first["id"])["removed"] == []
    shown = headrace("explain", tmp_path / "run", second["id"])[0]
    assert "text without it" in shown and f"stands in {first['id']}" in shown


def test_b033_substring_removal_keeps_characters_whole(headrace, tmp_path):
    """Case B033: the first copy stays, cuts are at whole characters."""
    texts = ["Вчера утром: Привет из большого города, где каждый день идёт снег и ветер дует с реки на мостПотом стало тихо и светло.",
             "Совсем другое начало. Привет из большого города, где каждый день идёт снег и ветер дует с реки на мостДальше шёл дождь.",
             "甲：数据要先清洗再使用，清洗时要记下每一步删掉了多少条以及删掉的原因是什么仅此而已。",
             "乙说，数据要先清洗再使用，清洗时要记下每一步删掉了多少条以及删掉的原因是什么他走了。"]
    _, kept = run(headrace, tmp_path, texts, {"substring": {"min_code_points": 30}})
    assert kept == [texts[0], "Совсем другое начало.Дальше шёл дождь.", texts[2], "乙说，他走了。"]


ALPHABETS = ["ab", "数据清洗的流程与记录，。", "abcdefg 水闸门", "é👍🔬x中"]


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_every_stretch_of_the_length_is_found(headrace, tmp_path, alphabet):
    rng = random.Random(alphabet)

    def some(low, high):
        return "".join(rng.choices(alphabet, k=rng.randint(low, high)))

    stretches = [some(35, 90) for _ in range(12)]
    texts = ["".join(some(0, 40) + rng.choice(stretches) for _ in range(rng.randint(0, 4))) + some(1, 60) for _ in range(150)]
    _, kept = run(headrace, tmp_path, texts, {"substring": {"min_code_points": 40}})
    # Nothing in these alphabets joins the character before it.
    assert kept == [rest for rest in windows_removed(texts, 40) if rest.strip()]


def test_marks_stay_with_their_letters(headrace, tmp_path):
    shared = "".join(chr(0x4E00 + 7 * i) for i in range(60))
    texts = ["a" + shared + "e\u0301b", "c" + shared + "e\u0300d", "👩" + shared + "e", "👩🏽" + shared + "x"]
    _, kept = run(headrace, tmp_path, texts, {"substring": {"min_code_points": 50}})
    assert kept[0] == texts[0]
    # "e" is shared, its accent is not: it stays with it.
    assert kept[1] == "ce\u0300d"
    for text in kept:
        assert not unicodedata.combining(text[0])


def corpus_with_copies(folder, documents, seed=5):
    """Files of texts that share lines, paragraphs and stretches."""
    rng = random.Random(seed)
    folder.mkdir()
    lines = ["".join(rng.sample(CHINESE, 40)) for _ in range(40)]
    blocks = ["\n".join(rng.sample(lines, 2)) + f"\n{i}" for i in range(10)]
    for file in range(3):
        texts = []
        for i in range(documents // 3):
            parts = [ENGLISH * rng.randint(0, 2) + f"({file}-{i})"]
            for _ in range(rng.randint(0, 5)):
                parts.append(rng.choice([rng.choice(lines), "\n" + rng.choice(blocks) + "\n", "".join(rng.sample(CHINESE, 30)),
                                         f"{i} " + "".join(rng.choice(blocks).split("\n")) + f" {i}", "x" * rng.randint(1, 400)]))
            rng.shuffle(parts)
            texts.append("\n".join(parts))
        write_jsonl(folder / f"{file}.jsonl", texts)
    return folder


ALL = {"exact": {"level": ["document", "paragraph", "line"]}, "substring": {"min_code_points": 50}}


def spans_of(folder):
    return [row for path in sorted((folder / "spans").glob("*.parquet")) for row in pq.read_table(path).to_pylist()]


def test_tokens_are_those_of_the_cut_text(headrace, tmp_path):
    corpus = corpus_with_copies(tmp_path / "raw", 300)
    recipe = write_recipe(tmp_path / "recipe.yaml", corpus, ALL, **TOKENS)
    books = headrace.json("run", recipe, "--output", tmp_path / "run", "-q")["books"]
    assert books["balanced"] and books["documents_cut"] > 100 and books["bytes_removed"] > 1000
    assert {r["reason"] for r in books["removed"]} == {"duplicate_paragraph", "duplicate_line", "duplicate_substring"}
    kept = headrace.lines("cat", tmp_path / "run", "--kept")
    (tmp_path / "cut").mkdir()
    write_jsonl(tmp_path / "cut/a.jsonl", [record["text"] for record in kept])
    plain = write_recipe(tmp_path / "plain.yaml", tmp_path / "cut", None, **TOKENS)
    headrace("run", plain, "--output", tmp_path / "again", "-q")
    tokens = [b"".join(p.read_bytes() for p in sorted((tmp_path / name / "tokens").glob("*.bin"))) for name in ("run", "again")]
    assert tokens[0] == tokens[1]
    # The ranges are those of the stored text, and what was removed is what their copies say.
    stored = {row["id"]: row["text"].encode() for path in sorted((tmp_path / "run/normalized").glob("*.parquet"))
              for row in pq.read_table(path).to_pylist()}
    for row in spans_of(tmp_path / "run"):
        if row["reason"] == "duplicate_substring" and row["kept_id"] != row["id"]:
            cut = stored[row["id"]][row["begin"]:row["end"]]
            assert stored[row["kept_id"]][row["kept_begin"]:][:len(cut)] == cut
            assert (row["kept_id"], row["kept_begin"]) < (row["id"], row["begin"])
            cut.decode()


def test_threads_and_memory_change_nothing(headrace, tmp_path):
    corpus = corpus_with_copies(tmp_path / "raw", 900)
    recipe = write_recipe(tmp_path / "recipe.yaml", corpus, ALL, **TOKENS)
    small = write_recipe(tmp_path / "small.yaml", corpus, ALL, limits={"memory": "16MiB"}, **TOKENS)
    headrace("run", recipe, "--output", tmp_path / "one", "-q", "--threads", 1)
    headrace("run", recipe, "--output", tmp_path / "two", "-q", "--threads", 2)
    headrace("run", small, "--output", tmp_path / "small", "-q", "--threads", 3)
    assert digest(tmp_path / "one") == digest(tmp_path / "two")
    for folder in ("spans", "tokens", "shards"):
        assert digest(tmp_path / "one" / folder) == digest(tmp_path / "small" / folder)


def test_killed_and_resumed(headrace, tmp_path):
    corpus = corpus_with_copies(tmp_path / "raw", 6000)
    recipe = write_recipe(tmp_path / "recipe.yaml", corpus, ALL, **TOKENS)
    start = time.monotonic()
    headrace("run", recipe, "--output", tmp_path / "calm", "-q")
    seconds = time.monotonic() - start
    rng = random.Random(1)
    killed = 0
    while killed < 8:
        process = subprocess.Popen([headrace.path, "run", recipe, "--output", tmp_path / "killed", "-q"])
        try:
            process.wait(timeout=rng.uniform(0.01, max(0.05, seconds / 2)))
            for commit in (tmp_path / "killed/tasks/spans").glob("*.json"):
                commit.unlink()
            seconds /= 2
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
    headrace("run", recipe, "--output", tmp_path / "killed", "-q")
    assert digest(tmp_path / "killed") == digest(tmp_path / "calm")
    assert headrace.json("verify", tmp_path / "killed")["ok"]


def test_judging_makes_spans_stale_and_the_next_run_renews_them(headrace, tmp_path):
    corpus = corpus_with_copies(tmp_path / "raw", 300)
    recipe = write_recipe(tmp_path / "recipe.yaml", corpus, ALL, **TOKENS)
    stricter = write_recipe(tmp_path / "stricter.yaml", corpus, ALL, judge={"rules": {"code_points": {"min": 100}}}, **TOKENS)
    headrace("run", recipe, "--output", tmp_path / "run", "-q")
    headrace("judge", tmp_path / "run", "--recipe", stricter)
    state = json.loads((tmp_path / "run/run.json").read_text())["stages"]
    assert "verdict" in state and not {"spans", "tokenize", "mix", "shards", "report"} & set(state)
    assert "spans" in headrace.json("verify", tmp_path / "run", exit_code=1)["stale"]
    # What is not current is not applied.
    stored = {row["text"] for path in (tmp_path / "run/normalized").glob("*.parquet") for row in pq.read_table(path).to_pylist()}
    assert {record["text"] for record in headrace.lines("cat", tmp_path / "run", "--kept")} <= stored
    headrace("run", stricter, "--output", tmp_path / "run", "-q")
    headrace("run", stricter, "--output", tmp_path / "fresh", "-q")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")


def test_a_recipe_that_removes_nothing_leaves_no_spans(headrace, tmp_path):
    corpus = corpus_with_copies(tmp_path / "raw", 90)
    whole = write_recipe(tmp_path / "whole.yaml", corpus, ALL, **TOKENS)
    less = write_recipe(tmp_path / "less.yaml", corpus, {"exact": True}, **TOKENS)
    headrace("run", whole, "--output", tmp_path / "run", "-q")
    headrace("run", less, "--output", tmp_path / "run", "-q")
    headrace("run", less, "--output", tmp_path / "fresh", "-q")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")
    assert not (tmp_path / "run/spans").exists()


def test_damaged_spans_are_made_again(headrace, tmp_path):
    corpus = corpus_with_copies(tmp_path / "raw", 90)
    recipe = write_recipe(tmp_path / "recipe.yaml", corpus, ALL)
    headrace("run", recipe, "--output", tmp_path / "run", "-q")
    whole = digest(tmp_path / "run")
    [part] = (tmp_path / "run/spans").glob("*.parquet")
    part.write_bytes(part.read_bytes()[:-20])
    assert "spans" in headrace("cat", tmp_path / "run", "--kept", exit_code=3)[1]
    headrace("run", recipe, "--output", tmp_path / "run", "-q")
    assert digest(tmp_path / "run") == whole


@pytest.mark.parametrize("dedup, message", [
    ({"exact": {"level": ["lines"]}}, "did you mean 'line'"),
    ({"exact": {"level": []}}, "empty list"),
    ({"substring": {"min_code_points": 5}}, "from 20 to"),
    ({"substring": {"min_points": 50}}, "min_code_points"),
    ({"min_rest": 0}, "from 1 to"),
])
def test_recipe_faults(headrace, tmp_path, dedup, message):
    (tmp_path / "raw").mkdir()
    recipe = write_recipe(tmp_path / "recipe.yaml", tmp_path / "raw", dedup)
    assert message in headrace("run", recipe, "--output", tmp_path / "run", "-q", exit_code=2)[1]
