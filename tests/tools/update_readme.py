"""Rewrite the table of what works in the README, from the cases and the list of known failures.

The tests make sure that the list is true both ways, so the table is what the tests found.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS))

from support.conformance import (  # noqa: E402, the path
    DIALECTS,
    known_failures,
    recorded_cases,
    stated_cases,
)

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


def counts(dialect: str) -> dict[str, list[int]]:
    """Area → cases of a dialect, and how many of them pass."""
    known = known_failures(dialect)
    found = {area: [0, 0] for area in AREAS}
    for topics in (stated_cases(dialect), recorded_cases(dialect)):
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
    blank = " |" * 2 * (len(DIALECTS) - 1)
    return f"| Syntax trees of the manifests in Debian's modules | {files:,} | {files:,} |{blank}\n"


def table() -> str:
    """The table in Markdown."""
    columns = [counts(dialect) for dialect in DIALECTS]
    head = "".join(f" cases {language} | pass |" for language in DIALECTS.values())
    lines = [f"| area |{head}\n", f"|---|{'--:|--:|' * len(columns)}\n"]
    for area in AREAS:
        cells = "".join(f" {cases:,} | {passing:,} |" for cases, passing in pairs_of(columns, area))
        lines.append(f"| {area} |{cells}\n")
    sums = [[sum(row[at] for row in rows.values()) for at in (0, 1)] for rows in columns]
    cells = "".join(f" **{cases:,}** | **{passing:,}** |" for cases, passing in sums)
    lines.append(f"| **all of these** |{cells}\n")
    return "".join(lines) + corpus_row()


def pairs_of(columns: list[dict[str, list[int]]], area: str) -> list[list[int]]:
    """Cases and passing ones of an area, in each dialect."""
    return [rows[area] for rows in columns]


def rewritten(text: str) -> str:
    """The README with the table as it should be now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    README.write_text(rewritten(README.read_text(encoding="utf-8")), encoding="utf-8")
