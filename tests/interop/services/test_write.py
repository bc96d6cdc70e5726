# SPDX-License-Identifier: Apache-2.0
"""Files written to a real S3 gateway are there whole, when they are committed, or not at all."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pyarrow.fs
import pytest
from conftest import BUCKET, store
from fault_proxy import FaultProxy, Rule
from servers import ACCESS, SECRET, Gateway

SMALL = b"a few bytes"
LARGE = bytes(range(256)) * (23 << 12)  # 23 MiB: several parts


@pytest.fixture
def program() -> str:
    path = Path(os.environ["HEADRACE_COMMAND"]).parent / "tests/headrace_write_object"
    if not path.exists():
        pytest.skip(f"skipped: {path} is not built")
    return str(path)


def write(program: str, address: str, key: str, data: bytes, what: str) -> subprocess.CompletedProcess[bytes]:
    environment = {**os.environ, "AWS_ACCESS_KEY_ID": ACCESS, "AWS_SECRET_ACCESS_KEY": SECRET,
                   "AWS_EC2_METADATA_DISABLED": "true"}
    uri = f"s3://{BUCKET}/written/{key}?endpoint_override={address}&scheme=http"
    return subprocess.run([program, uri, what], input=data, capture_output=True, env=environment, check=False)


def found(gateway: Gateway, key: str) -> bytes | None:
    files = store(gateway.address)
    name = f"{BUCKET}/written/{key}"
    if files.get_file_info(name).type == pyarrow.fs.FileType.NotFound:
        return None
    with files.open_input_stream(name) as stream:
        return bytes(stream.read())


@pytest.mark.parametrize("data", [SMALL, LARGE, b""], ids=["small", "large", "empty"])
def test_committed(gateway: Gateway, program: str, data: bytes) -> None:
    key = f"committed-{len(data)}"
    done = write(program, gateway.address, key, data, "commit")
    assert done.returncode == 0, done.stderr
    assert found(gateway, key) == data


@pytest.mark.parametrize("data", [SMALL, LARGE], ids=["small", "large"])
def test_forgotten(gateway: Gateway, program: str, data: bytes) -> None:
    key = f"forgotten-{len(data)}"
    done = write(program, gateway.address, key, data, "forget")
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(len(data)).encode()
    assert found(gateway, key) is None


def test_faults_while_writing(gateway: Gateway, proxy: FaultProxy, program: str) -> None:
    proxy.rules = [Rule("^(PUT|POST) ", status=503, each=1)]
    done = write(program, proxy.address, "faults", LARGE, "commit")
    assert done.returncode == 0, done.stderr
    assert proxy.rules[0].hits > 1
    assert found(gateway, "faults") == LARGE


def test_server_that_stays_busy(gateway: Gateway, proxy: FaultProxy, program: str) -> None:
    proxy.rules = [Rule("^(PUT|POST) ", status=503)]
    done = write(program, proxy.address, "busy", LARGE, "commit")
    assert done.returncode == 3
    assert b"written/busy" in done.stderr
    assert b"after 5 tries" in done.stderr
    assert found(gateway, "busy") is None
