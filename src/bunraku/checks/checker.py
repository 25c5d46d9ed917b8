"""Checks of texts by their kind, within limits of time and memory."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

from bunraku.base.errors import Diagnostic, PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.base.source import Place, Source
from bunraku.dialects.dialect import Dialect
from bunraku.engine.programs import check_program
from bunraku.limits.limits import Limited, Limits
from bunraku.syntax.nodes import Program

MANIFEST, EPP = "manifest", "EPP template"
"""The kinds that the syntax alone checks, as ``checks.kinds`` calls them."""


class Checker:
    """Checks texts according to their kind; ``modulepath`` has the modules of the project.

    ``keep`` is called with each manifest and EPP template that has no errors of syntax.
    """

    def __init__(
        self,
        dialect: Dialect,
        settings: Mapping[str, Any],
        limits: Limits,
        keep: Callable[[Program], None] | None = None,
    ) -> None:
        self.dialect = dialect
        self.settings = settings
        self.limits = limits
        self.keep = keep
        self.modulepath: list[str | tuple[str, str]] = []

    def __call__(self, source: Source, kind: str) -> list[Diagnostic]:
        """Return the findings of a text; if checking it takes too long or too much memory, only that."""
        try:
            with Limited(self.limits):
                return self.check(source, kind)
        except PuppetError as error:
            return list(error.at(Place(source.path or None)))

    def check(self, source: Source, kind: str) -> list[Diagnostic]:
        """Return the findings of a text."""
        if kind not in {MANIFEST, EPP}:
            from bunraku.checks.run import check_file

            return check_file(source, kind)
        dialect = self.dialect
        if is_plan(source):
            dialect = dialect.with_syntax(tasks=True)
        source.is_template = kind == EPP
        modulepath = self.modulepath if self.defines(source.path) else ()
        checked = check_program(source, dialect, self.settings, modulepath)
        if self.keep is not None and not checked.errors:
            self.keep(checked.program)
        return checked.findings

    def defines(self, path: str) -> bool:
        """Return whether Puppet looks for definitions in a file of a module (not in examples)."""
        if not self.modulepath:
            return False
        from bunraku.syntax.check.autoload import NO_NAME, namespace_of

        return namespace_of(path, self.modulepath) not in {None, NO_NAME}


def is_plan(source: Source) -> bool:
    """Return whether a manifest is a plan."""
    if "plans" not in os.path.abspath(source.path):
        return False  # most files, and what finds more is imported only for the others
    from bunraku.checks.files import has_tasks

    return has_tasks(source.path, source.text)
