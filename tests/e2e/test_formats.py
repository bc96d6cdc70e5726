# SPDX-License-Identifier: Apache-2.0
"""One run over every input format: the books balance, each record is a document or told by name."""

import csv
import gzip
import io
import json
import tarfile

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from small_corpus import CHINESE, digest, recipe

PAGE = "<!DOCTYPE html><html><body><p>第{}页 &lt;正文&gt; " + CHINESE + "</p></body></html>"


def http(body, content_type="text/html; charset=utf-8", status="200 OK", extra=""):
    return f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\n{extra}\r\n".encode() + body


def record(kind, block, content_type="application/http", **headers):
    lines = [f"WARC/1.0\r\nWARC-Type: {kind}", f"Content-Type: {content_type}", f"Content-Length: {len(block)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + block + b"\r\n\r\n"


def write_warc(folder):
    """What crawlers write, a member a record; one member is damaged, the last one cut off."""

    def page(number, body=None, **options):
        body = PAGE.format(number).encode() if body is None else body
        return record("response", http(body, **options), WARC_Target_URI=f"http://a.cn/{number}")

    records = [record("warcinfo", b"software: test\r\n", "application/warc-fields")]
    records += [page(number) for number in range(20)]
    records += [
        page(20, PAGE.format(20).encode("gb18030"), content_type="text/html; charset=gb2312"),
        page(21, gzip.compress(PAGE.format(21).encode()), extra="Content-Encoding: gzip\r\n"),
        page(22, b"5\r\n<html\r\n1\r\n>\r\n0\r\n\r\n", extra="Transfer-Encoding: chunked\r\n"),
        page(23, status="404 Not Found"),
        page(24, b"\x89PNG", content_type="image/png"),
        record("revisit", b"", WARC_Target_URI="http://a.cn/0"),
        record("conversion", "一页纸".encode(), "text/plain", WARC_Target_URI="http://a.cn/"),
    ]
    members = [gzip.compress(one) for one in records]
    damaged = bytearray(gzip.compress(page(25)))
    damaged[-6] ^= 1  # its checksum
    members[3:3] = [bytes(damaged)]
    (folder / "crawl.warc.gz").write_bytes(b"".join(members) + gzip.compress(page(26))[:-20])
    return {
        "documents": 24,
        "dropped": {"warc_metadata": 1, "http_status": 1, "not_text": 1, "revisit": 1},
        "quarantined": 2,
    }


def write_csv(folder):
    with open(folder / "rows.csv", "w", encoding="utf-8-sig", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "text", "note"])
        for number in range(10):
            rows.writerow([12345678901234567890, f'第{number}行, "引号"\n换行', "2024-01-02"])
        file.write("ragged,row\r\n")
    with open(folder / "rows.tsv", "wb") as file:
        file.write("text\tn\n制表\t1\n".encode("gb18030") * 1 + "数据清洗编码模式\t2\n".encode("gb18030"))
    return {"documents": 12, "quarantined": 1}


def write_tar(folder):
    with tarfile.open(folder / "pages.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for name, data in {
            "site/" + "长" * 60 + "/index.html": PAGE.format(1).encode(),
            "site/notes.txt": "笔记".encode(),
            "src/main.py": b"print(1)\n",
            "src/data.bin": b"\0\1",
        }.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return {"documents": 3, "dropped": {"not_text": 1}}


def write_arrow(folder):
    table = pa.table({"text": ["甲", None, "丙"] * 5, "n": pa.array([2**63] * 15, pa.uint64())})
    with pa.OSFile(str(folder / "rows.arrow"), "wb") as file, pa.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=4)
    return {"documents": 10, "dropped": {"text_null": 5}}


def write_files(folder):
    (folder / "page.html").write_bytes(PAGE.format("GB").replace("<html>", "<html><meta charset=gbk>").encode("gbk"))
    (folder / "tree/.git").mkdir(parents=True)
    (folder / "tree/.git/HEAD").write_bytes(b"ref: x\n")
    (folder / "tree/a.rs").write_bytes(b"fn main() {}\n")
    (folder / "tree/a.o").write_bytes(b"\x7fELF\0")
    return {"documents": 2, "dropped": {"binary_file": 1}}


@pytest.fixture
def corpus(tmp_path):
    """(recipe path, what each domain should count)."""
    raw = tmp_path / "raw"
    raw.mkdir()
    expected = {
        "warc": write_warc(raw),
        "csv": write_csv(raw),
        "tar": write_tar(raw),
        "arrow": write_arrow(raw),
        "files": write_files(raw),
    }
    sources = [
        {"domain": "warc", "paths": [f"{raw}/*.warc.gz"]},
        {"domain": "csv", "paths": [f"{raw}/rows.csv"]},
        {"domain": "csv", "paths": [f"{raw}/rows.tsv"], "encoding": "gb18030"},
        {"domain": "tar", "paths": [f"{raw}/*.tar.gz"]},
        {"domain": "arrow", "paths": [f"{raw}/*.arrow"]},
        {"domain": "files", "paths": [f"{raw}/page.html"]},
        {"domain": "files", "paths": [f"{raw}/tree/**"], "format": "code"},
    ]
    path = tmp_path / "recipe.yaml"
    path.write_text(
        recipe(raw, sources=sources, normalize=[], judge=None, dedup=None, tokenize=None, pack=None, shards=None)
    )
    return path, expected


def test_every_format(headrace, corpus, tmp_path):
    path, expected = corpus
    books = headrace.json("run", path, "--output", tmp_path / "run", "-q")["books"]
    assert books["balanced"]
    dropped = {}
    for counts in expected.values():
        for reason, count in counts.get("dropped", {}).items():
            dropped[reason] = dropped.get(reason, 0) + count
    assert books["dropped"] == dropped
    assert books["kept"] == sum(counts["documents"] for counts in expected.values())
    assert books["quarantined"] == sum(counts.get("quarantined", 0) for counts in expected.values())

    kept = headrace.lines("cat", tmp_path / "run", "--kept")
    by_domain = {}
    for document in kept:
        by_domain.setdefault(document["domain"], []).append(document["text"])
    assert {name: len(texts) for name, texts in by_domain.items()} == {
        name: counts["documents"] for name, counts in expected.items()
    }
    assert by_domain["warc"][20:23] == [PAGE.format(20), PAGE.format(21), "<html>"]
    assert by_domain["csv"][0] == '第0行, "引号"\n换行' and by_domain["csv"][-1] == "数据清洗编码模式"
    assert by_domain["arrow"] == ["甲", "丙"] * 5
    assert "第GB页" in by_domain["files"][0] and by_domain["files"][1] == "fn main() {}\n"
    quarantined = {entry["reason"] for entry in headrace.lines("cat", tmp_path / "run", "--quarantined")}
    assert quarantined == {"corrupt", "truncated", "ragged_row"}

    # A record is found again by its id, also by the place of its member.
    story = headrace.json("explain", tmp_path / "run", kept[5]["id"])
    assert story["id"] == kept[5]["id"]


def test_any_threads_give_the_same(headrace, corpus, tmp_path):
    path, _ = corpus
    for threads in (1, 3):
        headrace("run", path, "--output", tmp_path / f"run{threads}", "--threads", threads, "-q")
    parts = [digest(tmp_path / f"run{threads}/normalized") for threads in (1, 3)]
    assert parts[0] == parts[1] and parts[0]


def test_meta_keeps_exact_numbers(headrace, corpus, tmp_path):
    path, _ = corpus
    headrace("run", path, "--output", tmp_path / "run", "-q")
    table = parquet.read_table(tmp_path / "run/normalized")
    metas = [json.loads(meta) for meta in table["meta"].to_pylist() if meta]
    assert {meta["n"] for meta in metas if "n" in meta and isinstance(meta["n"], int)} == {2**63}
    assert {meta["id"] for meta in metas if "note" in meta} == {"12345678901234567890"}
    pages = [meta for meta in metas if meta.get("url", "").startswith("http://a.cn/2")]
    assert all(page["status"] == 200 for page in pages) and pages[-1]["encoding"] == "utf-8"
