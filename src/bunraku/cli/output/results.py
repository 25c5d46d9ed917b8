"""Results of jobs for people or for programs, as ``--format`` asks."""

from __future__ import annotations

from collections.abc import Callable

from bunraku.base.lazy_typing import Any, TypeVar
from bunraku.cli.output.output import write
from bunraku.formats.json import clean_json_text

R = TypeVar("R")


def print_result(
    form: str, result: R, text: Callable[[R], str], data: Callable[[R], dict[str, Any]]
) -> None:
    """Print a result as text, or as data in JSON."""
    write(clean_json_text(data(result)) if form == "json" else text(result))
