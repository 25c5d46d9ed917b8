"""Checks of the style of comments."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.text_edits import Edit
from bunraku.workbench.lint.declaration import Problem, check
from bunraku.workbench.lint.manifest import COMMENT, Manifest


@check("Comments begin with #, not with //.", fixes="tree")
def slash_comments(manifest: Manifest) -> Iterator[Problem]:
    """Report ``//``, which Puppet 3 and later do not read as a comment."""
    for at in manifest.of_kind("/", "REGEX"):
        start = manifest.starts[at]
        if not manifest.text.startswith("//", start):
            continue
        yield Problem(start, start + 2, "// comment found", (Edit(start, start + 2, "#"),))


@check("Comments begin with #, not with /*.", fixes="layout")
def star_comments(manifest: Manifest) -> Iterator[Problem]:
    """Report ``/* … */``."""
    text = manifest.text
    for at in manifest.of_kind(COMMENT):
        if text[manifest.starts[at]] != "/":
            continue
        start, end = manifest.starts[at], manifest.ends[at]
        edits: tuple[Edit, ...] = ()
        rest = text[end : text.find("\n", end) if "\n" in text[end:] else len(text)]
        if not rest.strip():  # code after the comment would become a part of it
            indent = text[manifest.source.line_starts[manifest.line(at) - 1] : start]
            edits = (Edit(start, end, hash_comment(text[start:end], indent)),)
        yield Problem(start, end, "/* */ comment found", edits)


def hash_comment(comment: str, indent: str) -> str:
    """Return a comment of several lines with a # before each.

    >>> print(hash_comment("/* one\\n * two\\n */", ""))
    # one
    # two
    """
    lines = [line.strip() for line in comment[2:-2].strip().split("\n")]
    lines = [line.removeprefix("*").strip() for line in lines]
    blank = indent if not indent.strip() else " " * len(indent)
    return f"\n{blank}".join(f"# {line}".rstrip() for line in lines)
