# SPDX-License-Identifier: Apache-2.0
"""tools/sum_tests reads what ctest and pytest write."""

import subprocess
import sys

import pytest
from planted_tree import TOOLS

CTEST = """<testsuite name="Linux" tests="4">
  <testcase name="a.B.C" classname="a.B.C" status="run"/>
  <testcase name="a.B.D" classname="a.B.D" status="fail"><failure message=""/></testcase>
  <testcase name="a.B.E" classname="a.B.E" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/></testcase>
</testsuite>"""
PYTEST = """<testsuites><testsuite name="pytest">
  <testcase classname="t" name="one"/>
  <testcase classname="t" name="two"><skipped message="no data"/></testcase>
  <testcase classname="t" name="three"><error message="fixture"/></testcase>
</testsuite></testsuites>"""


def run(folder, **files):
    for name, content in files.items():
        (folder / f"{name}.xml").write_text(content, encoding="utf-8")
    done = subprocess.run([sys.executable, TOOLS / "sum_tests", *sorted(folder.glob("*.xml"))],
                          capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def test_sums_and_names_failures(tmp_path):
    code, lines = run(tmp_path, ctest=CTEST, pytest=PYTEST)
    assert code == 1
    assert lines == ["failed: a.B.D a.B.D", "failed: t three", "2 passed, 2 failed, 2 skipped"]


@pytest.mark.parametrize(("files", "code", "last"), [
    ({"x": PYTEST.replace("<error", "<skipped")}, 0, "1 passed, 0 failed, 2 skipped"),
    ({}, 1, "0 passed, 0 failed, 0 skipped"),
])
def test_exit_code(tmp_path, files, code, last):
    got, lines = run(tmp_path, **files)
    assert (got, lines[-1]) == (code, last)


def test_a_missing_file_is_a_failure(tmp_path):
    done = subprocess.run([sys.executable, TOOLS / "sum_tests", tmp_path / "none.xml"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == "0 passed, 1 failed, 0 skipped\n"
