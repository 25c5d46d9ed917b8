"""Differences of catalogs in print: text, Markdown, JSON."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.excerpt import visible
from bunraku.cli.diff.page import as_html
from bunraku.cli.output.output import STYLES, Paint
from bunraku.formats.json import clean_json_text
from bunraku.jobs.change_groups import Group, Line, groups_of, items_of, marked, totals
from bunraku.jobs.comparison import Comparison, NodeComparison
from bunraku.jobs.comparison_data import comparison_data


def lines_of(one: NodeComparison) -> Iterator[Line]:
    """Return the lines about a node that is not the same on both sides."""
    for item in items_of(one):
        yield from item.lines


def as_text(report: Comparison, paint: Paint) -> str:
    """Return the differences for people; nothing when all catalogs are the same."""
    groups = groups_of(report.nodes)
    if not groups:
        return ""
    out = [paint("red", f"--- {visible(report.old)}"), paint("green", f"+++ {visible(report.new)}")]
    for group in groups:
        out.append(paint("bold", visible(group.title)))
        lines = marked(group.lines())
        out += [paint(STYLES[mark], text) if mark else text for mark, text in lines]
    if len(report.nodes) > 1:
        out.append(totals(report.nodes).text())
    return "".join(f"{line}\n" for line in out)


def as_markdown(report: Comparison, _paint: Paint) -> str:
    """Return the differences for the discussion of a change, each group of nodes folded."""
    out = [
        f"### Catalog changes: {code(report.old)} → {code(report.new)}",
        "",
        f"**{totals(report.nodes).text()}**",
        "",
    ]
    for group in groups_of(report.nodes):
        lines = [text for _mark, text in marked(group.lines())]
        fence = "`" * max(3, 1 + max(map(backticks, lines), default=0))
        out += [
            f"<details><summary>{escaped(visible(group.title))}</summary>",
            "",
            *(node_list(group)),
            f"{fence}diff",
            *lines,
            fence,
            "",
            "</details>",
            "",
        ]
    return "\n".join(out).rstrip("\n") + "\n"


def node_list(group: Group) -> list[str]:
    """Return all nodes of a group, where the headline does not name them."""
    if len(group.nodes) <= 10 and not group.every:
        return []
    return [", ".join(code(visible(node)) for node in group.nodes), ""]


def code(text: str) -> str:
    """Return text as code in Markdown."""
    fence = "`" * (1 + backticks(text, 1))
    return f"{fence}{text}{fence}"


def escaped(text: str) -> str:
    """Return unchanged text, between tags in Markdown."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def backticks(text: str, least: int = 3) -> int:
    """Return the length of the longest row of backticks in a text, from a least length on."""
    longest = 0
    for piece in text.split("`" * least)[1:]:
        longest = max(longest, least + len(piece) - len(piece.lstrip("`")))
    return longest


def as_json(report: Comparison, _paint: Paint) -> str:
    """Return the differences for programs."""
    return clean_json_text(comparison_data(report))


FORMATS = {"text": as_text, "json": as_json, "markdown": as_markdown, "html": as_html}
