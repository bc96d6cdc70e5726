# SPDX-License-Identifier: Apache-2.0
"""A corpus on the disk, the same in a bucket of a real S3 gateway, and servers that fail."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.feather
import pyarrow.fs
import pyarrow.parquet
import pytest
from fault_proxy import FaultProxy
from servers import ACCESS, SECRET, Gateway, Nginx, RangeServer, make_certificate

BUCKET = "corpus"


def text(number: int) -> str:
    return f"文章 {number} 白日依山尽，黄河入海流。 The quick brown fox, {number * 7919} times. " * (1 + number % 5)


def lines(begin: int, end: int) -> bytes:
    records = ({"text": text(i), "url": f"https://example.org/{i}"} for i in range(begin, end))
    return b"".join(json.dumps(record, ensure_ascii=False).encode() + b"\n" for record in records)


def warc_record(number: int) -> bytes:
    body = f"<html><body><p>{text(number)}</p></body></html>".encode()
    answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
    head = (f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://example.org/{number}\r\n"
            f"WARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Record-ID: <urn:uuid:{number:032x}>\r\n"
            f"Content-Type: application/http; msgtype=response\r\nContent-Length: {len(answer)}\r\n\r\n")
    return head.encode() + answer + b"\r\n\r\n"


def compressed(codec: str, data: bytes) -> bytes:
    return pyarrow.compress(data, codec=codec, asbytes=True)


def write_corpus(folder: Path) -> None:
    """Every codec, folders, a file of several splits, Parquet of several row groups, odd names."""
    files = {
        "a/one.jsonl.zst": compressed("zstd", lines(0, 400)) + compressed("zstd", lines(400, 800)),
        "a/b/two.jsonl.zst": compressed("zstd", lines(800, 1000)),
        "a/b/three.jsonl.gz": compressed("gzip", lines(1000, 1100)),
        "a/four.jsonl.bz2": bz2.compress(lines(1100, 1200)) + bz2.compress(lines(1200, 1250)),
        "c/数据 1+1=2.jsonl": lines(1250, 1300),
        "c/large.jsonl": lines(1300, 35_000),
        "c/.hidden.jsonl": lines(0, 1),
        "r/rows.tsv.gz": gzip.compress("".join(["text\tn\n", *(f"{text(i)}\t{i}\n" for i in range(300))]).encode()),
        "r/pages.warc.gz": b"".join(gzip.compress(warc_record(i)) for i in range(300)),
    }
    for name, data in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    assert len(files["c/large.jsonl"]) > 9 << 20
    (folder / "p").mkdir()
    table = pyarrow.table({"text": [text(i) for i in range(35_000, 40_000)], "n": list(range(5000))})
    pyarrow.parquet.write_table(table, folder / "p/table.parquet", row_group_size=1000)
    pyarrow.feather.write_feather(table, folder / "r/table.arrow", compression="uncompressed", chunksize=1000)


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    write_corpus(folder)
    return folder


@pytest.fixture(scope="session")
def gateway(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> Iterator[Gateway]:
    """The gateway, with the corpus in its bucket."""
    server = Gateway(tmp_path_factory.mktemp("gateway"), os.environ["HEADRACE_WEED"])
    try:
        files = store(server.address)
        files.create_dir(BUCKET)
        for path in sorted(corpus.rglob("*")):
            if path.is_file():
                name = f"{BUCKET}/{path.relative_to(corpus)}"
                with files.open_output_stream(name, compression=None) as stream:
                    stream.write(path.read_bytes())
        yield server
    finally:
        server.close()


def store(address: str) -> pyarrow.fs.S3FileSystem:
    return pyarrow.fs.S3FileSystem(access_key=ACCESS, secret_key=SECRET, endpoint_override=address, scheme="http",
                                   region="us-east-1", allow_bucket_creation=True)


@pytest.fixture
def proxy(gateway: Gateway) -> Iterator[FaultProxy]:
    """In front of the gateway."""
    made = FaultProxy(gateway.address)
    yield made
    made.close()


@pytest.fixture(scope="session", params=["python", "nginx"])
def web(request: pytest.FixtureRequest, corpus: Path, tmp_path_factory: pytest.TempPathFactory
        ) -> Iterator[RangeServer | Nginx]:
    if request.param == "nginx" and shutil.which("nginx") is None:
        pytest.skip("skipped: nginx is not installed")
    if request.param == "nginx":
        state = tmp_path_factory.mktemp("nginx")
        for folder in (state, corpus, *corpus.parents):  # nginx's worker is another user
            if folder.stat().st_uid == os.getuid() and folder != Path("/"):
                folder.chmod(folder.stat().st_mode | 0o055)
        server: RangeServer | Nginx = Nginx(state, corpus)
    else:
        server = RangeServer(corpus)
    yield server
    server.close()


@pytest.fixture(scope="session")
def secure_web(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RangeServer, Path]]:
    """A server with TLS, and its certificate."""
    certificate = make_certificate(tmp_path_factory.mktemp("certificate"))
    if certificate is None:
        pytest.skip("skipped: openssl is not installed")
    server = RangeServer(corpus, certificate)
    yield server, certificate
    server.close()


@dataclass(frozen=True)
class Run:
    folder: Path
    exit_code: int
    stderr: str
    result: dict[str, Any]

    def parts(self) -> dict[str, bytes]:
        """The parts that hold documents and what was measured of them."""
        found = sorted(path for folder in ("normalized", "measures", "hashes", "verdict")
                       for path in (self.folder / folder).glob("part-*"))
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in found}


class Runner:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.number = 0

    def __call__(self, paths: list[str], *, credentials: tuple[str, str] | None = (ACCESS, SECRET),
                 **environment: str) -> Run:
        """`headrace run` on these paths, in an environment without credentials but those given."""
        self.number += 1
        recipe = self.folder / f"recipe-{self.number}.yaml"
        output = self.folder / f"run-{self.number}"
        recipe.write_text(f"sources:\n  - {{domain: all, paths: {json.dumps(paths, ensure_ascii=False)}}}\n"
                          f"judge: {{preset: none}}\noutput: {json.dumps(str(output))}\n", encoding="utf-8")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        clean.update(AWS_EC2_METADATA_DISABLED="true", HOME=str(self.folder), no_proxy="127.0.0.1", **environment)
        if credentials:
            clean.update(AWS_ACCESS_KEY_ID=credentials[0], AWS_SECRET_ACCESS_KEY=credentials[1])
        done = subprocess.run([os.environ["HEADRACE_COMMAND"], "run", str(recipe), "--json"], capture_output=True,
                              text=True, env=clean, check=False, timeout=600)
        result = json.loads(done.stdout) if done.returncode == 0 else {}
        return Run(output, done.returncode, done.stderr, result)


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    return Runner(tmp_path)


PATTERNS = ["**/*.jsonl.zst", "**/*.jsonl.gz", "**/*.bz2", "c/*.jsonl", "p/*.parquet", "r/*"]


@pytest.fixture(scope="session")
def local(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """What the run on the disk gives."""
    done = Runner(tmp_path_factory.mktemp("local"))([f"{corpus}/{pattern}" for pattern in PATTERNS])
    assert done.exit_code == 0, done.stderr
    return done
