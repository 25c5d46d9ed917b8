"""Facts from a file of the command line: JSON or YAML, plain or as Puppet stores them."""

from __future__ import annotations

from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli.options.shared import read_text
from bunraku.cli.report.excerpt import excerpt
from bunraku.cli.report.findings import where
from bunraku.facts.documents import facts_in


def read_facts(path: str) -> dict[str, Any]:
    """Return the facts in a file by name; ``{"name": …, "values": {…}}`` is understood too."""
    try:
        return facts_in(read_text(path), path)
    except PuppetError as error:
        raise wrong_input(error) from error


def wrong_input(error: PuppetError) -> UsageError:
    """Return the usage error for a file that cannot be used: the place, the problem and the line."""
    found = error.diagnostic
    place = where(*found.place.where)
    message = f"{place}: {found.message}" if place else found.message
    if found.hint:
        message += f" ({found.hint})"
    shown = excerpt(found.place.shown) if found.place.shown is not None else None
    if shown is None:
        return UsageError(message)
    number, text, carets = shown
    margin = " " * len(str(number))
    return UsageError(f"{message}\n  {number} | {text}\n  {margin} | {carets}")
