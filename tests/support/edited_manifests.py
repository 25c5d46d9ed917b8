"""Random edits of manifests: the tree that an edit changes is the tree of the whole text.

Run as a program: ``python tests/support/edited_manifests.py SECONDS [SEED]``.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import Any

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.syntax.edited_tree import nodes_with_all_below
from bunraku.workbench.editor.mentions import mentions_in
from bunraku.workbench.editor.parsed import ParsedFile, ParsedFiles, parse_file

DIALECT = dialect_named("8")
MODULES = Path("/usr/share/puppet/modules.available")
LONGEST = 12_000
"""Characters of a manifest: longer ones are parsed too slowly for many edits."""
PIECES = [
    *("", "", "", "x", "'", '"', "$", "{", "}", "(", ")", "[", "/", "#", "\n", " ", "/*", "*/"),
    *(
        "${a}",
        "$a",
        "::",
        "@(E)",
        "=>",
        "?",
        "~ /a b/",
        "0x",
        ".",
        "-",
        "\r\n",
        "\u00a0",
        "é",
        "\\",
    ),
    *("# c\n", "\n# d", "'''", "\\q", "{ }", "8", ";", ",", "-> ", "+ 1", "[0]", "@", "@@", "|"),
    *("  $x = 1\n", "notice", "include a\n", "if $a { b() }\n", "else { }", " inherits b", "attr"),
    *("class q { }\n", "file { 'a': }\n", ".each |$x| { }", "<| |>", "\n\n", "}\n}", "{\n{", "'a'"),
    *("unless $a { }\n", "case $a { default: { } }\n", "function f() { }\n", "private", "elsif"),
]

STATEMENTS = [
    *("  $x = 1\n", "notice\n", "include a\n", "if $a { b() }\n", "# c\n", "\n", "  'a'\n", "$y; "),
    *("class q { }\n", "file { 'a': }\n", "[1].each |$x| {\n  $x\n}\n", "unless $a { c(1) }\n"),
]
"""Most of them fit before most lines."""


def manifests() -> list[Path]:
    """Return the manifests of Debian's modules that are not too long."""
    found = sorted(MODULES.glob("*/manifests/**/*.pp"))
    return [one for one in found if one.stat().st_size < LONGEST]


class EditedManifests:
    """Random edits of texts in memory; ``kept`` counts those after which nodes of the tree before were left."""

    def __init__(self, numbers: random.Random) -> None:
        self.numbers = numbers
        self.steps = self.kept = 0

    def edit(self, text: str, edits: int) -> None:
        """Edit a text many times. Raise AssertionError for a tree that is not that of the whole text."""
        files = ParsedFiles()
        before = files.parsed(Source(text, "a.pp"), DIALECT)
        nodes = set(map(id, nodes_with_all_below(before.roots)))
        for _ in range(edits):
            edited = self.edited(text)
            found = files.parsed(Source(edited, "a.pp"), DIALECT)
            whole = parse_file(Source(edited, "a.pp"), DIALECT)
            assert described(found) == described(whole), (text, edited)
            present = set(map(id, nodes_with_all_below(found.roots)))
            self.steps += 1
            self.kept += not nodes.isdisjoint(present)
            nodes = present
            if not found.has_errors or self.numbers.random() < 0.2:
                text = edited
            else:
                found = files.parsed(Source(text, "a.pp"), DIALECT)
                nodes = set(map(id, nodes_with_all_below(found.roots)))

    def edited(self, text: str) -> str:
        """Return a text with another piece at a place."""
        numbers = self.numbers
        start = numbers.randrange(len(text) + 1)
        end = min(len(text), start + numbers.choice([0, 0, 0, 1, 1, 5, 30]))
        piece = numbers.choice(PIECES)
        kind = numbers.random()
        if kind < 0.4:
            start = end = text.rfind("\n", 0, start) + 1
            piece = numbers.choice(STATEMENTS)
        elif kind < 0.5:
            begin = numbers.randrange(len(text) + 1)
            piece = text[begin : begin + numbers.randrange(60)]
        return text[:start] + piece + text[end:]


def described(parsed: ParsedFile) -> dict[str, Any]:
    """Return all that an editor knows of a parsed text."""
    tokens, program = parsed.tokens, parsed.program
    return {
        "tokens": (tokens.kinds, tokens.values, tokens.starts, tokens.ends),
        "comments": (tokens.comment_runs, program.comment_runs, tokens.heredocs),
        "body": program.body,
        "definitions": program.definitions,
        "findings": [*map(finding, parsed.diagnostics)],
        "mentions": mentions_in(parsed),
    }


def finding(one: Any) -> tuple[Any, ...]:
    """Return what a finding is."""
    span = one.place.span
    place = None if span is None else (span.start, span.end, span.source.text)
    return one.code, one.severity, one.message, one.hint, one.place.where, place


def main() -> int:
    """Edit manifests until the time is over, and print how many edits there were."""
    seconds = float(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(1_000_000)
    print(f"seed {seed}", flush=True)
    numbers = random.Random(seed)
    edits, paths = EditedManifests(numbers), manifests()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        edits.edit(numbers.choice(paths).read_text("utf-8", "surrogateescape"), 30)
    print(f"{edits.steps} edits, {edits.kept} of them left nodes of the tree before")
    return 0


if __name__ == "__main__":
    sys.exit(main())
