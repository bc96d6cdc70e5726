# SPDX-License-Identifier: Apache-2.0
"""What the checks in tools/ share: which files there are, their includes, the rooms and their levels."""

import argparse
import pathlib
import re
import subprocess

CXX = (".cc", ".h", ".cu", ".cuh")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"]+)"', re.MULTILINE)


def arguments(description, *flags):
    """The command line of a check: --root DIR and the given (flag, help) pairs."""
    parser = argparse.ArgumentParser(description=description)
    default = pathlib.Path(__file__).resolve().parent.parent
    parser.add_argument("--root", type=pathlib.Path, default=default, help="another source tree")
    for flag, text in flags:
        parser.add_argument(flag, action="store_true", help=text)
    return parser.parse_args()


def files(root):
    """Tracked and new files that Git does not ignore, as sorted relative paths; every file where there is no Git."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True, check=False)
    inside = subprocess.run(["git", "-C", root, "rev-parse", "--show-toplevel"],
                            capture_output=True, text=True, check=False).stdout.strip()
    if listing.returncode == 0 and pathlib.Path(inside or "/").resolve() == pathlib.Path(root).resolve():
        names = [name for name in listing.stdout.split("\0") if name]
    else:
        names = [str(path.relative_to(root)) for path in pathlib.Path(root).rglob("*")]
    return sorted(name for name in set(names) if (root / name).is_file() and not (root / name).is_symlink())


def text(path):
    """The file as text, or None for a binary one."""
    content = path.read_bytes()
    if b"\0" in content:
        return None
    return content.decode("utf-8", errors="replace")


def includes(source):
    """(line number, quoted path) of each #include "..." of a source text."""
    return [(source.count("\n", 0, match.start()) + 1, match.group(1)) for match in _INCLUDE.finditer(source)]


def levels(root):
    """{room: level} from HEADRACE_LEVELS in cmake/Rooms.cmake, the only place where levels are written."""
    path = root / "cmake/Rooms.cmake"
    block = re.search(r"set\(\s*HEADRACE_LEVELS\b([^)]*)\)", path.read_text(encoding="utf-8"))
    if block is None:
        raise SystemExit(f"{path}: no set(HEADRACE_LEVELS ...): the levels of the rooms must stand there")
    return {room: int(level) for room, level in re.findall(r"([a-z_]+):(\d+)", block.group(1))}


def cmake_calls(path, function):
    """Arguments of each call of `function` in a CMake file, as {keyword: [values]}; comments are left out."""
    if not path.is_file():
        return []
    source = re.sub(r"#[^\n]*", "", path.read_text(encoding="utf-8"))
    calls = []
    for body in re.findall(rf"\b{function}\s*\(([^)]*)\)", source):
        call, keyword = {}, ""
        for word in body.split():
            if re.fullmatch(r"[A-Z]{2,}", word):
                keyword = word
                call[keyword] = []
            else:
                call.setdefault(keyword, []).append(word)
        calls.append(call)
    return calls


def cycles(graph):
    """Groups of more than one node that reach each other (Tarjan), or of one node that reaches itself by an edge."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on_stack.add(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on_stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = []
            while True:
                other = stack.pop()
                on_stack.discard(other)
                group.append(other)
                if other == node:
                    break
            if len(group) > 1 or node in graph.get(node, ()):
                found.append(sorted(group))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found
