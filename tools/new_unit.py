#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Starts a unit: its .cc, its test and its two lines of CMake.

    tools/new_unit.py measure text/upper_share

What it writes builds at once. Its test fails until the author has said, in numbers, what the unit gives: the one
assertion in it is there to be edited, and the definition at the top of the .cc to be written.
"""

import argparse
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent

MEASURE_SOURCE = """\
// SPDX-License-Identifier: Apache-2.0
// {todo} {words}: what it counts, exactly, per what.
//
// {todo} Source, with paper or link. Why this definition and not its neighbours; what it is on
// English and Chinese prose. Null for ... Cost: ...
#include "measure/internal/share.h"
#include "measure/measure.h"

namespace headrace::measure {{

void register_{name}(Registry& registry) {{
  registry.add({{.name = "{name}",
                .unit = "share",
                .summary = "{todo} one sentence, with when it is null",
                .of = [](const TextFacts& text) -> std::optional<double> {{
                  return share(0, text.view.counts.code_points);
                }}}});
}}

}}  // namespace headrace::measure
"""

MEASURE_TEST = """\
// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include "measure/testing/check.h"

namespace headrace::measure {{
namespace {{

// The definition once more, over single code points (record/testing/slow_view.h).
std::optional<double> slow_{name}(const SlowView& view) {{
  if (view.code_points.empty()) return std::nullopt;
  return 0.0;
}}

HEADRACE_TEST_AGAINST_SLOW({camel}Test, "{name}", slow_{name});

TEST({camel}Test, SaysWhatItCounts) {{
  // {todo} a table by hand, Chinese and English; this line fails so that it is not forgotten.
  EXPECT_EQ(measure_of("{name}", "Abc 汉字。"), 0.5);
}}

}}  // namespace
}}  // namespace headrace::measure
"""

# Room -> (source, test). A room joins when its units have a shape that a template can hold.
TEMPLATES = {"measure": (MEASURE_SOURCE, MEASURE_TEST)}


def add_to_list(cmake, before, line):
    """The CMake text with `line` as the last unit or test before `before`, indented as its neighbours."""
    at = cmake.find(before)
    if at < 0:
        raise SystemExit(f"the CMakeLists.txt of the room has no line '{before.strip()}' to write before")
    return cmake[:at] + f"    {line}\n" + cmake[at:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("room", choices=sorted(TEMPLATES))
    parser.add_argument("unit", help="path inside the room, without .cc: text/upper_share")
    parser.add_argument("--root", type=pathlib.Path, default=ROOT, help="another source tree")
    args = parser.parse_args()

    folder, _, name = args.unit.rpartition("/")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        parser.error(f"'{name}' is no unit name: lower-case letters, digits and _, as in upper_share")
    room = args.root / "src" / args.room
    if not (room / folder).is_dir():
        folders = ", ".join(sorted(path.name for path in room.iterdir() if path.is_dir()))
        parser.error(f"{room / folder} is no folder: {args.room} has {folders}")
    source, test = room / f"{args.unit}.cc", room / f"{args.unit}_test.cc"
    for path in (source, test):
        if path.exists():
            parser.error(f"{path} is there already")

    lists = room / "CMakeLists.txt"
    cmake = add_to_list(lists.read_text(encoding="utf-8"), ")\nheadrace_room(", f"{args.unit}.cc")
    cmake = add_to_list(cmake, "    testing/check.cc", f"{args.unit}_test.cc")
    words = name.replace("_", " ").capitalize()
    fields = {"name": name, "camel": "".join(part.capitalize() for part in name.split("_")), "words": words,
              "todo": "NO" + "COMMIT"}  # in two halves: tools/check_sources refuses the word, here too
    source.write_text(TEMPLATES[args.room][0].format(**fields), encoding="utf-8")
    test.write_text(TEMPLATES[args.room][1].format(**fields), encoding="utf-8")
    lists.write_text(cmake, encoding="utf-8")
    print(textwrap.dedent(f"""\
        wrote {source.relative_to(args.root)} and its test, and added both to {lists.relative_to(args.root)}
        next: write the definition at the top, then of(), then slow_{name}() and the table in the test;
        ninja -C build-dev headrace_{args.room}_test && build-dev/src/{args.room}/headrace_{args.room}_test \
--gtest_filter='{fields["camel"]}Test.*'"""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
