# SPDX-License-Identifier: Apache-2.0
"""tools/check_size and tools/structure_numbers count what they say."""

from planted_tree import SPDX


def function(length, head="int add(int a) {"):
    return head + "\n" + "  a += 1;\n" * (length - 2) + "}\n"


def test_silent_on_small_files(tree):
    tree.write("src/read/x.cc", SPDX + function(60))
    assert tree.run("check_size", "--strict") == (0, 'check_size: 0 past "ask why", 0 of them past "split it"\n', "")


def test_lists_a_long_function(tree):
    tree.write("src/read/x.cc", SPDX + function(10) + function(61, "Result<int> Reader::next(int a,\n    int b) {"))
    code, out, _ = tree.run("check_size", "--strict")
    assert code == 0
    assert "why:   src/read/x.cc:12: 62 lines, a function asks why at 60" in out
    assert "Result<int> Reader::next" in out


def test_strict_fails_past_split(tree):
    tree.write("src/read/x.cc", SPDX + function(81))
    assert tree.run("check_size")[0] == 0
    assert tree.run("check_size", "--strict")[0] == 1


def test_a_class_is_no_function(tree):
    tree.write("src/read/x.cc", SPDX + "class Reader final : public Base<int()> {\n" + "  int x_;\n" * 100 + "};\n")
    assert "0 past" in tree.run("check_size")[1]


def test_unit_files_have_the_shorter_limit(tree):
    tree.write("src/read/CMakeLists.txt", "headrace_units(OUT units ROOM read UNITS jsonl.cc)\n")
    tree.write("src/read/jsonl.cc", SPDX + "int x;\n" * 150)
    tree.write("src/read/other.cc", SPDX + "int x;\n" * 150)
    out = tree.run("check_size")[1]
    assert "src/read/jsonl.cc: 151 lines, a unit" in out
    assert "other.cc" not in out


def test_python_functions_count(tree):
    tree.write("tools/x.py", "def f():\n" + "    pass\n" * 60)
    assert "tools/x.py:1: 61 lines, a function" in tree.run("check_size")[1]


def test_structure_numbers(tree):
    tree.write("src/read/a.cc", SPDX + "// why\n" + "int x;\n" * 8)
    tree.write("src/read/b.cc", SPDX + "int x;\n" * 29)
    tree.write("src/read/a_test.cc", SPDX + "int x;\n" * 19)
    code, out, _ = tree.run("structure_numbers")
    assert code == 0
    # 41 lines of .cc and .h (hash.h has one); one comment line in 40 lines of .cc; 20 test lines.
    assert out.splitlines()[-1] == "| 2 | 41 | 10 / 30 | 0 / 2 | 0.49 | none |"
