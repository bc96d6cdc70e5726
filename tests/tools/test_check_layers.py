# SPDX-License-Identifier: Apache-2.0
"""tools/check_layers takes what is allowed and refuses each kind of breach."""

import pytest
from planted_tree import SPDX

ALLOWED = [
    ("src/read/jsonl.cc", "record/document.h"),
    ("src/read/jsonl.cc", "base/hash.h"),           # through DEPS of io
    ("src/read/jsonl.cc", "read/reader.h"),
    ("src/read/jsonl.cc", "headrace/result.h"),
    ("src/record/document.cc", "record/internal/pool.h"),
    ("apps/headrace/main.cc", "headrace/run.h"),
    ("bench/micro/hash_bench.cc", "base/hash.h"),
    ("tests/e2e/run_test.cc", "read/reader.h"),
    ("include/headrace/feed.h", "headrace/result.h"),
]

REFUSED = [
    ("src/base/hash.cc", "io/file.h", "upward"),
    ("src/read/jsonl.cc", "curate/recipe.h", "upward"),
    ("src/read/jsonl.cc", "judge/judge.h", "sideways"),
    ("src/io/file.cc", "record/document.h", "sideways"),
    ("src/read/jsonl.cc", "rooms/x.h", "names no room"),
    ("src/read/jsonl.cc", "reader.h", "names no room"),
    ("src/read/jsonl.cc", "record/internal/pool.h", "private to room 'record'"),
    ("src/kitchen/x.cc", "base/hash.h", "has no level"),
    ("apps/headrace/main.cc", "read/reader.h", "includes only headrace/*.h"),
    ("python/src/module.cc", "base/hash.h", "includes only headrace/*.h"),
    ("bench/micro/x.cc", "kitchen/x.h", "includes only headrace/*.h, rooms"),
    ("include/headrace/feed.h", "base/hash.h", "a public header includes only public headers"),
]


@pytest.mark.parametrize(("name", "include"), ALLOWED)
def test_allows(tree, name, include):
    tree.write(name, f'{SPDX}#include <vector>\n#include "{include}"\n// #include "curate/x.h"\n')
    code, _, errors = tree.run("check_layers")
    assert (code, errors) == (0, "")


@pytest.mark.parametrize(("name", "include", "why"), REFUSED)
def test_refuses(tree, name, include, why):
    tree.write(name, f'{SPDX}#include "{include}"\n')
    code, _, errors = tree.run("check_layers")
    assert code == 1
    assert name in errors
    assert why in errors


def test_refuses_an_include_that_deps_do_not_list(tree):
    tree.write("src/record/CMakeLists.txt", "headrace_room(NAME record SOURCES x.cc)  # DEPS base\n")
    tree.write("src/record/document.cc", f'{SPDX}#include "base/hash.h"\n')
    code, _, errors = tree.run("check_layers")
    assert code == 1
    assert "src/record/document.cc:2: \"base/hash.h\": 'base' is not in DEPS" in errors


def test_names_a_cycle(tree):
    tree.write("src/read/x.cc", f'{SPDX}#include "judge/judge.h"\n')
    tree.write("src/judge/x.cc", f'{SPDX}#include "read/reader.h"\n')
    assert "cycle of rooms: judge -> read -> judge" in tree.run("check_layers")[2]


def test_draws_the_rooms_without_implied_edges(tree):
    tree.write("src/record/x.cc", f'{SPDX}#include "base/hash.h"\n')
    tree.write("src/read/x.cc", f'{SPDX}#include "record/document.h"\n#include "base/hash.h"\n')
    code, drawing, _ = tree.run("check_layers", "--draw")
    assert code == 0
    assert "2  read       record base" in drawing
    assert "read -> record;" in drawing
    assert "read -> base;" not in drawing
