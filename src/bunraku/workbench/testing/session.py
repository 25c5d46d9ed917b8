"""What the tests of one run share: the code under test by directory, and the operating systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.records import field, record
from bunraku.engine.hooks import NO_HOOKS, Hooks
from bunraku.facts.facterdb import FactSet, all_fact_sets, fact_sets, matches
from bunraku.project.option_kinds import check_options
from bunraku.workbench.ci.module_classes import supported_systems, usual_machine
from bunraku.workbench.testing.compiling import Compiler
from bunraku.workbench.testing.data import HieraOfTest, OtherNodes
from bunraku.workbench.testing.issues import NO_SYSTEMS
from bunraku.workbench.testing.project import CodeUnderTest, code_under_test
from bunraku.workbench.testing.subject_compiler import facts_of_system, merged_options
from bunraku.workbench.testing.subject_options import SUBJECT_KEYWORDS
from bunraku.world.machine import Machine

MACHINE = Machine()
Mark = tuple[tuple[Any, ...], Mapping[str, Any]]
"""The arguments of a mark ``puppet``."""


@record(slots=False)
class Session:
    """The state of a run of tests.

    ``modulepath`` has directories of modules for all tests; ``facterdb`` is the folder ``facts`` of
    FacterDB, None for the installed one. ``only`` limits the operating systems. ``hooks`` are those of a debugger.
    """

    modulepath: Sequence[str] = ()
    facterdb: str | None = None
    language: str | None = None
    only: Sequence[str] = ()
    hooks: Hooks = field(default=NO_HOOKS, shown=False)
    projects: dict[str, CodeUnderTest] = field(default_factory=dict)
    known_facts: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def project(self, directory: str) -> CodeUnderTest:
        """Return the code under test for tests in a directory; PuppetError if there is none."""
        found = self.projects.get(directory)
        if found is None:
            found = code_under_test(directory, MACHINE, self.modulepath, self.language)
            self.projects[directory] = found
        return found

    def compiler(
        self,
        directory: str,
        system: FactSet | None,
        facts: Any,
        marks: Sequence[Mark],
        hiera: Any,
        nodes: OtherNodes,
    ) -> Compiler:
        """Return the compiler of a test in a directory; the first of the marks is the innermost.

        ``hiera`` is the value of the fixture; that of a project's own fixture is the data.
        """
        project = self.project(directory)
        given = [] if system is None else [system.facts()]
        defaults: dict[str, Any] = {"facts": [project.facts, *given, facts]}
        if not isinstance(hiera, HieraOfTest):
            defaults = merged_options(defaults, {"hiera": hiera})
            hiera = HieraOfTest()
        for arguments, options in reversed(marks):
            check_options(options, SUBJECT_KEYWORDS)
            subject = dict(zip(["class_"], arguments, strict=False))
            defaults = merged_options(defaults, {**subject, **options})
        return Compiler(
            project, defaults, hiera, nodes, system_facts=self.system_facts, hooks=self.hooks
        )

    def system_facts(self, name: str) -> Mapping[str, Any]:
        """Return the facts of an operating system, read once; a compile does not change them."""
        found = self.known_facts.get(name)
        if found is None:
            found = self.known_facts[name] = facts_of_system(name, self.facterdb)
        return found

    def systems(self, directory: str, names: Sequence[str] = ()) -> list[FactSet | str]:
        """Return the operating systems of tests in a directory, as fact sets.

        ``names`` are those of FacterDB; without any they are those of ``metadata.json``. Systems
        of ``metadata.json`` without facts are returned by their names. Raises
        PuppetError for unknown names, and for no systems at all.
        """
        fact_sets(self.facterdb, self.only)  # an unknown name is an error
        found = self.named(names) if names else self.supported(directory)
        return [one for one in found if self.is_wanted(one if isinstance(one, str) else one.name)]

    def named(self, names: Sequence[str]) -> list[FactSet | str]:
        """Return the systems with names: 64-bit PCs unless a name is that of another machine."""
        found = {one.name: one for one in fact_sets(self.facterdb, names)}
        exact = {name.lower() for name in names}
        usual = set(usual_names(found))
        return [one for name, one in found.items() if name in usual or name in exact]

    def supported(self, directory: str) -> list[FactSet | str]:
        """Return the systems of ``metadata.json``."""
        root = self.project(directory).root
        supported = list(supported_systems(root, MACHINE))
        if not supported:
            raise NO_SYSTEMS(path=f"{root}/metadata.json")
        known = all_fact_sets(self.facterdb)
        return [usual_machine(known, system) or system for system in supported]

    def is_wanted(self, name: str) -> bool:
        """Return whether a system is among those to which a run is limited."""
        return not self.only or any(matches(name, one.lower()) for one in self.only)


def usual_names(names: Iterable[str]) -> Iterator[str]:
    """Yield one name for each operating system: that of a 64-bit PC if there are several.

    >>> list(usual_names(["debian-12-aarch64", "debian-12-x86_64", "solaris-11-sun4v"]))
    ['debian-12-x86_64', 'solaris-11-sun4v']
    """
    by_system: dict[str, list[str]] = {}
    for name in names:
        by_system.setdefault(name.rpartition("-")[0], []).append(name)
    for machines in by_system.values():
        usual = [name for name in machines if name.endswith(("-x86_64", "-x64"))]
        yield (usual or machines)[0]
