# SPDX-License-Identifier: Apache-2.0
"""A small source tree in which a test plants one violation, and a way to run a tool on it."""

import pathlib
import subprocess
import sys

import pytest

TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"


class Tree:
    def __init__(self, root):
        self.root = root
        self.write("cmake/Rooms.cmake", "set(HEADRACE_LEVELS\n    base:0 io:1 record:1\n    read:2 judge:2\n    curate:4)\n")
        self.write("src/base/hash.h", SPDX)
        self.write("src/read/CMakeLists.txt", "headrace_room(NAME read DEPS io record SOURCES x.cc)\n")
        self.write("src/io/CMakeLists.txt", "headrace_room(NAME io DEPS base SOURCES x.cc)\n")
        self.write("src/record/CMakeLists.txt", "headrace_room(NAME record DEPS base SOURCES x.cc)\n")

    def write(self, name, content):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")

    def run(self, tool, *flags):
        """(exit code, stdout, stderr)."""
        done = subprocess.run([sys.executable, TOOLS / tool, "--root", self.root, *flags],
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)
