# SPDX-License-Identifier: Apache-2.0
"""tools/setup says in one line what is needed, what was found and how to get it, and changes nothing it may not.

The machine is played by small programs in front of PATH: apt-get, dpkg-query, id, sudo, python3.
"""

import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]


class Machine:
    """A copy of what setup reads, and a PATH that begins with played programs."""

    def __init__(self, folder):
        self.clone = folder / "clone"
        self.programs = folder / "bin"
        self.programs.mkdir()
        for name in ("tools/setup", "tools/debian-packages.txt", "python/requirements.txt"):
            (self.clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(REPOSITORY / name, self.clone / name)
        self.play("dpkg-query", 'shift 3; for p; do echo "installed $p"; done')
        self.play("apt-get", "exit 100")
        self.play("sudo", "exit 1")
        self.play("id", "echo 0")

    def play(self, name, script):
        path = self.programs / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def setup(self, *arguments, prefix=(), **environment):
        return subprocess.run(
            [*prefix, "bash", self.clone / "tools/setup", *arguments], capture_output=True, text=True, check=False,
            env={**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}", **environment})


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def open_folder():
    """A folder that another user can enter; pytest's own are closed."""
    folder = pathlib.Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def only_line(done):
    lines = [line for line in done.stderr.splitlines() if line.startswith("setup: needed:")]
    assert len(lines) == 1, done.stderr
    assert "; found: " in lines[0]
    assert "; get it: " in lines[0]
    return lines[0]


MISSING_ONE = 'shift 3; for p; do [ "$p" = libfmt-dev ] || echo "installed $p"; done'


def test_missing_library_without_root(machine):
    machine.play("dpkg-query", MISSING_ONE)
    machine.play("id", "echo 1000")
    done = machine.setup()
    assert done.returncode == 3
    line = only_line(done)
    assert "needed: Debian packages libfmt-dev; found: not installed, and no right to install (uid 1000" in line
    assert "apt-get install -y --no-install-recommends libfmt-dev" in line
    assert not (machine.clone / ".venv").exists()


def test_missing_library_without_network(machine):
    machine.play("dpkg-query", MISSING_ONE)
    done = machine.setup()
    assert done.returncode == 3
    assert "needed: Debian packages libfmt-dev; found: apt-get could not install them" in only_line(done)


def test_check_installs_nothing(machine):
    machine.play("dpkg-query", MISSING_ONE)
    machine.play("apt-get", "touch called")
    done = machine.setup("--check")
    assert done.returncode == 3
    packages, wheels = done.stderr.splitlines()
    assert "needed: Debian packages libfmt-dev; found: not installed; get it: " in packages
    assert "needed: .venv with the wheels of python/requirements.txt; found: missing or older; get it: tools/setup" in wheels
    assert not (machine.clone / "called").exists()


def test_old_python(machine):
    for name in ("python3", "python3.11", "python3.12", "python3.13"):
        machine.play(name, '[ "$2" = "import platform; print(platform.python_version())" ] && { echo 3.9.2; exit 0; }; exit 1')
    done = machine.setup(PYTHON="python3")
    assert done.returncode == 3
    assert "needed: Python 3.11 or newer; found: 3.9.2 (python3)" in only_line(done)


def test_python_without_venv(machine):
    machine.play("python3", '[ "$1" = -c ] && exit 0; echo "Python 3.11.2"; exit 1')
    done = machine.setup(PYTHON="python3")
    assert done.returncode == 3
    assert "apt-get install -y python3-venv" in only_line(done)


@pytest.mark.skipif(os.getuid() != 0, reason="skipped: giving up rights needs root")
def test_no_right_to_write(open_folder):
    machine = Machine(open_folder)
    done = machine.setup(prefix=("setpriv", "--reuid=65534", "--clear-groups"))
    assert done.returncode == 3
    line = only_line(done)
    assert f"needed: the right to write {machine.clone}/.venv; found: none" in line
    assert "chown -R" in line


def test_wheels_without_network(machine):
    done = machine.setup(PIP_INDEX_URL="http://127.0.0.1:9/simple", PIP_NO_INDEX="1", PIP_FIND_LINKS="", PIP_RETRIES="0")
    assert done.returncode == 3
    assert "needed: the wheels of python/requirements.txt; found: pip could not install them" in only_line(done)
    assert not (machine.clone / ".venv/headrace-requirements").exists()


def test_unknown_option_is_refused(machine):
    done = machine.setup("--chek")
    assert done.returncode == 2
    assert "unknown option --chek" in done.stderr
