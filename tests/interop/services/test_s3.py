# SPDX-License-Identifier: Apache-2.0
"""A run whose input lies in a real S3 gateway gives the bytes of the run on the disk, also when requests fail."""

from __future__ import annotations

import json

import pytest
from conftest import BUCKET, PATTERNS, Run, Runner
from fault_proxy import FaultProxy, Rule
from servers import ACCESS, SECRET, Gateway


def assert_same(remote: Run, local: Run) -> None:
    assert remote.exit_code == 0, remote.stderr
    ours, theirs = remote.parts(), local.parts()
    assert list(ours) == list(theirs)
    assert [name for name in ours if ours[name] != theirs[name]] == []
    for key in ("in", "kept", "dropped", "quarantined"):
        assert remote.result["books"].get(key) == local.result["books"].get(key)


def by_query(address: str) -> list[str]:
    return [f"s3://{BUCKET}/{pattern}?endpoint_override={address}&scheme=http" for pattern in PATTERNS]


def test_endpoint_in_the_uri(gateway: Gateway, local: Run, run: Runner) -> None:
    assert_same(run(by_query(gateway.address)), local)


def test_endpoint_in_the_environment(gateway: Gateway, local: Run, run: Runner) -> None:
    paths = [f"s3://{BUCKET}/{pattern}" for pattern in PATTERNS]
    done = run(paths, AWS_ENDPOINT_URL=f"http://{gateway.address}")
    assert_same(done, local)
    inputs = json.loads((done.folder / "run.json").read_text(encoding="utf-8"))["inputs"]
    assert inputs[0]["path"] == f"s3://{BUCKET}/a/b/three.jsonl.gz"
    assert all(entry["bytes"] > 0 and entry["modified_ns"] > 0 for entry in inputs)


def test_credentials_in_the_uri_are_shown_nowhere(gateway: Gateway, local: Run, run: Runner) -> None:
    paths = [path.replace("s3://", f"s3://{ACCESS}:{SECRET}@") for path in by_query(gateway.address)]
    done = run(paths, credentials=None)
    assert_same(done, local)
    for path in done.folder.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path


def test_busy_server(proxy: FaultProxy, local: Run, run: Runner) -> None:
    proxy.rules = [Rule("", status=503, each=1)]
    assert_same(run(by_query(proxy.address)), local)
    assert proxy.rules[0].hits > 10


def test_resets_truncations_and_latency(proxy: FaultProxy, local: Run, run: Runner) -> None:
    proxy.rules = [Rule("^GET .*jsonl", reset=5000, each=1), Rule("^GET ", truncate=1000, each=1),
                   Rule("^GET .*parquet", status=500, each=1), Rule("", latency=0.02)]
    assert_same(run(by_query(proxy.address)), local)
    assert all(rule.hits > 0 for rule in proxy.rules)


@pytest.mark.parametrize("name", ["c/large.jsonl", "p/table.parquet", "r/table.arrow"])
def test_server_that_stays_busy_is_told(proxy: FaultProxy, run: Runner, name: str) -> None:
    """A file that cannot be read is no damaged file: the run fails, nothing is set aside."""
    proxy.rules = [Rule(f"^GET /corpus/{name}", status=503)]
    done = run(by_query(proxy.address))
    assert done.exit_code == 3
    assert f"s3://{BUCKET}/{name}" in done.stderr
    assert "after 5 tries" in done.stderr


def test_listing_that_fails_is_told(proxy: FaultProxy, run: Runner) -> None:
    proxy.rules = [Rule("list-type", status=503)]
    done = run(by_query(proxy.address), HEADRACE_IO_TRIES="2")
    assert done.exit_code == 3
    assert "after 2 tries" in done.stderr


def test_wrong_secret_is_one_clear_error(gateway: Gateway, run: Runner) -> None:
    done = run(by_query(gateway.address), credentials=(ACCESS, "wrongsecretNEVERSHOWN"))
    assert done.exit_code == 3
    assert done.stderr.count("\n") == 1
    assert "NEVERSHOWN" not in done.stderr
    assert f"s3://{BUCKET}/" in done.stderr


def test_unknown_key(gateway: Gateway, run: Runner) -> None:
    done = run(by_query(gateway.address), credentials=("nobodyNEVERSHOWN", SECRET))
    assert done.exit_code == 3
    assert "NEVERSHOWN" not in done.stderr


def test_nothing_matches(gateway: Gateway, run: Runner) -> None:
    done = run([f"s3://{BUCKET}/none/*.jsonl?endpoint_override={gateway.address}&scheme=http"])
    assert done.exit_code == 3
    assert "no file matches" in done.stderr


def test_missing_bucket(gateway: Gateway, run: Runner) -> None:
    done = run([f"s3://nobucket/*.jsonl?endpoint_override={gateway.address}&scheme=http"])
    assert done.exit_code == 3
