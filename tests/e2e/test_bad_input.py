# SPDX-License-Identifier: Apache-2.0
"""What goes wrong gives one clear error, the right exit code, and leaves what was committed valid."""

import json
import os
import subprocess

import pytest
from small_corpus import ROOT, digest, recipe, write_corpus

ONE_SOURCE = {"tokenize": None, "pack": None, "shards": None, "dedup": None}


def make_recipe(folder, source, **changes):
    path = folder / "recipe.yaml"
    path.write_text(recipe(folder, sources=[source], **{"judge": None, **ONE_SOURCE, **changes}))
    return path


def one_error(stderr):
    lines = stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("headrace: "), stderr
    return lines[0]


def test_folder_without_files(headrace, tmp_path):
    (tmp_path / "empty").mkdir()
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/empty/**"]})
    assert "no file matches" in one_error(headrace("run", path, "--output", tmp_path / "run", exit_code=3)[1])
    assert not (tmp_path / "run").exists()


def test_misspelt_key(headrace, walk, tmp_path):
    path = tmp_path / "typo.yaml"
    path.write_text("sources:\n  - domain: d\n    path: [x.jsonl]\n")
    stderr = headrace("run", path, "--output", tmp_path / "run", exit_code=2)[1]
    assert f"{path}:3: unknown key 'sources[0].path'; did you mean 'paths'?" in stderr
    assert not (tmp_path / "run").exists()


def test_text_field_that_no_record_has(headrace, tmp_path):
    """B096: found at the start, with the fields that are there."""
    (tmp_path / "in.jsonl").write_text('{"id": 1, "content": "x", "title": "y"}\n')
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/in.jsonl"]})
    error = one_error(headrace("run", path, "--output", tmp_path / "run", exit_code=2)[1])
    assert "no field 'text'" in error and "content, id, title" in error
    assert not (tmp_path / "run").exists()


def test_text_field_missing_in_some_records(headrace, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"text": "a"}\n{"content": "x"}\n{"text": null}\n{"text": 5}\n[1]\n')
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/in.jsonl"]})
    books = headrace.json("run", path, "--output", tmp_path / "run", "-q")["books"]
    assert books["kept"] == 1 and books["balanced"]
    assert books["dropped"] == {"not_an_object": 1, "text_missing": 1, "text_not_string": 1, "text_null": 1}


def test_no_rules_is_no_error(headrace, tmp_path):
    """B096: a recipe without a filter ends well."""
    (tmp_path / "in.jsonl").write_text('{"text": "a"}\n')
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/in.jsonl"]})
    assert headrace.json("run", path, "--output", tmp_path / "run", "-q")["books"]["kept"] == 1


def test_output_that_is_a_file(headrace, walk, tmp_path):
    (tmp_path / "file").write_text("x")
    error = one_error(headrace("run", walk[0], "--output", tmp_path / "file/run", "-q", exit_code=3)[1])
    assert "cannot be used" in error
    assert (tmp_path / "file").read_text() == "x"


def test_output_that_holds_something_else(headrace, walk, tmp_path):
    mine = tmp_path / "mine/dropped/notes.txt"
    mine.parent.mkdir(parents=True)
    mine.write_text("x")
    error = one_error(headrace("run", walk[0], "--output", tmp_path / "mine", "-q", exit_code=3)[1])
    assert "is not empty" in error and "notes.txt" in error
    assert mine.read_text() == "x" and not (tmp_path / "mine/run.json").exists()


def test_run_of_a_newer_version_is_not_overwritten(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    run_json = tmp_path / "run/run.json"
    newer = run_json.read_text(encoding="utf-8").replace('"version": 1,', '"version": 9,', 1)
    run_json.write_text(newer, encoding="utf-8")
    assert "version 9" in one_error(headrace("run", walk[0], "--output", tmp_path / "run", "-q", exit_code=2)[1])
    assert run_json.read_text(encoding="utf-8") == newer


def test_missing_and_wrong_tokenizer(headrace, walk, tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(recipe(walk[1], tokenize={"tokenizer": f"{tmp_path}/none.json", "end": "<|endoftext|>"}))
    assert "none.json" in one_error(headrace("run", path, "--output", tmp_path / "run", exit_code=3)[1])
    path.write_text(recipe(walk[1], tokenize={"tokenizer": str(ROOT / "tests/data/tiny_tokenizer.json"), "end": "</s>"}))
    error = one_error(headrace("run", path, "--output", tmp_path / "run", exit_code=2)[1])
    assert "no token '</s>'" in error and "<|endoftext|>" in error
    assert not (tmp_path / "run").exists()


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder], capture_output=True, check=False).returncode:
        pytest.skip("skipped: no right to mount a small file system")
    yield folder
    subprocess.run(["umount", folder], check=True)


def test_full_disk(headrace, small_disk, tmp_path):
    corpus = write_corpus(tmp_path / "raw", documents=3000)
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(corpus))
    error = one_error(headrace("run", path, "--output", small_disk / "run", "-q", exit_code=3)[1])
    assert "No space left on device" in error and str(small_disk) in error
    assert not list(small_disk.rglob("*.tmp*"))  # nothing half written is left
    # What was committed stays valid: on a larger disk the run goes on from there and ends like any other.
    subprocess.run(["mount", "-o", "remount,size=64m", small_disk], check=True)
    headrace("run", path, "--output", small_disk / "run", "-q")
    headrace("run", path, "--output", tmp_path / "calm", "-q")
    assert digest(small_disk / "run") == digest(tmp_path / "calm")


def test_judge_does_not_judge_a_part_of_a_run(headrace, long_walk, tmp_path):
    headrace("run", long_walk[0], "--output", tmp_path / "run", "-q")
    (tmp_path / "run/tasks/documents/00000.json").unlink()
    assert "0 of 2 commits" in one_error(headrace("judge", tmp_path / "run", exit_code=3)[1])
    headrace("run", long_walk[0], "--output", tmp_path / "run", "-q")
    headrace("judge", tmp_path / "run")


def test_damaged_part_is_named(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    part = next((tmp_path / "run/measures").iterdir())
    part.write_bytes(part.read_bytes()[:-20] + b"x" * 20)
    moved = tmp_path / "moved.yaml"
    moved.write_text(recipe(walk[1], judge={"rules": {"code_points": {"min": 30}}}))
    error = one_error(headrace("judge", tmp_path / "run", "--recipe", moved, exit_code=3)[1])
    assert str(part) in error


def test_wrong_usage(headrace, walk, tmp_path):
    headrace(exit_code=2)
    headrace("runn", "x", exit_code=2)
    headrace("run", exit_code=2)
    headrace("run", walk[0], "--sample", "200%", "--output", tmp_path / "r", exit_code=2)
    headrace("run", walk[0], "--sample", "lots", "--output", tmp_path / "r", exit_code=2)
    headrace("run", walk[0], "--threads", "-1", exit_code=2)
    assert "no output" in headrace("run", walk[0], exit_code=2)[1]
    headrace("books", tmp_path / "nothing", exit_code=3)
    headrace("verify", tmp_path, exit_code=3)
    assert "not in this version" in headrace("convert", "a", "--to", "mds", exit_code=2)[1]
    assert "not in this version" in headrace("run", walk[0], "--executor", "ray", "--output", tmp_path / "r", exit_code=2)[1]
    assert headrace("--version")[0].startswith("headrace 0.")
    for command in ("run", "books", "judge", "cat", "explain", "verify"):
        assert command in headrace(command, "--help")[0]
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    assert "did you mean" in headrace("cat", tmp_path / "run", "--dropped=exact_duplicat", exit_code=2)[1]


def test_closed_pipe_is_quiet(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    done = subprocess.run(f"'{headrace.path}' cat '{tmp_path}/run' | head -1", shell=True, capture_output=True, check=False)
    assert done.stderr == b"" and json.loads(done.stdout)["id"]


def test_runs_from_any_folder(headrace, walk, tmp_path):
    """B095: the command finds its libraries by itself."""
    headrace("run", walk[0], "--output", tmp_path / "run", "-q", cwd="/", env={"PATH": "/usr/bin"})


def test_locale_and_time_zone_change_nothing(headrace, walk, tmp_path):
    """B013: the bytes decide, never the locale."""
    digests = []
    for i, extra in enumerate([{"LC_ALL": "C"}, {"LC_ALL": "zh_CN.GBK", "TZ": "Asia/Shanghai"}, {"LANG": "tr_TR.UTF-8"}]):
        headrace("run", walk[0], "--output", tmp_path / f"run{i}", "-q", env={"PATH": os.environ["PATH"], **extra})
        digests.append(digest(tmp_path / f"run{i}"))
    assert digests[0] == digests[1] == digests[2]


def test_texts_without_words(headrace, tmp_path):
    """B017: no words at all: every record accounted for, every number finite or null, null drops nothing."""
    texts = ["", "   ", "。。。！？", "http://example.com/a?b=c", "😀😀", "\u200b\u200d\ufeff", "a", "\u0000", "——", "\n\n\n"]
    (tmp_path / "in.jsonl").write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/in.jsonl"]}, judge={"preset": "zh-web"})
    books = headrace.json("run", path, "--output", tmp_path / "run", "-q")["books"]
    assert books["in"] == 10 and books["balanced"]
    for record in headrace.lines("cat", tmp_path / "run", "--dropped") + headrace.lines("cat", tmp_path / "run", "--kept"):
        measures = headrace.json("explain", tmp_path / "run", record["id"])["measures"]
        assert all(value is None or -1e300 < value < 1e300 for value in measures.values())
        if measures["words"] == 0:
            assert record["reason"] in (None, "code_points_below_min", "special_symbol_share_above_max", "mean_sentence_length_below_min",
                                        "letter_share_below_min")


def test_one_file_under_two_names_is_not_read_twice(headrace, tmp_path):
    (tmp_path / "in.jsonl").write_text('{"text": "a"}\n')
    (tmp_path / "link.jsonl").symlink_to("in.jsonl")
    for paths in ([f"{tmp_path}/in.jsonl", f"{tmp_path}/./in.jsonl"], [f"{tmp_path}/*.jsonl"]):
        path = make_recipe(tmp_path, {"domain": "d", "paths": paths})
        assert "is named twice" in one_error(headrace("run", path, "--output", tmp_path / "run", exit_code=2)[1])


def test_what_is_no_regular_file_is_refused(headrace, tmp_path):
    os.mkfifo(tmp_path / "in.jsonl")
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/*.jsonl"]})
    assert "no regular file" in one_error(headrace("run", path, "--output", tmp_path / "run", exit_code=3, timeout=20)[1])


def test_output_among_the_inputs_is_refused(headrace, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.jsonl").write_text('{"text": "a"}\n')
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/in"], "format": "jsonl"})
    headrace("run", path, "--output", tmp_path / "in/run", "-q")
    assert "lies in the output" in one_error(headrace("run", path, "--output", tmp_path / "in/run", "-q", exit_code=2)[1])


def test_utf32_and_binary_text_are_quarantined(headrace, tmp_path):
    (tmp_path / "a.txt").write_bytes("你好 hello\n".encode("utf-32"))
    (tmp_path / "b.txt").write_bytes("你好 hello\n".encode("utf-32-le"))
    (tmp_path / "c.txt").write_text("你好 hello\n")
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/*.txt"]})
    books = headrace.json("run", path, "--output", tmp_path / "run", "-q")["books"]
    assert (books["kept"], books["quarantined"], books["balanced"]) == (1, 2, True)


def test_an_empty_mix_is_no_crash(headrace, walk, tmp_path):
    path = tmp_path / "none.yaml"
    path.write_text(recipe(walk[1], judge={"rules": {"code_points": {"min": 10**9}}}))
    run = headrace.json("run", path, "--output", tmp_path / "run", "-q")
    assert run["books"]["kept"] == 0 and run["books"]["balanced"]
    assert headrace.json("verify", run["shards"])["samples"] == 0
    path.write_text(recipe(walk[1], mix={"total_tokens": 1}))
    headrace.json("run", path, "--output", tmp_path / "one", "-q")


def test_missing_and_changed_commits(headrace, long_walk, tmp_path):
    headrace("run", long_walk[0], "--output", tmp_path / "run", "-q")
    calm = digest(tmp_path / "run")
    commit = tmp_path / "run/tasks/documents/00001.json"
    text = commit.read_text()
    commit.write_text(text.replace('"rows": ', '"rows": 1'))
    for command in ("books", "judge"):
        assert "1 of 2 commits" in headrace(command, tmp_path / "run", exit_code=3)[1]
    headrace("run", long_walk[0], "--output", tmp_path / "run", "-q")
    assert digest(tmp_path / "run") == calm


def test_a_flipped_bit_in_tokens_never_reaches_a_shard(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    part = next((tmp_path / "run/tokens").glob("*.bin"))
    whole = part.read_bytes()
    part.write_bytes(whole[:40] + bytes([whole[40] ^ 1]) + whole[41:])
    longer = tmp_path / "longer.yaml"
    longer.write_text(recipe(walk[1], pack={"length": 32}))
    warning = headrace("run", longer, "--output", tmp_path / "run")[1]
    assert f"{part} is gone or was changed after it was committed: its task runs again" in warning
    headrace("run", longer, "--output", tmp_path / "calm", "-q")
    assert digest(tmp_path / "run") == digest(tmp_path / "calm")


def test_closed_stderr_does_not_write_into_the_run(headrace, walk, tmp_path):
    subprocess.run(f"'{headrace.path}' run '{walk[0]}' --output '{tmp_path}/run' 2>&- >&-", shell=True, check=True)
    headrace("run", walk[0], "--output", tmp_path / "calm", "-q")
    assert digest(tmp_path / "run", skip=()) == digest(tmp_path / "calm", skip=())


def test_verify_a_run(headrace, walk, tmp_path):
    run = tmp_path / "run"
    headrace("run", walk[0], "--output", run, "-q")
    report = headrace.json("verify", run)
    assert report["ok"] and report["files"] >= 6 and report["shards"] > 0
    part = next((run / "measures").iterdir())
    damaged = bytearray(part.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    part.write_bytes(damaged)
    broken = headrace.json("verify", run, exit_code=1)["broken"]
    assert [fault["shard"] for fault in broken] == [f"measures/{part.name}"]
    part.unlink()  # as the message says
    headrace("run", walk[0], "--output", run, "-q")
    assert headrace.json("verify", run)["ok"]
    (run / "tasks/verdict/00000.json").unlink()
    assert "tasks/verdict" in str(headrace.json("verify", run, exit_code=1)["broken"])


def test_dry_run_foresees_the_output(headrace, walk, tmp_path):
    (tmp_path / "file").write_text("no folder")
    error = one_error(headrace("run", walk[0], "--output", tmp_path / "file/run", "--dry-run", exit_code=3)[1])
    assert "Not a directory" in error
    plan = headrace.json("run", walk[0], "--output", tmp_path / "run", "--dry-run")["plan"]
    assert [stage["stage"] for stage in plan["stages"]] == ["documents", "verdict", "tokenize", "mix", "shards", "report"]
    assert not (tmp_path / "run").exists()
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    done = headrace.json("run", walk[0], "--output", tmp_path / "run", "--dry-run")["plan"]["stages"]
    assert all(stage["tasks_done"] == stage["tasks"] > 0 for stage in done)
    moved = tmp_path / "moved.yaml"
    moved.write_text(recipe(walk[1], judge={"rules": {"code_points": {"min": 30}}}))
    done = headrace.json("run", moved, "--output", tmp_path / "run", "--dry-run")["plan"]["stages"]
    assert [stage["tasks_done"] for stage in done] == [1, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("output, code, words", [
    ("dangling/run", 3, "is a link to a place that is not there"),
    ("loop/run", 3, "Too many levels of symbolic links"),
    ("a" * 300, 2, "has 300 bytes; a name there may have 255"),
    ("x/" + "a" * 300 + "/run", 2, "has 300 bytes; a name there may have 255"),
    ("/".join(["a" * 200] * 20), 2, "a path may have 4095"),
])
def test_outputs_that_cannot_be(headrace, walk, tmp_path, output, code, words):
    """The dry run says what the run would say, and neither makes anything."""
    (tmp_path / "dangling").symlink_to(tmp_path / "nothing")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    before = sorted(tmp_path.iterdir())
    errors = [one_error(headrace("run", walk[0], "--output", tmp_path / output, "-q", *more, exit_code=code)[1])
              for more in ([], ["--dry-run"])]
    assert words in errors[0] and errors[0] == errors[1]
    assert sorted(tmp_path.iterdir()) == before


def test_output_that_is_the_whole_file_system(headrace, walk):
    """Refused at the first file found: nothing is searched through."""
    assert "is not empty" in one_error(headrace("run", walk[0], "--output", "/", "--dry-run", "-q", exit_code=3, timeout=10)[1])


def test_file_uris_are_paths(headrace, walk, tmp_path, monkeypatch):
    """Wherever a path is taken."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    tokenizer = f"file://{ROOT}/tests/data/tiny_tokenizer.json"
    path = tmp_path / "uris.yaml"
    path.write_text(recipe(f"file://{walk[1]}", tokenize={"tokenizer": tokenizer, "end": "<|endoftext|>"}))
    plain = headrace.json("run", walk[0], "--output", tmp_path / "plain", "-q")
    run = f"file://{tmp_path}/run"
    done = headrace.json("run", f"file://{path}", "--output", run, "-q")
    assert done["run"] == f"{tmp_path}/run" and done["books"] == plain["books"]
    assert headrace.json("run", path, "--output", f"file:{tmp_path}/run", "--dry-run")["plan"]["stages"][-1]["tasks_done"] == 1
    assert headrace.json("verify", run)["ok"] and headrace.json("verify", run + "/shards")["ok"]
    headrace("verify", run + "/shards/manifest.json")
    record = headrace.lines("cat", run, "--kept", "--limit", "1")[0]
    assert headrace.json("explain", run, record["id"])["id"] == record["id"]
    assert headrace.json("judge", run, "--recipe", f"file://{path}")["newly_dropped"] == 0
    assert headrace.json("inspect", f"file://{walk[1]}/verse/a.txt")["files"][0]["encoding"] == "gb18030"
    assert headrace.json("books", run)["balanced"]
    path.write_text(recipe(f"file://{walk[1]}", tokenize={"tokenizer": tokenizer, "end": "<|endoftext|>"}, output=run))
    assert headrace.json("run", path, "-q")["run"] == f"{tmp_path}/run"
    assert sorted((tmp_path / "here").iterdir()) == []


def test_outputs_elsewhere_are_refused(headrace, walk, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    for output, words in (("s3://bucket/run", "a run directory is local"), ("file://data/run", "a run directory is local")):
        assert words in one_error(headrace("run", walk[0], "--output", output, "-q", exit_code=2)[1])
        assert words in one_error(headrace("books", output, exit_code=2)[1])
    assert "names the machine 'data'" in one_error(headrace("inspect", "file://data/x.txt", exit_code=2)[1])
    assert sorted(tmp_path.iterdir()) == before


def test_a_sample_does_not_replace_the_whole(headrace, walk, tmp_path):
    """Nor the whole a sample, nor one sample another."""
    for first, second in (([], ["--sample", "1%"]), (["--sample", "10%"], []), (["--sample", "10%"], ["--sample", "20%"])):
        folder = tmp_path / ("run" + "".join(first + second))
        headrace("run", walk[0], "--output", folder, "-q", *first)
        before = digest(folder)
        for more in ([], ["--dry-run"]):
            error = one_error(headrace("run", walk[0], "--output", folder, "-q", *second, *more, exit_code=2)[1])
            assert "choose another --output" in error and ("all documents" if not (first and second) else "10 %") in error
        assert digest(folder) == before
        headrace("run", walk[0], "--output", folder, "-q", *first)


def test_data_in_messages_is_cut(headrace, tmp_path):
    """A name of 5 MB is not printed whole, nor are 10,000 of them; what a terminal obeys is escaped."""
    (tmp_path / "wide.csv").write_text("x" * 5_000_000 + ",\x1b[31mred,b\n1,2,3\n")
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/wide.csv"]})
    error = headrace("run", path, "--output", tmp_path / "run", "-q", exit_code=2)[1]
    assert len(error) < 1000 and "no field 'text'" in error and "5000000 bytes" in error and "\\x1B[31mred" in error
    (tmp_path / "many.jsonl").write_text(json.dumps({f"field{i}": i for i in range(10_000)}) + "\n")
    path = make_recipe(tmp_path, {"domain": "d", "paths": [f"{tmp_path}/many.jsonl"]})
    error = headrace("run", path, "--output", tmp_path / "run", "-q", exit_code=2)[1]
    assert len(error) < 2000 and "and 9980 more" in error
    path.write_text(json.dumps({"sources": [{"domain": "d", "paths": ["x"]}], "k" * 1_000_000: 1}))
    assert len(headrace("run", path, "--output", tmp_path / "run", "-q", exit_code=2)[1]) < 3000


def test_file_size_limit(headrace, walk, tmp_path):
    """Like a full disk: an error, not a signal."""
    command = f"ulimit -f 2; exec {headrace.path} run {walk[0]} --output {tmp_path / 'run'} -q"
    done = subprocess.run(["bash", "-c", command], capture_output=True, check=False)
    assert done.returncode == 3
    assert "File too large" in one_error(done.stderr.decode())
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")


def test_file_names_do_not_reach_the_terminal(headrace, tmp_path):
    name = tmp_path / "a\x1b[31m.jsonl"
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(tmp_path, sources=[{"domain": "d", "paths": [str(name)]}]))
    assert "\x1b" not in headrace("run", path, "--output", tmp_path / "run", exit_code=3)[1]
    name.write_bytes(b'{"text": "a"}\n{"text": "cut')
    out, err = headrace("run", path, "--output", tmp_path / "run")
    shown = out + err + headrace("inspect", name)[0] + headrace("books", tmp_path / "run")[0]
    assert "\x1b" not in shown and "\\x1B[31m.jsonl" in shown
    assert str(name) in headrace.json("books", tmp_path / "run")["sources"]
    assert headrace.json("inspect", name)["files"][0]["path"] == str(name)
    record = headrace.lines("cat", tmp_path / "run", "--dropped")[0]
    assert "\x1b" not in headrace("explain", tmp_path / "run", record["id"])[0]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="skipped: no /dev/full")
def test_full_stdout_is_an_error(headrace, walk):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([headrace.path, "inspect", str(walk[1] / "verse/a.txt")], stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 3
    assert "writing to stdout" in one_error(done.stderr.decode())


def test_output_with_a_zero_byte(headrace, tmp_path):
    path = tmp_path / "recipe.yaml"
    path.write_text('sources: [{domain: d, paths: [/dev/null]}]\noutput: "x\\0y"\n')
    headrace("run", path, exit_code=2, timeout=60)
