"""The Markdown of comments as HTML: what authors use of it. All text is escaped; of HTML, only line breaks pass."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

FENCE = re.compile(r"^\s*(```|~~~)\s*([\w+-]*)\s*$")
HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
QUOTE = re.compile(r" {0,3}> ?(?=\S)")
ITEM = re.compile(r"^(\s*)(?:[-*+]|(\d+)[.)])\s+(.*)$")
TABLE_RULE = re.compile(r"^\s*\|?(?:\s*:?-+:?\s*\|)+\s*:?-*:?\s*\|?\s*$")
INLINE = re.compile(
    r"(?P<code>(?<!`)`++)(?P<inner>.+?)(?<!`)(?P=code)(?!`)"
    r"|\[(?P<label>[^\]\n]{1,1000})\]\((?P<url>[^()\s]+)\)"
    r"|<?(?P<bare>https?://[^\s<>()]*[^\s<>().,;:!?'\"*])>?"
    r"|\*\*(?P<strong>[^*\s](?:[^*]*[^*\s])?)\*\*"
    r"|(?P<break><br\s*/?>)"
    r"|(?<![\w*])\*(?P<emphasis>[^*\s](?:[^*]*[^*\s])?)\*(?![\w*])",
    re.DOTALL,
)
MARK = re.compile(r"\s*(?:>|[-*+]\s|\d+[.)]\s)")
MOST_NESTED = 100
"""Quotations and lists inside of each other; a text with more is shown as it is."""
BREAK = re.compile(r"\s*<br\s*/?>\s*")
SAFE_URL = re.compile(r"https?://")
Link = Callable[[str], str | None]
"""Returns the address of the page of a name, None if it has no page."""


def paragraphs_html(text: str, link: Link) -> str:
    """Return a text as HTML.

    >>> paragraphs_html("Two `words` <b>.\\n\\n- one\\n- two", lambda name: None)
    '<p>Two <code>words</code> &lt;b&gt;.</p><ul><li>one</li><li>two</li></ul>'
    """
    lines = text.expandtabs(4).split("\n")
    return code_html(lines) if nesting(lines) > MOST_NESTED else "".join(blocks_of(lines, link))


def nesting(lines: list[str]) -> int:
    """Return how deep quotations and lists can be inside of each other.

    >>> nesting(["text"]), nesting(["- a", "  - b"]), nesting(["> > - c"])
    (0, 3, 4)
    """
    marks, indents = 0, set()
    for line in lines:
        at = count = 0
        while found := MARK.match(line, at):
            at, count = found.end(), count + 1
        marks = max(marks, count)
        if count:
            indents.add(len(line) - len(line.lstrip(" >")))
    return marks + len(indents)


def blocks_of(lines: list[str], link: Link) -> Iterator[str]:
    """Yield the blocks of a text."""
    at = 0
    while at < len(lines):
        reader = next((read for matches, read in BLOCKS if matches(lines, at)), paragraph)
        html, at = reader(lines, at, link)
        yield html


def is_blank(lines: list[str], at: int) -> bool:
    """Return whether a line is empty."""
    return not lines[at].strip()


def is_fence(lines: list[str], at: int) -> bool:
    """Return whether a line begins a block of code."""
    return FENCE.match(lines[at]) is not None


def is_heading(lines: list[str], at: int) -> bool:
    """Return whether a line is a heading."""
    return HEADING.match(lines[at]) is not None


def is_quote(lines: list[str], at: int) -> bool:
    """Return whether a line begins a quotation."""
    return QUOTE.match(lines[at]) is not None


def is_item(lines: list[str], at: int) -> bool:
    """Return whether a line begins an item of a list."""
    return ITEM.match(lines[at]) is not None


def is_indented(lines: list[str], at: int) -> bool:
    """Return whether a line is code by its indentation."""
    return lines[at].startswith("    ")


def is_table(lines: list[str], at: int) -> bool:
    """Return whether a line is the head of a table."""
    return "|" in lines[at] and at + 1 < len(lines) and bool(TABLE_RULE.match(lines[at + 1]))


def blank(_lines: list[str], at: int, _link: Link) -> tuple[str, int]:
    """Skip an empty line."""
    return "", at + 1


def fence(lines: list[str], at: int, _link: Link) -> tuple[str, int]:
    """Return a block of code between marks."""
    found = FENCE.match(lines[at])
    mark = found[1] if found else "```"
    end = at + 1
    while end < len(lines) and lines[end].strip() != mark:
        end += 1
    return code_html(lines[at + 1 : end]), end + 1


def code_html(lines: list[str]) -> str:
    """Return lines of code without their common indentation."""
    filled = [line for line in lines if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in filled), default=0)
    code = "\n".join(line[indent:] for line in lines).strip("\n")
    return f'<pre class="code"><code>{escape(code)}</code></pre>'


def heading_html(lines: list[str], at: int, link: Link) -> tuple[str, int]:
    """Return a heading; those of the page are of a higher level."""
    found = HEADING.match(lines[at])
    level, text = (len(found[1]), found[2]) if found else (1, lines[at])
    level = min(level + 2, 6)
    return f"<h{level}>{inline_html(text, link)}</h{level}>", at + 1


def quote_html(lines: list[str], at: int, link: Link) -> tuple[str, int]:
    """Return a quotation, up to an empty line."""
    end = at
    while end < len(lines) and not is_blank(lines, end):
        end += 1
    inner = blocks_of([QUOTE.sub("", line, count=1) for line in lines[at:end]], link)
    return f"<blockquote>{''.join(inner)}</blockquote>", end


def indented_html(lines: list[str], at: int, _link: Link) -> tuple[str, int]:
    """Return a block of indented code."""
    end = at
    while end < len(lines) and (is_indented(lines, end) or is_blank(lines, end)):
        end += 1
    return code_html(lines[at:end]), end


def listing(lines: list[str], at: int, link: Link) -> tuple[str, int]:
    """Return a list; further lines of an item are indented more than its mark."""
    first = ITEM.match(lines[at])
    indent = len(first[1]) if first else 0
    tag = "ol" if first and first[2] else "ul"
    items: list[list[str]] = []
    while at < len(lines):
        found = ITEM.match(lines[at])
        depth = len(lines[at]) - len(lines[at].lstrip())
        if found and len(found[1]) <= indent:
            if len(found[1]) < indent:
                break
            items.append([found[3]])
        elif is_blank(lines, at):
            follows = at + 1 < len(lines) and (
                is_item(lines, at + 1) or lines[at + 1].startswith(" " * (indent + 2))
            )
            if not follows:
                break
            items[-1].append("")
        elif depth > indent or not is_heading(lines, at):
            items[-1].append(lines[at][min(depth, indent + 2) :])
        else:
            break
        at += 1
    inner = "".join(f"<li>{item_html(item, link)}</li>" for item in items)
    return f"<{tag}>{inner}</{tag}>", at


def item_html(lines: list[str], link: Link) -> str:
    """Return an item; one paragraph needs no element of its own."""
    html = "".join(blocks_of(lines, link))
    found = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", html, re.DOTALL)
    return found[1] if found else html


def table_html(lines: list[str], at: int, link: Link) -> tuple[str, int]:
    """Return a table."""
    end = at + 2
    while end < len(lines) and "|" in lines[end]:
        end += 1
    rows = ["".join(f"<td>{one}</td>" for one in cells(line, link)) for line in lines[at + 2 : end]]
    head = "".join(f"<th>{one}</th>" for one in cells(lines[at], link))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", end


def cells(line: str, link: Link) -> list[str]:
    """Return the cells of a row."""
    return [inline_html(one.strip(), link) for one in line.strip().strip("|").split("|")]


def paragraph(lines: list[str], at: int, link: Link) -> tuple[str, int]:
    """Return a paragraph."""
    end = at + 1
    while end < len(lines) and not any(
        matches(lines, end) for matches, _ in BLOCKS if matches is not is_indented
    ):
        end += 1
    text = "\n".join(line.strip() for line in lines[at:end])
    return f"<p>{inline_html(text, link)}</p>", end


BLOCKS: tuple[
    tuple[Callable[[list[str], int], bool], Callable[[list[str], int, Link], tuple[str, int]]], ...
] = (
    (is_blank, blank),
    (is_fence, fence),
    (is_heading, heading_html),
    (is_quote, quote_html),
    (is_item, listing),
    (is_table, table_html),
    (is_indented, indented_html),
)
"""What begins a block, and what reads it."""


def inline_html(text: str, link: Link) -> str:
    """Return the text of a paragraph with its marks as HTML.

    >>> inline_html("see `a::b`, [x](https://e.org/?a&b) and **y**", {"a::b": "b.html"}.get)
    'see <a href="b.html"><code>a::b</code></a>, <a href="https://e.org/?a&amp;b">x</a> and <strong>y</strong>'
    """
    parts, done = [], 0
    for found in INLINE.finditer(text):
        parts += [escape(text[done : found.start()], quote=False), marked_html(found, link)]
        done = found.end()
    return "".join([*parts, escape(text[done:], quote=False)])


def text_without_marks(text: str) -> str:
    """Return a text of one paragraph without its marks for code and line breaks.

    >>> text_without_marks("Installs `mod_alias`.<br />Fast.")
    'Installs mod_alias. Fast.'
    """
    return BREAK.sub(" ", text).replace("`", "")


def marked_html(found: re.Match[str], link: Link) -> str:
    """Return a marked part of a paragraph."""
    if found["code"]:
        inner = found["inner"].strip()
        code = f"<code>{escape(inner, quote=False)}</code>"
        target = link(inner.removeprefix("$"))
        return f'<a href="{escape(target)}">{code}</a>' if target else code
    if found["label"]:
        label = inline_html(found["label"], link)
        url = found["url"]
        target = url if SAFE_URL.match(url) else link(url)
        return f'<a href="{escape(target)}">{label}</a>' if target else label
    if found["bare"]:
        url = escape(found["bare"])
        return f'<a href="{url}">{url}</a>'
    if found["break"]:
        return "<br>"
    if found["strong"]:
        return f"<strong>{inline_html(found['strong'], link)}</strong>"
    return f"<em>{inline_html(found['emphasis'], link)}</em>"
