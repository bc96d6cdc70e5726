# SPDX-License-Identifier: Apache-2.0
"""Manifest and verification as dicts."""

import pathlib
import shutil

import headrace
from small_run import LENGTH


def test_manifest(run):
    manifest = headrace.read_manifest(run.shards)
    assert (manifest["format"], manifest["sequence_length"], manifest["seed"]) == ("megatron", LENGTH, 7)
    assert manifest["samples"] == sum(shard["samples"] for shard in manifest["shards"])
    assert manifest["samples"] == headrace.Feed(run.shards).samples
    assert {domain["name"] for domain in manifest["domains"]} == {"news", "poems"}
    assert len(manifest["shards"]) > 1
    for shard in manifest["shards"]:
        for file in shard["files"]:
            assert pathlib.Path(run.shards, file["path"]).stat().st_size == file["bytes"]


def test_a_whole_set_is_ok(run):
    report = headrace.verify_shards(run.shards)
    assert report["ok"] is True
    assert report["broken"] == []
    assert report["samples"] == headrace.read_manifest(run.shards)["samples"]


def test_a_flipped_bit_is_found_and_named(run, tmp_path):
    folder = shutil.copytree(run.shards, tmp_path / "shards")
    name = headrace.read_manifest(folder)["shards"][0]["path"]
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).write_bytes(content)
    report = headrace.verify_shards(folder)
    assert report["ok"] is False
    assert any(damage["shard"] == name for damage in report["broken"])
