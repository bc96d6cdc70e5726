#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One large compressed file: both cores busy to the end, bounded memory, kill -9 in the middle, the same bytes after it.

    bench/flow/big_file_bench.py [--command build/headrace] [--gigabytes 4] [--frames 64] [--threads 2] [--data DIR]

Writes JSON Lines into one .zst of so many frames that are cut without regard to lines (--frames 1: a file that can not be
cut), runs a recipe over it, then runs it again, kills that run half way and resumes it. Checks the books, that what was
committed before the kill is not done again, and that both run directories are equal byte for byte. Text is real where --data
or HEADRACE_DATA is given, else drawn from a seed; each document begins with its number.

"used" are cores of CPU time; "wanted" counts the time that threads of the run waited for a core as well, which is what
would be used on a machine that nobody else works on. --gigabytes needs twice as much in the temporary folder (TMPDIR).
"""

import argparse
import hashlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import curate_bench

SECOND = 1e9


def write_file(path, texts, megabytes, frames):
    """(documents, bytes) of a .zst whose frames hold the same number of bytes."""
    pieces = [json.dumps(piece, ensure_ascii=False)[1:].encode() for piece in curate_bench.documents(texts, random.Random(1))]
    frame_bytes = int(megabytes * 1e6) // frames
    buffer, count, total = bytearray(), 0, 0
    with open(path, "wb") as file:
        for frame in range(frames):
            while len(buffer) < frame_bytes:
                buffer += b'{"url": "http://example.org/%d", "text": "%d\\n%s}\n' % (count, count, pieces[count % len(pieces)])
                count += 1
            end = len(buffer) if frame == frames - 1 else frame_bytes
            # A file, not a pipe, so that the frame's header states what it holds.
            raw = path.with_suffix(".raw")
            raw.write_bytes(memoryview(buffer)[:end])
            file.write(subprocess.run(["zstd", "-q", "-3", "-c", raw], capture_output=True, check=True).stdout)
            raw.unlink()
            del buffer[:end]
            total += end
    return count, total


class Watch:
    """What the threads of a process ran and waited for a core, and its peak memory, sampled."""

    def __init__(self, pid, run):
        self.pid, self.run, self.threads, self.samples = pid, run, {}, []
        self.peak_kib = 0  # not ru_maxrss: that counts what this script held when it started the process

    def sample(self):
        try:
            for thread in os.listdir(f"/proc/{self.pid}/task"):
                ran, waited, _ = open(f"/proc/{self.pid}/task/{thread}/schedstat").read().split()
                self.threads[thread] = (int(ran), int(waited))
            status = open(f"/proc/{self.pid}/status").read()
            self.peak_kib = int(status.split("VmHWM:")[1].split()[0])
        except (OSError, ValueError, IndexError):
            return
        commits = len(list((self.run / "tasks/documents").glob("*.json")))
        ran, waited = (sum(column) for column in zip(*self.threads.values()))
        self.samples.append((time.monotonic(), ran, waited, commits))

    def cores(self, first, last):
        """Cores used and wanted between two shares of the time until the last document was committed."""
        total = self.samples[-1][3]
        stage = [sample for sample in self.samples if sample[3] < total] or self.samples
        part = stage[int(first * len(stage)) : max(int(last * len(stage)), int(first * len(stage)) + 2)]
        if len(part) < 2:
            return 0.0, 0.0
        seconds = part[-1][0] - part[0][0]
        ran, waited = part[-1][1] - part[0][1], part[-1][2] - part[0][2]
        return ran / SECOND / seconds, (ran + waited) / SECOND / seconds


def run(options, recipe, output, kill_after=None):
    """(result, watch, rusage, seconds); the result is None when the run was killed."""
    start = time.monotonic()
    arguments = [options.command, "run", recipe, "--output", output, "--threads", options.threads, "-q", "--json"]
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([str(argument) for argument in arguments], stdout=out)
        watch = Watch(process.pid, output)
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            watch.sample()
            if kill_after is not None and time.monotonic() - start > kill_after:
                process.send_signal(signal.SIGKILL)
            time.sleep(0.1)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read()
    if process.returncode == -signal.SIGKILL and kill_after is not None:
        return None, watch, usage, time.monotonic() - start
    assert process.returncode == 0, text
    return json.loads(text), watch, usage, time.monotonic() - start


def digest(folder):
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.name != ".lock":
            with open(path, "rb") as file:
                found[str(path.relative_to(folder))] = hashlib.file_digest(file, "sha256").hexdigest()
    return found


def bench(options, texts, folder):
    packed = folder / "big.jsonl.zst"
    count, size = write_file(packed, texts, options.gigabytes * 1000, options.frames)
    packed_gb = packed.stat().st_size / 1e9
    print(f"{size / 1e9:.2f} GB of JSON Lines, {count} documents, in {options.frames} frames of {packed_gb:.2f} GB", flush=True)
    recipe = folder / "recipe.yaml"
    recipe.write_text(curate_bench.recipe(packed))

    result, watch, usage, seconds = run(options, recipe, folder / "calm")
    books = result["books"]
    assert books["balanced"] and books["in"] == count, books
    cpu = usage.ru_utime + usage.ru_stime
    parts = len(list((folder / "calm/normalized").iterdir()))
    print(f"run: {seconds:.1f} s, {size / 1e6 / cpu:.1f} MB/s of CPU, {parts} parts, peak {watch.peak_kib / 1024:.0f} MiB", flush=True)
    for name, first, last in (("reading", 0, 1), ("its last tenth", 0.9, 1)):
        used, wanted = watch.cores(first, last)
        print(f"  cores in {name}: {used:.2f} used, {wanted:.2f} wanted", flush=True)

    killed, *_ = run(options, recipe, folder / "killed", kill_after=seconds / 2)
    assert killed is None, "the run ended before it was killed"
    commits = {path: path.stat().st_mtime_ns for path in (folder / "killed/tasks/documents").glob("*.json")}
    assert commits or options.frames == 1, "nothing was committed before the kill"
    result, *_, seconds = run(options, recipe, folder / "killed")
    assert result["books"] == books
    assert all(path.stat().st_mtime_ns == before for path, before in commits.items()), "work was done twice"
    assert digest(folder / "calm") == digest(folder / "killed"), "other bytes after kill and resume"
    print(f"killed with {len(commits)} of {parts} tasks done; resumed in {seconds:.1f} s: the same bytes")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--command", type=pathlib.Path, default=pathlib.Path("build/headrace"))
    parser.add_argument("--gigabytes", type=float, default=4)
    parser.add_argument("--frames", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("HEADRACE_DATA"))
    options = parser.parse_args()
    if not options.command.exists():
        sys.exit(f"{options.command} is not there: make build")
    if options.data:
        texts = [*curate_bench.chinese(pathlib.Path(options.data)), *curate_bench.english(pathlib.Path(options.data))]
    else:
        texts = list(curate_bench.drawn(["黄河之水", "天上来，", "the river ", "turns slowly, ", "奔流到海\n"], 1))
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        bench(options, texts, pathlib.Path(folder))


if __name__ == "__main__":
    main()
