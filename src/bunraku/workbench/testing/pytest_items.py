"""Tests of spec files as items of pytest; the plugin imports this module for the first such file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.dialects import find_dialect
from bunraku.facts.facterdb import FactSet
from bunraku.workbench.testing.compiling import Compiler
from bunraku.workbench.testing.data import HieraOfTest, OtherNodes
from bunraku.workbench.testing.pytest_session import hinted_message, session_of
from bunraku.workbench.testing.snapshots import Snapshots
from bunraku.workbench.testing.spec_file import SpecTest, read_spec
from bunraku.workbench.testing.spec_manifest import read_spec_manifest
from bunraku.workbench.testing.spec_test import SpecFailure, run_test


class SpecFile(pytest.File):
    """A file ``NAME_spec.yaml`` or ``NAME_spec.pp``."""

    def collect(self) -> Iterator[SpecItem]:
        """Yield the tests of the file, each on each of its operating systems."""
        try:
            for test in self.tests():
                yield from self.items_of(test)
        except PuppetError as error:
            raise self.CollectError(hinted_message(error)) from None

    def tests(self) -> list[SpecTest]:
        """Return the tests of the file."""
        content, path = self.path.read_bytes(), os.path.relpath(self.path)
        if self.path.suffix != ".pp":
            return read_spec(content, path)
        session, directory = session_of(self.config), str(self.path.parent)
        fields = session.project(directory).fields
        dialect = find_dialect(fields.get("language"), "puppet", fields["settings"])
        compiler = session.compiler(directory, None, {}, [], HieraOfTest(), OtherNodes())
        return read_spec_manifest(content, path, dialect, compiler.evaluate)

    def items_of(self, test: SpecTest) -> Iterator[SpecItem]:
        """Yield the items of a test; a system without facts is skipped."""
        if not test.systems:
            yield SpecItem.from_parent(self, name=test.name, test=test, system=None)
            return
        names = [] if test.systems is True else test.systems
        for one in session_of(self.config).systems(str(self.path.parent), names):
            name = one if isinstance(one, str) else one.name
            system = None if isinstance(one, str) else one
            item = SpecItem.from_parent(self, name=f"{test.name}[{name}]", test=test, system=system)
            if system is None:
                item.add_marker(pytest.mark.skip(reason=f"there are no facts of {name}"))
            yield item


class SpecItem(pytest.Item):
    """A test of a spec file on one operating system, or on none."""

    def __init__(self, *, test: SpecTest, system: FactSet | None, **others: Any) -> None:
        super().__init__(**others)
        self.test = test
        self.system = system

    def runtest(self) -> None:
        """Run the test."""
        session = session_of(self.config)
        run_test(self.test, str(self.path.parent), session, self.system, self.snapshot)

    def snapshot(self, compiler: Compiler) -> Snapshots:
        """Return what compares a catalog with the snapshot of this test."""
        update = self.config.getoption("bunraku_update")
        return Snapshots(str(self.path), self.name, update, compiler.matches)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """Return what pytest prints about a failure: no lines of Python, unless bunraku is at fault."""
        error = excinfo.value
        if isinstance(error, SpecFailure):
            return str(error)
        if isinstance(error, PuppetError):
            return hinted_message(error)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[os.PathLike[str] | str, int | None, str]:
        """Return the file, the line (from 0) and the name of the test."""
        line = self.test.place.line
        return self.path, None if line is None else line - 1, self.name
