# SPDX-License-Identifier: Apache-2.0
"""What the help and the README say there is."""

import re

from small_corpus import ROOT


def commands(headrace):
    """The commands that --help lists, each with a sentence."""
    listed = headrace("--help")[0].split("Subcommands:")[1]
    return re.findall(r"^  ([a-z]+)\s", listed, flags=re.M)


def test_the_readme_shows_every_command(headrace):
    shown = set(re.findall(r"^headrace ([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.M))
    names = commands(headrace)
    assert {"run", "judge", "stats"} <= set(names)
    assert shown == set(names)


def test_the_help_begins_with_every_command(headrace):
    described = headrace("--help")[0].split("Options:")[0]
    assert set(re.findall(r"headrace ([a-z]+) ", described)) >= set(commands(headrace))
