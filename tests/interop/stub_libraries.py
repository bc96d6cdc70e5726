# SPDX-License-Identifier: Apache-2.0
"""Makes empty stand-ins for the shared libraries that the ones in a folder are linked with and that are not there.

    python stub_libraries.py LIBRARIES OUT

The wheel of torch is linked with a dozen CUDA libraries (2.5 GB). Its CPU part calls none of them, but the loader wants
every library and every symbol version to be there. A stand-in defines the names that are asked for, in the versions
that they are asked for in, as functions that return 100, CUDA's "no device". For tests on a CPU; never beside a real
CUDA. Needs readelf, nm and gcc.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

# What every system has.
SYSTEM = re.compile(r"^(ld-linux.*|lib(c|m|dl|rt|z|pthread|util|stdc\+\+|gcc_s))\.")
# Libraries that are asked for names without a version, by how their names begin.
UNVERSIONED = {
    "libcufile": "cuFile",
    "libcupti": "cupti",
    "libcusparseLt": "cusparseLt",
    "libnccl": "nccl",
    "libnvshmem_host": "nvshmem",
}
# Version nodes that are not called like their library.
NODES = {"libnvshmem_host": "NVSHMEM"}


def output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(library: Path) -> tuple[set[str], set[str]]:
    """Names that a library defines, and those that it wants ("name" or "name@NODE")."""
    defined: set[str] = set()
    wanted: set[str] = set()
    for line in output_of("nm", "-D", str(library)).splitlines():
        kind, name = line.split()[-2:]
        if kind in "Uwv":
            wanted.add(name.replace("@@", "@"))
        else:
            defined.add(name.split("@")[0])
    return defined, wanted


def make_stub(path: Path, versions: dict[str, set[str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        source, script = Path(folder) / "stub.c", Path(folder) / "stub.map"
        names = sorted(set().union(*versions.values()))
        source.write_text("".join(f"int {name}(void) {{ return 100; }}\n" for name in names))
        nodes = {node: found for node, found in versions.items() if node and found}
        script.write_text(
            "".join(f"{node} {{ global: {' '.join(f'{name};' for name in sorted(found))} }};\n"
                    for node, found in sorted(nodes.items()))
        )
        version_script = [f"-Wl,--version-script,{script}"] if nodes else []
        subprocess.run(
            ["gcc", "-shared", "-fPIC", "-fno-builtin", "-w", "-o", str(path), str(source),
             f"-Wl,-soname,{path.name}", *version_script],
            check=True,
        )


def main() -> int:
    folder, out = Path(sys.argv[1]), Path(sys.argv[2])
    out.mkdir(parents=True, exist_ok=True)
    libraries = [path for path in sorted(folder.iterdir()) if ".so" in path.name]
    present = {path.name for path in libraries}

    missing: set[str] = set()
    defined: set[str] = set()
    wanted: set[str] = set()
    for library in libraries:
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", output_of("readelf", "-dW", str(library)))
        missing |= {name for name in needed if name not in present and not SYSTEM.match(name)}
        here_defined, here_wanted = symbols(library)
        defined |= here_defined
        wanted |= here_wanted

    by_node: dict[str, set[str]] = defaultdict(set)
    for name, _, node in (symbol.partition("@") for symbol in wanted):
        by_node[node].add(name)
    unversioned = by_node.pop("", set()) - defined
    for library_name in sorted(missing):
        base = library_name.split(".so")[0]
        node = NODES.get(base, library_name)
        prefix = UNVERSIONED.get(base)
        plain = {name for name in unversioned if prefix and name.startswith(prefix)}
        # Names without a version are found in any node, so one node can hold both.
        make_stub(out / library_name, {node: by_node.get(node, set()) | plain} if node in by_node else {"": plain})
    return 0


if __name__ == "__main__":
    sys.exit(main())
