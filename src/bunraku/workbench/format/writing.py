"""From lines of pieces to text."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.workbench.format.pieces import CodeLine, Style


def written_manifest(text: str, lines: list[CodeLine], style: Style) -> str:
    """Return the text of lines; ``text`` is the source, of which kept lines are taken."""
    newline = "\r\n" if "\r\n" in text else "\n"
    found = newline.join(written_lines(text, lines, style, newline))
    return found + newline if found else ""


def written_lines(text: str, lines: list[CodeLine], style: Style, newline: str) -> Iterator[str]:
    """Yield the texts of lines, each with empty lines before it; those of kept lines in succession at once."""
    at, size = 0, len(lines)
    while at < size:
        line = lines[at]
        first = line.start
        while line.kept and at + 1 < size and lines[at + 1].kept:
            at += 1
        if line.kept:
            code = text[first : lines[at].end].removesuffix("\r")
        else:
            code = written_line(line, style)
        raw = lines[at].raw
        if raw:
            raw = newline + raw.removesuffix("\n").removesuffix("\r")
        yield newline * line.blanks + code + raw
        at += 1


def written_line(line: CodeLine, style: Style) -> str:
    """Return a line without empty lines before and heredocs behind it."""
    indent = " " * line.indent
    if style.tabs:
        indent = "\t" * (line.indent // style.step) + " " * (line.indent % style.step)
    parts = [indent]
    for piece in line.pieces:
        if piece.gap:
            parts.append(" " * piece.gap)
        parts.append(piece.text)
    return "".join(parts)
