"""Pages of documentation as files: written, or compared with those that exist."""

from __future__ import annotations

import os

from bunraku.base.file_reading import text_on_disk
from bunraku.base.lazy_typing import TYPE_CHECKING
from bunraku.base.paths import relative
from bunraku.base.usage import UsageError
from bunraku.cli.output.files import write_file
from bunraku.cli.output.output import write, write_error

if TYPE_CHECKING:
    from bunraku.jobs.docs import Documentation

STANDARD_OUTPUT = "-"
MOST_LINES = 20
"""As many lines of a difference are printed for a page."""


def write_pages(result: Documentation, place: str) -> None:
    """Write the pages that are not current; UsageError if that fails."""
    if place == STANDARD_OUTPUT:
        if set(result.pages) != {""}:
            raise UsageError("several pages cannot be written to standard output; name a folder")
        write(result.pages[""])
        return
    changed = result.differing(place)
    for path, name in changed.items():
        write_file(path, result.pages[name], makes_folders=True)
    if len(changed) == 1:
        write_error(f"wrote {relative(next(iter(changed)))}\n")
    elif changed:
        write_error(f"wrote {len(changed)} of {len(result.pages)} pages to {relative(place)}\n")


def outdated(result: Documentation, place: str) -> str:
    """Return what differs between the pages and their files; empty if all are current."""
    parts = []
    from difflib import unified_diff

    for path, page in result.differing(place).items():
        name, text = relative(path), result.pages[page]
        if not os.path.exists(path):
            parts.append(f"{name} does not exist\n")
            continue
        lines = list(
            unified_diff(
                old_lines(path), text.splitlines(), name, f"{name} (current)", lineterm="", n=1
            )
        )
        if len(lines) > MOST_LINES:
            lines[MOST_LINES:] = [f"… {len(lines) - MOST_LINES} more lines"]
        parts.append("".join(f"{line}\n" for line in lines))
    return "".join(parts)


def old_lines(path: str) -> list[str]:
    """Return the lines of a file; none without one."""
    try:
        return text_on_disk(path).splitlines()
    except OSError:
        return []
