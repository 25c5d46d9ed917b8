"""Which parts of bunraku the instructions of Python of a compile belong to, first and warm.

    python benchmarks/shares.py [--only roles.pp] [--write]

Instructions are counted as ``counts.py`` does it, so the load of the machine does not matter; code in C, such as
Python's ``compile()``, regular expressions and system calls, is not counted. The first compile is that of a process
that has no compiled code on disk; warm is the third one. ``--write`` writes the table to ``docs/performance.md``.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from pathlib import Path

from counts import Counts, counted_by_file, rerun
from page import write_section

import bunraku

HERE = Path(__file__).parent
MODULES = "/usr/share/puppet/modules"
MANIFESTS = ("roles.pp", "openstack.pp")
PACKAGE = f"{Path(bunraku.__file__).parent}/"
LEAST = 1.0
"""Parts below this share of all columns, in percent, are the rest."""
REST = "the rest"
PARTS = {
    "syntax/lexer": "lexer",
    "syntax/parser": "parser",
    "syntax/check": "checks of manifests",
    "compiler": "emitting code",
    "ruby": "Ruby functions, types and templates: reading, translating, support",
    "runtime": "runtime: scopes, resources, relationships, collectors",
    "catalog": "catalog: containment, tags, finishing",
    "types": "data types",
    "functions": "functions",
    "modules": "modules: environment, files, loaders",
    "hiera": "Hiera",
    "values": "values",
    "base": "base: records, caches, sources",
    "world": "world: files of the machine",
    "engine": "engine: requests, units of code",
}


def part_of(file: str) -> str:
    """Return the part of a file of code.

    >>> part_of(f"{PACKAGE}syntax/parser/blocks.py"), part_of("/m/ntp/manifests/init.pp")
    ('parser', 'code of manifests')
    """
    if file.startswith(PACKAGE):
        inner = file.removeprefix(PACKAGE)
        return next((name for start, name in PARTS.items() if inner.startswith(start)), REST)
    if file.endswith(".pp"):
        return "code of manifests"
    if file.endswith((".rb", ".erb", ".epp")):
        return "code of templates and Ruby functions"
    return "Python's library"


def columns(manifest: str) -> tuple[Counts, Counts]:
    """Return the instructions of the first and of a warm compile, by file."""
    from bunraku.engine import kept
    from bunraku.engine.compile import compile_catalog
    from bunraku.engine.request import Request

    request = Request(
        path=str(HERE / "workloads" / manifest),
        node="bench.example.org",
        facts=json.loads((HERE / "facts.json").read_bytes()),
        modulepath=[MODULES],
        settings={"strict": "warning", "strict_variables": False},
        cycles=False,
    )

    def work() -> object:
        return compile_catalog(request, lambda _entry: None)

    work()  # imports are not counted
    kept.forget()
    first = counted_by_file(work)
    work()
    return first, counted_by_file(work)


def shares(counts: Counts) -> dict[str, float]:
    """Return the share of each part, in percent."""
    found: Counter[str] = Counter()
    for file, number in counts.items():
        found[part_of(file)] += number
    return {part: 100 * number / sum(counts.values()) for part, number in found.items()}


def table(found: dict[str, Counts]) -> str:
    """Return the shares of the columns as a table, by part."""
    of_columns = [shares(one) for one in found.values()]
    largest = {
        part: max(one.get(part, 0) for one in of_columns) for one in of_columns for part in one
    }
    parts = sorted(
        (one for one in largest if largest[one] >= LEAST and one != REST), key=largest.__getitem__
    )
    lines = [f"| part | {' | '.join(found)} |", f"|---|{'--:|' * len(found)}"]
    for part in reversed(parts):
        cells = [f"{one.get(part, 0):.1f} %" for one in of_columns]
        lines.append(f"| {part} | {' | '.join(cells)} |")
    rest = [100 - sum(one.get(part, 0) for part in parts) for one in of_columns]
    lines.append(f"| {REST} | {' | '.join(f'{one:.1f} %' for one in rest)} |")
    millions = [f"{sum(one.values()) / 1e6:.2f} million" for one in found.values()]
    lines.append(f"| all | {' | '.join(millions)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    rerun()
    found: dict[str, Counts] = {}
    for manifest in MANIFESTS:
        if options.only in manifest:
            first, warm = columns(manifest)
            found |= {f"`{manifest}`, first": first, f"`{manifest}`, warm": warm}
    text = table(found)
    print(text, end="")
    if options.write:
        write_section("shares", f"Made by `benchmarks/shares.py`, with Debian's modules:\n\n{text}")


if __name__ == "__main__":
    main()
