"""Sections of docs/performance.md, each written by one of the programs beside this file."""

from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs/performance.md"


def write_section(name: str, text: str) -> None:
    """Replace the text between ``<!-- NAME: begin -->`` and ``<!-- NAME: end -->`` in the page.

    Raise ValueError if the page lacks one of the two lines.
    """
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    before, found, rest = PAGE.read_text("utf-8").partition(begin)
    _, ended, after = rest.partition(end)
    if not (found and ended):
        raise ValueError(f"{PAGE} has no section {name!r}")
    PAGE.write_text(f"{before}{begin}{text}{end}{after}", "utf-8")
