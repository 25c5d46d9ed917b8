"""How a check of the style is declared: a function with a name, a description and its switches."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from bunraku.base.errors import Severity
from bunraku.base.records import record
from bunraku.base.text_edits import Edit
from bunraku.workbench.lint.manifest import Manifest


@record(frozen=True)
class Problem:
    """A place in a manifest that a check reports, with the edits that correct it.

    Problems of a check with the same ``group`` are corrected together or not at all.
    """

    start: int
    end: int
    message: str
    edits: tuple[Edit, ...] = ()
    group: str = ""


Function = Callable[[Manifest], Iterable[Problem]]


@record(frozen=True)
class Check:
    """A check; ``plugin`` is the gem that it comes from, empty for puppet-lint itself.

    ``changes_tree`` means that a fix may change the syntax tree, since the check is about it.
    """

    name: str
    description: str
    function: Function
    severity: Severity
    fixes: bool
    enabled: bool
    changes_tree: bool
    plugin: str


CHECKS: dict[str, Check] = {}
"""All checks by name, when :func:`bunraku.workbench.lint.registry.checks` has imported them."""


def check(
    description: str,
    *,
    name: str = "",
    prefix: str = "",
    severity: Severity = "warning",
    fixes: Literal["", "layout", "tree"] = "",
    enabled: bool = True,
    plugin: str = "",
) -> Callable[[Function], Function]:
    """Return a decorator that adds a function to the table of checks, by its name or another one.

    ``prefix`` is put before the name. ``fixes`` is what the corrections may change: only the layout,
    or the syntax tree too.
    """

    def add(function: Function) -> Function:
        key = prefix + (name or function.__name__)
        CHECKS[key] = Check(
            key, description, function, severity, bool(fixes), enabled, fixes == "tree", plugin
        )
        return function

    return add
