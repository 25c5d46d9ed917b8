"""Differences of catalogs in print: text, Markdown, HTML, JSON."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any

from bunraku.catalog.compare import ABSENT, REDACTED, Change, Difference, ResourceChange
from bunraku.cli.catalog_text import value_text
from bunraku.cli.excerpt import visible
from bunraku.cli.output import Paint
from bunraku.cli.report import as_data, where
from bunraku.errors import Diagnostic
from bunraku.formats.json import clean_json_text
from bunraku.records import field, record

Line = tuple[str, str]
"""A line of a difference: what it is (``+``, ``-``, ``@``, or blank) and its text."""
STYLES = {"+": "green", "-": "red", "@": "cyan"}


@record()
class Comparison:
    """A node's two catalogs compared, or why that cannot be: one is missing, or did not compile."""

    node: str
    difference: Difference = field(default_factory=Difference)
    missing: str = ""
    findings: list[tuple[str, Diagnostic]] = field(default_factory=list)

    @property
    def status(self) -> str:
        """In one word."""
        if self.findings:
            return "failed"
        return "differs" if self.missing or self.difference else "same"


def lines_of(one: Comparison) -> Iterator[Line]:
    """What there is to say of a node that is not the same on both sides."""
    for side, finding in one.findings:
        file, line, _column = finding.place()
        place = f"{where(file, line, None)}: " if file else ""
        yield "", f"does not compile in {side}: {place}{finding.message} [{finding.code}]"
    if one.missing:
        yield "", f"only in {one.missing}"
    found = one.difference
    for name, mark in (("added", "+"), ("removed", "-")):
        for resource in getattr(found, name):
            yield mark, heading(resource)
            for change in resource.changes:
                value = change.new if mark == "+" else change.old
                for text in f"{change.name} => {value_text(value)}".split("\n"):
                    yield mark, f"    {text}"
    for resource in found.changed:
        yield "@", heading(resource)
        for change in resource.changes:
            yield from change_lines(change)
    for name, kind in (("edges", "edge"), ("classes", "class")):
        yield from (("+", f"{kind} {item}") for item in getattr(found, f"{name}_added"))
        yield from (("-", f"{kind} {item}") for item in getattr(found, f"{name}_removed"))


def marked(one: Comparison) -> Iterator[Line]:
    """The same with each mark in front of its text."""
    return ((mark, f"{mark or ' '} {visible(text)}") for mark, text in lines_of(one))


def heading(resource: ResourceChange) -> str:
    """The reference and the place of a resource."""
    return resource.reference + (f"   # {resource.place}" if resource.place else "")


def change_lines(change: Change) -> Iterator[Line]:
    """A parameter's change; of long texts the lines that differ."""
    old, new = change.old, change.new
    if isinstance(old, str) and isinstance(new, str) and "\n" in old + new:
        yield "", f"    {change.name}:"
        texts = old.splitlines(), new.splitlines()
        for line in list(unified_diff(*texts, lineterm="", n=2))[2:]:
            mark = line[:1] if line[:1] in "+-@" else ""
            yield mark, f"        {line[1:] if mark != '@' else line}"
        if texts[0] == texts[1]:
            yield "", "        (the ends of lines differ)"
        return
    secret = repr(old) == repr(new)  # they differ, but in what is not shown
    for mark, value in (("-", old), ("+", new)):
        if value is not ABSENT:
            again = " (another one)" if secret and mark == "+" else ""
            for text in f"{change.name} => {value_text(value)}{again}".split("\n"):
                yield mark, f"    {text}"


def counts(found: Difference) -> str:
    """How many resources differ.

    >>> counts(Difference(added=[ResourceChange("File[/a]", ())]))
    '1 added'
    """
    parts = [
        f"{len(items)} {word}"
        for word, items in (
            ("added", found.added),
            ("removed", found.removed),
            ("changed", found.changed),
        )
        if items
    ]
    return ", ".join(parts) or ("relations only" if found else "")


def title(one: Comparison) -> str:
    """The headline of a node."""
    summary = counts(one.difference)
    return f"{one.node}: {one.status}" + (f" ({summary})" if summary else "")


def total(nodes: Sequence[Comparison]) -> str:
    """The last line."""
    words = ("differs", "failed", "same")
    found = {word: sum(one.status == word for one in nodes) for word in words}
    parts = (("differs", "differ"), ("failed", "failed"), ("same", "same"))
    return ", ".join(f"{found[word]} {text}" for word, text in parts)


def as_text(nodes: Sequence[Comparison], paint: Paint) -> str:
    """For people: nothing when all is the same, as ``diff`` has it."""
    out = []
    for one in nodes:
        if one.status != "same":
            out.append(paint("bold", visible(title(one))))
            out += [paint(STYLES[mark], text) if mark else text for mark, text in marked(one)]
    if out and len(nodes) > 1:
        out.append(total(nodes))
    return "".join(f"{line}\n" for line in out)


def as_markdown(nodes: Sequence[Comparison], _paint: Paint) -> str:
    """For the discussion of a change."""
    out = [f"**{total(nodes)}**", ""]
    for one in nodes:
        if one.status != "same":
            lines = [text for _mark, text in marked(one)]
            fence = "`" * max(3, 1 + max(map(backticks, lines), default=0))
            out += [f"### {visible(title(one))}", "", f"{fence}diff", *lines, fence, ""]
    return "\n".join(out).rstrip("\n") + "\n"


def backticks(text: str) -> int:
    """The longest row of backticks in a text."""
    longest = 0
    for piece in text.split("`" * 3)[1:]:
        longest = max(longest, 3 + len(piece) - len(piece.lstrip("`")))
    return longest


PAGE = """\
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Catalogs compared</title>
<style>
body {{ font-family: sans-serif; margin: 2em; }}
pre {{ background: #f6f8fa; padding: 1em; overflow-x: auto; }}
.add {{ color: #116329; }} .del {{ color: #a40e26; }} .mark {{ color: #0550ae; }}
</style></head><body>
<h1>Catalogs compared</h1>
<p>{total}</p>
{nodes}</body></html>
"""
CLASSES = {"+": "add", "-": "del", "@": "mark"}


def as_html(nodes: Sequence[Comparison], _paint: Paint) -> str:
    """A page that stands alone."""
    sections = []
    for one in nodes:
        if one.status != "same":
            lines = [
                f'<span class="{CLASSES.get(mark, "same")}">{html.escape(text)}</span>'
                for mark, text in marked(one)
            ]
            body = "\n".join(lines)
            head = html.escape(visible(title(one)))
            sections.append(
                f"<details open><summary>{head}</summary>\n<pre>{body}</pre></details>\n"
            )
    return PAGE.format(total=html.escape(total(nodes)), nodes="".join(sections))


def as_json(nodes: Sequence[Comparison], _paint: Paint) -> str:
    """For programs."""
    return clean_json_text({"schema": 1, "nodes": [node_data(one) for one in nodes]})


def node_data(one: Comparison) -> dict[str, Any]:
    """A node's comparison as data."""
    found = one.difference
    return {
        "node": one.node,
        "status": one.status,
        "only_in": one.missing or None,
        "added": [resource_data(item, "new") for item in found.added],
        "removed": [resource_data(item, "old") for item in found.removed],
        "changed": [
            {
                "resource": item.reference,
                "place": item.place or None,
                "parameters": [change_data(change) for change in item.changes],
            }
            for item in found.changed
        ],
        "edges": {"added": found.edges_added, "removed": found.edges_removed},
        "classes": {"added": found.classes_added, "removed": found.classes_removed},
        "diagnostics": [{"side": side, **as_data(finding)} for side, finding in one.findings],
    }


def resource_data(item: ResourceChange, side: str) -> dict[str, Any]:
    """A resource that is on one side only."""
    values = {change.name: hidden(getattr(change, side)) for change in item.changes}
    return {"resource": item.reference, "place": item.place or None, "parameters": values}


def change_data(change: Change) -> dict[str, Any]:
    """A parameter that differs; a side without it is left out."""
    sides = {"old": change.old, "new": change.new}
    return {
        "name": change.name,
        **{side: hidden(value) for side, value in sides.items() if value is not ABSENT},
    }


def hidden(value: Any) -> Any:
    """A value with text in place of what is sensitive."""
    if isinstance(value, dict):
        if value.get("__ptype") == "Sensitive":
            return REDACTED
        return {key: hidden(item) for key, item in value.items()}
    return [hidden(item) for item in value] if isinstance(value, list) else value


FORMATS = {"text": as_text, "json": as_json, "markdown": as_markdown, "html": as_html}
