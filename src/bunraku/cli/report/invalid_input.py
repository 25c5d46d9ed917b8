"""The report of a file that a command cannot use."""

from __future__ import annotations

from bunraku.base.errors import PuppetError
from bunraku.base.excerpt import excerpt
from bunraku.base.paths import where


def invalid_input_text(error: PuppetError) -> str:
    """Return the place, the problem, the hint and the source line."""
    finding = error.diagnostic
    place = where(*finding.place.where)
    message = f"{place}: {finding.message}" if place else finding.message
    if finding.hint:
        message += f" ({finding.hint})"
    shown = excerpt(finding.place.shown) if finding.place.shown is not None else None
    if shown is None:
        return message
    number, text, carets = shown
    margin = " " * len(str(number))
    return f"{message}\n  {number} | {text}\n  {margin} | {carets}"
