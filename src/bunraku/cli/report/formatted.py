"""The result of ``bunraku fmt``: changes, the names of files, and their number."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import unified_diff

from bunraku.base.excerpt import visible
from bunraku.cli.output.output import STYLES, Paint
from bunraku.jobs.format import FormatResult
from bunraku.workbench.format.format import Formatted

LINE_ENDS = "\r\n"


def diff_text(one: Formatted, paint: Paint) -> str:
    """Return the changes of a file as a unified diff."""
    name = visible(one.source.path)
    before, after = (text.splitlines(keepends=True) for text in (one.source.text, one.text))
    lines = unified_diff(before, after, f"{name} (before)", f"{name} (after)")
    return "".join(f"{painted(line.rstrip(LINE_ENDS), paint)}\n" for line in lines)


def painted(line: str, paint: Paint) -> str:
    """Return a line of a diff in the colour of its sign."""
    style = STYLES.get(line[:1])
    return visible(line) if style is None else paint(style, visible(line))


def totals_of_files(result: FormatResult, *, is_written: bool) -> str:
    """Return the numbers of files.

    >>> totals_of_files(FormatResult(), is_written=True)
    '0 files left unchanged\\n'
    """
    changed, failed = len(result.changed), len({one.source.path for one in failures(result)})
    verb = "changed" if is_written else "would change"
    same = len(result.outcomes) - changed - failed
    parts = [f"{number_of_files(changed)} {verb}"] if changed else []
    parts.append(f"{number_of_files(same) if not changed else same} left unchanged")
    if failed:
        parts.append(f"{failed} with errors")
    return ", ".join(parts) + "\n"


def failures(result: FormatResult) -> Sequence[Formatted]:
    """Return the files that could not be formatted."""
    return [one for one in result.outcomes if one.errors or one.problem]


def number_of_files(number: int) -> str:
    """Return a number of files."""
    return f"{number} file{'s' * (number != 1)}"
