# SPDX-License-Identifier: Apache-2.0
"""kill -9 at random moments, run again: the same bytes as a run that nobody disturbed."""

import random
import signal
import subprocess
import time

import pytest
from small_corpus import digest, recipe, write_corpus


def kill_and_resume(headrace, recipe_path, folder, kills, seed):
    """Starts the run again and again, kills each start after a random time, until one gets through."""
    rng = random.Random(seed)
    start = time.monotonic()
    headrace("run", recipe_path, "--output", folder / "calm", "-q", "--threads", 2)
    seconds = time.monotonic() - start
    killed = 0
    for _ in range(50 * kills):
        start = time.monotonic()
        process = subprocess.Popen([headrace.path, "run", recipe_path, "--output", folder / "killed", "-q", "--threads", "2"])
        try:
            # A third of a whole run at most: a start must not get through all that is left too soon.
            process.wait(timeout=rng.uniform(0.005, max(0.05, seconds / 3)))
            assert process.returncode == 0
            if killed >= kills:
                break
            # On a machine whose load changes the first run may have been the slowest.
            seconds = min(seconds, time.monotonic() - start)
            # It got through: take the last commits away, so that there is work to disturb again.
            for stage in rng.sample(["documents", "verdict", "tokenize", "mix", "shards", "report"], 3):
                for commit in (folder / f"killed/tasks/{stage}").glob("*.json"):
                    if rng.random() < 0.5:
                        commit.unlink()
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            killed += 1
    headrace("run", recipe_path, "--output", folder / "killed", "-q")
    assert killed >= kills
    assert digest(folder / "killed") == digest(folder / "calm")


def test_twenty_kills(headrace, tmp_path):
    corpus = write_corpus(tmp_path / "raw", documents=4000)
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(corpus))
    kill_and_resume(headrace, path, tmp_path, kills=20, seed=3)


def wait_for(path, seconds=60):
    end = time.monotonic() + seconds
    while not path.exists() and time.monotonic() < end:
        time.sleep(0.002)


def interrupted(headrace, path, output, stop, seconds):
    """Starts a run, sends the signal after a time, and checks that message and exit code agree."""
    (output / ".lock").unlink(missing_ok=True)
    process = subprocess.Popen([headrace.path, "run", path, "--output", output, "-q"], stderr=subprocess.PIPE)
    wait_for(output / ".lock")  # before that it may not have come to listen to signals
    time.sleep(seconds)
    process.send_signal(stop)
    stderr = process.communicate(timeout=60)[1].decode()
    assert process.returncode in (0, 130), stderr  # a fast machine may be done
    assert ("run the same command again" in stderr) == (process.returncode == 130), stderr
    if process.returncode == 0 and "stopping" in stderr:
        assert "all was done before it stopped" in stderr


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupt_is_clean(headrace, tmp_path, stop):
    corpus = write_corpus(tmp_path / "raw", documents=6000)
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(corpus))
    for seconds in (0, 0.05, 0.15, 0.3):
        interrupted(headrace, path, tmp_path / "run", stop, seconds)
    headrace("run", path, "--output", tmp_path / "run", "-q")
    headrace("run", path, "--output", tmp_path / "calm", "-q")
    assert digest(tmp_path / "run") == digest(tmp_path / "calm")


def test_nohup_keeps_a_run_alive(headrace, tmp_path):
    corpus = write_corpus(tmp_path / "raw", documents=3000)
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(corpus))
    process = subprocess.Popen(["nohup", headrace.path, "run", path, "--output", tmp_path / "run", "-q"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(tmp_path / "run/.lock")
    process.send_signal(signal.SIGHUP)
    assert process.wait(timeout=60) == 0
    assert headrace.json("verify", tmp_path / "run")["ok"]


def test_two_processes_do_not_share_a_run(headrace, tmp_path):
    fcntl = pytest.importorskip("fcntl")
    corpus = write_corpus(tmp_path / "raw")
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(corpus))
    headrace("run", path, "--output", tmp_path / "run", "-q")
    with open(tmp_path / "run/.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert "another headrace works in" in headrace("run", path, "--output", tmp_path / "run", "-q", exit_code=3)[1]


def test_changed_input_is_read_again(headrace, tmp_path):
    corpus = write_corpus(tmp_path / "raw")
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(corpus))
    before = headrace.json("run", path, "--output", tmp_path / "run", "-q")["books"]["in"]
    with open(corpus / "web/1.jsonl", "ab") as file:
        file.write(b'{"text": "one more line"}\n')
    assert headrace.json("run", path, "--output", tmp_path / "run", "-q")["books"]["in"] == before + 1
    headrace("run", path, "--output", tmp_path / "fresh", "-q")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")


def test_a_shorter_recipe_leaves_nothing_of_the_longer_one(headrace, tmp_path):
    corpus = write_corpus(tmp_path / "raw")
    whole, less = tmp_path / "whole.yaml", tmp_path / "less.yaml"
    whole.write_text(recipe(corpus))
    less.write_text(recipe(corpus, dedup=None))
    headrace("run", whole, "--output", tmp_path / "run", "-q")
    headrace("run", less, "--output", tmp_path / "run", "-q")
    headrace("run", less, "--output", tmp_path / "fresh", "-q")
    assert digest(tmp_path / "run") == digest(tmp_path / "fresh")


def test_books_without_the_stages_that_a_recipe_no_longer_asks_for(headrace, tmp_path):
    corpus = write_corpus(tmp_path / "raw")
    whole, less = tmp_path / "whole.yaml", tmp_path / "less.yaml"
    whole.write_text(recipe(corpus))
    less.write_text(recipe(corpus, tokenize=None, pack=None, shards=None))
    headrace("run", whole, "--output", tmp_path / "run", "-q")
    books = headrace.json("run", less, "--output", tmp_path / "run", "-q")["books"]
    assert [stage["stage"] for stage in books["stages"]] == ["read", "judge", "dedup"]


@pytest.mark.parametrize("spelling", ["{}//run", "{}/./run", "{}/run/", "{}/[r]un"])
def test_every_spelling_of_the_output_keeps_its_own_shards(headrace, tmp_path, spelling):
    corpus = write_corpus(tmp_path / "raw")
    path = tmp_path / "recipe.yaml"
    path.write_text(recipe(corpus))
    headrace("run", path, "--output", tmp_path / "run", "-q")
    before = digest(tmp_path / "run")
    headrace("run", path, "--output", spelling.format(tmp_path), "-q")
    assert digest(tmp_path / "run") == before
    assert headrace.json("verify", spelling.format(tmp_path) + "/shards")["ok"]
