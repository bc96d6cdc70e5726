# SPDX-License-Identifier: Apache-2.0
"""Runs whose inputs lie on web servers."""

from __future__ import annotations

import time
from pathlib import Path
from urllib.parse import quote

import pytest
from conftest import Run, Runner
from fault_proxy import FaultProxy, Rule
from servers import Nginx, RangeServer

NAMES = ["a/b/three.jsonl.gz", "a/b/two.jsonl.zst", "a/four.jsonl.bz2", "a/one.jsonl.zst", "c/large.jsonl",
         "p/table.parquet"]


@pytest.fixture(scope="module")
def on_disk(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    done = Runner(tmp_path_factory.mktemp("on_disk"))([f"{corpus}/{name}" for name in NAMES])
    assert done.exit_code == 0, done.stderr
    return done


def urls(address: str, prefix: str = "", query: str = "") -> list[str]:
    return [f"http://{address}/{prefix}{quote(name)}{query}" for name in NAMES]


def test_ranges(web: RangeServer | Nginx, on_disk: Run, run: Runner) -> None:
    done = run(urls(web.address))
    assert done.exit_code == 0, done.stderr
    assert done.parts() == on_disk.parts()


def test_rate_is_limited(web: RangeServer | Nginx, corpus: Path, run: Runner) -> None:
    size = (corpus / "c/large.jsonl").stat().st_size
    start = time.monotonic()
    done = run([f"http://{web.address}/c/large.jsonl"], HEADRACE_IO_RATE=str(size / 2))
    assert done.exit_code == 0, done.stderr
    assert time.monotonic() - start > 1  # a second's worth may pass at once, the file is read once at least


def test_server_without_ranges(web: RangeServer | Nginx, on_disk: Run, run: Runner) -> None:
    done = run(urls(web.address, "norange/"))
    assert done.exit_code == 0, done.stderr
    assert done.parts() == on_disk.parts()


def test_tls_redirects_and_signed_links(secure_web: tuple[RangeServer, Path], on_disk: Run, run: Runner) -> None:
    server, certificate = secure_web
    links = [url.replace("http://", "https://") for url in urls(server.address, "to/", "?X-Amz-Signature=SECRETfeed")]
    done = run(links, SSL_CERT_FILE=str(certificate))
    assert done.exit_code == 0, done.stderr
    assert done.parts() == on_disk.parts()
    assert any("X-Amz-Signature=SECRETfeed" in path for path in server.seen)
    for path in done.folder.rglob("*"):
        if path.is_file():
            assert b"SECRETfeed" not in path.read_bytes(), path


def test_unknown_certificate_is_refused(secure_web: tuple[RangeServer, Path], run: Runner) -> None:
    done = run([f"https://{secure_web[0].address}/c/large.jsonl"])
    assert done.exit_code == 3
    assert "certificate" in done.stderr


def test_faults(web: RangeServer | Nginx, on_disk: Run, run: Runner) -> None:
    proxy = FaultProxy(web.address)
    try:
        proxy.rules = [Rule("two", status=429, retry_after=1, each=1), Rule("large", truncate=2000, each=2),
                       Rule("one|four", reset=1000, each=1), Rule("parquet", status=503, each=2)]
        done = run(urls(proxy.address))
        assert done.exit_code == 0, done.stderr
        assert done.parts() == on_disk.parts()
        assert all(rule.hits > 0 for rule in proxy.rules)
    finally:
        proxy.close()


def test_missing_and_forbidden(web: RangeServer | Nginx, run: Runner) -> None:
    done = run([f"http://user:SECRETpw@{web.address}/nothing.jsonl"])
    assert done.exit_code == 3
    assert "no file matches 'http://***@" in done.stderr
    assert "SECRETpw" not in done.stderr


def test_pattern_is_refused(web: RangeServer | Nginx, run: Runner) -> None:
    done = run([f"http://{web.address}/*.jsonl"])
    assert done.exit_code == 2
    assert "cannot be listed" in done.stderr
