# SPDX-License-Identifier: Apache-2.0
"""What a run directory is worth: verify proves it whole, and a run that resumes trusts no part that was changed."""

import os
import random

import pytest
from small_corpus import digest, recipe


@pytest.fixture
def run(headrace, walk, tmp_path):
    headrace("run", walk[0], "--output", tmp_path / "run", "-q")
    return tmp_path / "run"


# All that commits name.
FOLDERS = {"normalized", "measures", "dedup", "rejected", "verdict", "tokens", "mix", "shards", "dropped", "report"}


def flip(path, place=None):
    """Flips one bit; the size stays."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2 if place is None else place] ^= 1
    path.write_bytes(data)


def leave_unfinished(headrace, long_walk, folder):
    """A run of two tasks of which the second cannot write its part."""
    (folder / "normalized/part-00001.parquet").mkdir(parents=True)
    headrace("run", long_walk[0], "--output", folder, "--threads", 1, "-q", exit_code=2)
    (folder / "normalized/part-00001.parquet").rmdir()


def test_a_changed_byte_in_any_file_is_found(headrace, run):
    names = sorted(str(path.relative_to(run)) for path in run.rglob("*") if path.is_file() and path.name != ".lock")
    assert {name.split("/")[0] for name in names} >= FOLDERS | {"run.json", "tasks"}
    assert headrace.json("verify", run)["ok"]
    rng = random.Random(5)
    for name in names:
        whole = (run / name).read_bytes()
        flip(run / name, rng.randrange(len(whole)))
        report = headrace.json("verify", run, exit_code=1)
        stem = name.removesuffix(".hri").removesuffix(".idx").removesuffix(".bin")
        assert any(stem in fault["shard"] for fault in report["broken"]), (name, report)
        (run / name).write_bytes(whole)
    assert headrace.json("verify", run)["ok"]


def test_a_missing_file_is_found(headrace, run):
    for name in ("shards/manifest.json", "tasks/shards/00000.json", "dropped/text_missing/sample.jsonl", "report/index.html"):
        (run / name).rename(run / "aside")
        assert name in str(headrace.json("verify", run, exit_code=1)["broken"])
        (run / "aside").rename(run / name)
    assert headrace.json("verify", run)["ok"]


def test_a_run_without_its_run_json_is_no_shard_set(headrace, run):
    (run / "run.json").unlink()
    assert "run.json" in headrace("verify", run, exit_code=3)[1]


def test_shards_of_another_run_are_found(headrace, walk, run, tmp_path):
    """Each set is whole in itself; the commits know which is theirs."""
    other = tmp_path / "other.yaml"
    other.write_text(recipe(walk[1], pack={"length": 32}))
    headrace("run", other, "--output", tmp_path / "other", "-q")
    (run / "shards").rename(tmp_path / "aside")
    (tmp_path / "other/shards").rename(run / "shards")
    broken = headrace.json("verify", run, exit_code=1)["broken"]
    assert "shards/shard-00000.bin" in {fault["shard"] for fault in broken}


def test_every_bit_of_run_json_counts(headrace, run):
    whole = (run / "run.json").read_bytes()
    rng = random.Random(7)
    for place in [0, len(whole) - 1, *rng.sample(range(len(whole)), 40)]:
        flip(run / "run.json", place)
        headrace("verify", run, exit_code=1)
        (run / "run.json").write_bytes(whole)


def test_an_unfinished_run_is_not_called_whole(headrace, long_walk, tmp_path):
    run = tmp_path / "run"
    leave_unfinished(headrace, long_walk, run)
    report = headrace.json("verify", run, exit_code=1)
    assert not report["ok"] and not report["finished"] and report["broken"] == []
    assert report["unfinished"] == {"stage": "read", "tasks": 2, "tasks_done": 1}
    words = "unfinished: 1 of 2 tasks of stage read committed; run again to go on"
    assert words in headrace("verify", run, exit_code=1)[0]
    books = headrace.json("books", run)
    assert not books["finished"] and books["unfinished"]["tasks_done"] == 1
    shown = headrace("books", run)[0]
    assert words in shown and "balance" not in shown

    # What is committed is checked all the same.
    flip(run / "measures/part-00000.parquet")
    assert [fault["shard"] for fault in headrace.json("verify", run, exit_code=1)["broken"]] == ["measures/part-00000.parquet"]
    headrace("run", long_walk[0], "--output", run, "-q")
    headrace("run", long_walk[0], "--output", tmp_path / "calm", "-q")
    assert digest(run) == digest(tmp_path / "calm")
    assert headrace.json("verify", run)["finished"] and headrace.json("books", run)["finished"]


def test_after_judge_what_is_stale_is_said(headrace, walk, run, tmp_path):
    moved = tmp_path / "moved.yaml"
    moved.write_text(recipe(walk[1], judge={"rules": {"code_points": {"min": 400}}}))
    headrace("judge", run, "--recipe", moved)
    report = headrace.json("verify", run, exit_code=1)
    assert report["stale"] == ["tokenize", "mix", "shard", "report"] and report["broken"] == []
    assert report["unfinished"] == {"stage": "tokenize", "tasks": None, "tasks_done": 0}
    assert report["shards"] > 0 and report["samples"] > 0  # the earlier ones, and whole
    shown = headrace("verify", run, exit_code=1)[0]
    assert "stale: the files of tokenize, mix, shard, report" in shown and "stage tokenize has not begun" in shown
    flip(next((run / "shards").glob("*.bin")))
    assert headrace.json("verify", run, exit_code=1)["broken"]
    headrace("run", moved, "--output", run, "-q")
    assert headrace.json("verify", run)["ok"]


def test_a_changed_part_is_made_again(headrace, walk, run):
    """Of the right size, so that only its time or its bytes can tell."""
    calm = digest(run)
    for part in sorted(path for path in run.rglob("*") if path.is_file() and path.relative_to(run).parts[0] in FOLDERS):
        if part.name == "manifest.json":
            continue  # written by every run
        before = part.stat()
        flip(part)
        os.utime(part, ns=(before.st_atime_ns, before.st_mtime_ns))  # the time is set back, as a copy would do
        plan = headrace.json("run", walk[0], "--output", run, "--dry-run")["plan"]["stages"][0]
        read_again = part.relative_to(run).parts[0] in ("normalized", "measures", "dedup", "rejected")
        assert plan["tasks_done"] == (0 if read_again else 1)
        headrace("run", walk[0], "--output", run, "-q")
        assert digest(run) == calm, part


def test_judge_does_not_judge_by_a_changed_part(headrace, walk, run):
    flip(next((run / "measures").iterdir()))
    error = headrace("judge", run, exit_code=3)[1]
    assert "measures/part-00000.parquet" in error and "run the recipe again" in error
    headrace("run", walk[0], "--output", run, "-q")
    headrace("judge", run)


def test_a_copied_run_is_trusted_after_it_was_read(headrace, walk, run, tmp_path):
    """Copied files are younger than their commits; their checksums are what counts."""
    for number, path in enumerate(sorted(run.rglob("*"), reverse=True)):
        os.utime(path, ns=(0, 1_700_000_000_000_000_000 + number))
    before = {path: path.stat().st_ino for path in run.rglob("part-*")}
    headrace("run", walk[0], "--output", run, "-q")
    assert {path: path.stat().st_ino for path in run.rglob("part-*")} == before


def test_files_of_a_shorter_recipe(headrace, walk, run, tmp_path):
    """What the longer recipe made is still there, named as stale, and no reason to call the run unfinished."""
    less = tmp_path / "less.yaml"
    less.write_text(recipe(walk[1], tokenize=None, pack=None, shards=None))
    headrace("run", less, "--output", run, "-q")
    report = headrace.json("verify", run)
    assert report["ok"] and report["finished"] and report["stale"] == ["tokenize", "mix", "shard"]


def test_files_that_no_commit_owns_are_named(headrace, walk, run):
    foreign = ["normalized/part-00099.parquet", "measures/part-x.parquet", "tasks/documents/00099.json", "tasks/other/00000.json",
               "elsewhere/part-00000.bin"]
    for name in foreign:
        (run / name).parent.mkdir(exist_ok=True)
        (run / name).write_bytes(b"x")
    (run / "notes.txt").write_text("of people")
    report = headrace.json("verify", run, exit_code=1)
    assert {fault["shard"] for fault in report["broken"]} == set(foreign)
    assert "no commit of this run names this file: move it away" in headrace("verify", run, exit_code=1)[0]
    for name in foreign:
        (run / name).unlink()
    assert headrace.json("verify", run)["ok"]


@pytest.mark.parametrize("more", [b"\n", b" ", b"}", b"\n{}\n"])
def test_bytes_behind_the_end_are_damage(headrace, run, more):
    for name in ("shards/manifest.json", "run.json", "tasks/documents/00000.json", "normalized/part-00000.parquet"):
        whole = (run / name).read_bytes()
        (run / name).write_bytes(whole + more)
        assert name in str(headrace.json("verify", run, exit_code=1)["broken"]), name
        (run / name).write_bytes(whole)
    assert headrace.json("verify", run)["ok"]


def test_judge_removes_what_a_killed_process_left(headrace, run):
    left = [run / "verdict/part-00000.parquet.tmp-4711-0", run / "run.json.tmp-4711-12"]
    for path in left:
        path.write_bytes(b"half")
    headrace("judge", run)
    assert not any(path.exists() for path in left)
