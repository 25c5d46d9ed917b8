"""Rewrite the table of what works in the README, from the cases and the list of known failures.

The tests make sure that the list is true both ways, so the table is what the tests found.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support.conformance import known_failures, recorded_cases, stated_cases  # noqa: E402, the path

README = TESTS.parent / "README.md"
CORPUS = TESTS / "syntax" / "debian_pn.json"
BEGIN = "<!-- what works: begin -->\n"
END = "<!-- what works: end -->\n"

# Area → the beginnings of its topics.
AREAS = {
    "Strings, heredocs, interpolation, encodings": (
        "strings",
        "interpolation",
        "escapes",
        "encoding",
        "substrings",
        "string-type",
    ),
    "Names, bare words, reserved words, variables": (
        "barewords",
        "reserved",
        "variable",
        "variables",
        "references",
        "namespaces",
        "append",
        "assignment",
    ),
    "Numbers, operators, comparison, conversion": (
        "numbers",
        "operators",
        "comparison",
        "conversion",
        "truthiness",
        "booleans",
        "undef",
    ),
    "Arrays, hashes, regular expressions": (
        "arrays",
        "hashes",
        "hash-keys",
        "index-access",
        "regexes",
        "match-variables",
    ),
    "Data types": ("types", "type-"),
    "Conditions: if, unless, case, selectors": ("case", "conditionals", "selector"),
    "Functions": ("function",),
    "Classes, defines, nodes, scope, modules": (
        "class",
        "defines",
        "inheritance",
        "node",
        "scope",
        "modules",
        "import",
        "ordering",
        "templates",
    ),
    "Resources, collectors, relationships, tags": (
        "resource",
        "attribute",
        "collectors",
        "duplicates",
        "metaparameters",
        "relationships",
        "stages",
        "tags",
        "virtual",
    ),
    "Facts, trusted data, settings": ("facts", "trusted", "settings"),
    "Errors and hostile input": ("errors", "bad-input"),
}


def area_of(topic: str) -> str:
    """The area whose beginning fits a topic best."""
    fitting = [
        (len(beginning), area)
        for area, beginnings in AREAS.items()
        for beginning in beginnings
        if topic.startswith(beginning)
    ]
    return max(fitting)[1]


def counts() -> dict[str, list[int]]:
    """Area → cases, and how many of them pass."""
    known = known_failures()
    found = {area: [0, 0] for area in AREAS}
    for topics in (stated_cases(), recorded_cases()):
        for topic, cases in topics.items():
            row = found[area_of(topic)]
            row[0] += len(cases)
            row[1] += sum(case["id"] not in known for case in cases)
    return found


def corpus_row() -> str:
    """Debian's modules: every file's syntax tree against Puppet's."""
    if not CORPUS.exists():
        return ""
    files = len(json.loads(CORPUS.read_bytes()))
    return f"| Syntax trees of the manifests in Debian's modules | {files:,} | {files:,} |\n"


def table() -> str:
    """The table in Markdown."""
    rows = counts()
    lines = ["| area | cases | pass |\n|---|--:|--:|\n"]
    lines += [f"| {area} | {cases:,} | {passing:,} |\n" for area, (cases, passing) in rows.items()]
    cases, passing = (sum(row[column] for row in rows.values()) for column in (0, 1))
    lines.append(f"| **all of these** | **{cases:,}** | **{passing:,}** |\n")
    return "".join(lines) + corpus_row()


def rewritten(text: str) -> str:
    """The README with the table as it should be now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text(encoding="utf-8")), encoding="utf-8")
