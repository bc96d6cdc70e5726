# SPDX-License-Identifier: Apache-2.0
"""tools/check_sources refuses each planted line and takes its harmless neighbours."""

import pytest
from planted_tree import SPDX

REFUSED = [
    ("src/read/x.cc", "using namespace std;", "using namespace"),
    ("docs/x.md", "NOCOM" + "MIT", "not to be committed"),
    ("src/read/x.cc", 'std::cout << "x";', "never prints"),
    ("src/read/x.cc", 'std::printf("x");', "never prints"),
    ("src/read/x.cc", "std::abort();", "never ends the process"),
    ("src/read/x.cc", "exit(1);", "never ends the process"),
    ("src/read/x.cc", "int n = rand();", "counter_rng"),
    ("src/read/x.cc", "auto t = time(nullptr);", "base/clock"),
    ("src/read/x.cc", "auto t = std::chrono::steady_clock::now();", "base/clock"),
    ("docs/x.md", "see /wo" + "rk/notes", "one machine"),
    ("docs/x.md", "run it in /tm" + "p/x", "one machine"),
    ("src/read/x.cc", "// TO" + "DO: later", "issue number"),
]

TAKEN = [
    ("src/read/x.cc", "namespace fs = std::filesystem;"),
    ("src/read/x.cc", "double mean_time(int x); watch.time(); one at a time (always)"),
    ("src/read/x.cc", "operand(); fmt::format(x); snprintf(buffer, 4, x); on_exit(f);"),
    ("src/read/x_test.cc", 'std::cout << "a test may print";'),
    ("apps/headrace/main.cc", 'std::cout << "the command prints";'),
    ("src/read/x.cc", "// TO" + "DO(#12): a numbered one"),
    ("docs/x.md", "a network/work/folder and https://example.org/home/page"),
    ("src/read/x.cc", "std::abort();  // check_sources: the one place"),
]


@pytest.mark.parametrize(("name", "line", "why"), REFUSED)
def test_refuses(tree, name, line, why):
    tree.write(name, f"{SPDX}{line}\n")
    code, _, errors = tree.run("check_sources")
    assert code == 1
    assert f"{name}:2: " in errors
    assert why in errors


@pytest.mark.parametrize(("name", "line"), TAKEN)
def test_takes(tree, name, line):
    tree.write(name, f"{SPDX}{line}\n")
    code, _, errors = tree.run("check_sources")
    assert (code, errors) == (0, "")


@pytest.mark.parametrize("name", ["src/read/x.cc", "src/read/x.h", "python/headrace/x.py", "tools/x"])
def test_refuses_a_source_without_licence(tree, name):
    tree.write(name, "#!/bin/sh\n" if name == "tools/x" else "int x;\n")
    code, _, errors = tree.run("check_sources")
    assert code == 1
    assert f"{name}:1: no SPDX line" in errors


def test_skips_binary_files(tree):
    (tree.root / "x.bin").write_bytes(b"\0 NOCOM" + b"MIT")
    assert tree.run("check_sources")[0] == 0
