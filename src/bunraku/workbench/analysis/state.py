"""The state of one analysis: the findings, and what is decided when all code was seen."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property

from bunraku.apply.validate import SingleValues
from bunraku.base.errors import Diagnostic, Issue, Severity
from bunraku.base.records import field, record, replace
from bunraku.base.source import Place
from bunraku.base.suggestions import did_you_mean
from bunraku.providers.type_modules import module_hint
from bunraku.runtime.suggest import sentence
from bunraku.syntax.nodes import ClassDefinition, DefineDefinition, Node, Program
from bunraku.workbench.analysis.declared_types import DeclaredTypes
from bunraku.workbench.analysis.definitions import Definitions
from bunraku.workbench.analysis.functions import Functions
from bunraku.workbench.analysis.hiera_layers import Layers
from bunraku.workbench.analysis.hiera_readers import KeyReaders
from bunraku.workbench.analysis.inference import Classes, Inference, inference_of
from bunraku.workbench.analysis.issues import MISSING_PARAMETER, MODULE_NOT_INSTALLED


@record(frozen=True)
class MissingValue:
    """A resource without a value for a parameter, which defaults elsewhere may give."""

    type_name: str
    parameter: str
    finding: Diagnostic


@record(frozen=True)
class ReplaceableValue:
    """A wrong value of a parameter, which an override or a collector may replace."""

    type_name: str
    parameter: str
    finding: Diagnostic


@record(slots=False)
class Analysis:
    """One walk over some programs.

    ``program`` is the one that is visited, ``namespace`` that of the code there, and ``body``
    the definition whose scope the code has, or all of the program. ``data`` maps absolute paths of the
    data files that are checked to the paths for findings.
    ``elsewhere`` has the parameters that defaults, overrides and collectors set, by resource type;
    a type is in ``open_types`` if they set parameters with names that only a run can give. ``replaced``
    has those that overrides and collectors set, also if a resource has a value (``*``: any).
    ``included`` are required parameters of classes in ``include`` that no data has, ``class_values`` the
    parameters that other declarations of classes give (``*``: any). ``defaults`` are wrong defaults,
    ``given`` the parameters that declarations of resources of defined types give.
    ``warnings`` are findings about code that may run without an error, ``unsure`` findings about names that a module which is not installed may define.
    """

    definitions: Definitions
    program: Program
    data: Mapping[str, str] = field(default_factory=dict)
    namespace: str = ""
    body: Node | None = None
    findings: list[Diagnostic] = field(default_factory=list)
    warnings: list[Diagnostic] = field(default_factory=list)
    unsure: list[Diagnostic] = field(default_factory=list)
    missing: list[MissingValue] = field(default_factory=list)
    replaceable: list[ReplaceableValue] = field(default_factory=list)
    elsewhere: set[tuple[str, str]] = field(default_factory=set)
    open_types: set[str] = field(default_factory=set)
    replaced: set[tuple[str, str]] = field(default_factory=set)
    included: list[MissingValue] = field(default_factory=list)
    class_values: set[tuple[str, str]] = field(default_factory=set)
    defaults: list[MissingValue] = field(default_factory=list)
    given: set[tuple[str, str]] = field(default_factory=set)
    absent: dict[str, Place] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    bodies: dict[int, tuple[Node, Inference]] = field(default_factory=dict)
    classes: Classes = field(default_factory=dict)

    @cached_property
    def single_values(self) -> SingleValues:
        """The checks of values of Puppet's own resource types."""
        return SingleValues()

    @cached_property
    def declared(self) -> DeclaredTypes:
        """The types that code declares."""
        return DeclaredTypes(self.definitions)

    @cached_property
    def functions(self) -> Functions:
        """The signatures of functions."""
        return Functions(self.definitions, self.declared)

    @cached_property
    def layers(self) -> Layers:
        """The data of Hiera."""
        return Layers(self.definitions, self.data)

    @cached_property
    def readers(self) -> KeyReaders:
        """What reads keys of data."""
        return KeyReaders(self.layers)

    @property
    def inference(self) -> Inference:
        """The types of expressions in the body that is visited."""
        body = self.program.body if self.body is None else self.body
        known = self.bodies.get(id(body))
        if known is None:
            made = inference_of(self.declared, self.functions, body, self.classes)
            known = self.bodies[id(body)] = body, made
        return known[1]

    def place(self, node: Node) -> Place:
        """Return the place of a node of the visited program."""
        return self.program.source.span(node.start, node.end).place

    def report(
        self, issue: Issue, node: Node, severity: Severity = "error", **arguments: object
    ) -> Diagnostic:
        """Return a finding about a node."""
        return issue.diagnostic(self.place(node), severity, **arguments)

    def with_hint(self, finding: Diagnostic, kind: str, name: str, as_written: bool) -> Diagnostic:
        """Return a finding with the name that may be meant, and where this one was searched."""
        definitions = self.definitions
        names = set(definitions.candidates(kind, name))
        if kind == "resource_type":
            if (hint := module_hint(name.lower())) is not None:
                return replace(finding, hint=hint)
            names.update(definitions.candidates("define", name))
        meant = did_you_mean(name if as_written else name.lower().removeprefix("::"), names)
        return replace(finding, hint=sentence(meant, definitions.searched(kind, name)))

    def note_absent(self, name: str, node: Node) -> None:
        """Note that the module of a name is not there, if that is so."""
        namespace = name.lower().removeprefix("::").partition("::")[0]
        if self.definitions.is_absent(namespace):
            self.absent.setdefault(namespace, self.place(node))

    def class_named(self, name: str) -> ClassDefinition | None:
        """Return the class that a name means here."""
        return self.definitions.class_near(name, self.namespace)

    def define_named(self, name: str) -> DefineDefinition | None:
        """Return the defined type that a name means here."""
        return self.definitions.define_near(name, self.namespace)

    def result(self) -> list[Diagnostic]:
        """Return all findings, when all code was seen."""
        found = [*self.findings, *(replace(one, severity="warning") for one in self.warnings)]
        complete = not self.absent and not self.definitions.missing_dependencies()
        unsure: Severity = "error" if complete else "warning"
        found += [replace(one, severity=unsure) for one in self.unsure]
        required: Severity = "error" if self.has_main_manifests() else "warning"
        for one in self.missing:
            elsewhere = (one.type_name, one.parameter) in self.elsewhere
            if not elsewhere and one.type_name not in self.open_types:
                found.append(replace(one.finding, severity=required))
        for one in self.included:
            keys = {(one.type_name, name) for name in (one.parameter, "*")}
            if self.class_values.isdisjoint(keys):
                found.append(replace(one.finding, severity="warning"))
        given = self.class_values | self.given
        for one in self.defaults:
            used = given.isdisjoint({(one.type_name, name) for name in (one.parameter, "*")})
            found.append(replace(one.finding, severity="error" if used else "warning"))
        for value in self.replaceable:
            keys = {(value.type_name, name) for name in (value.parameter, "*")}
            sure = self.replaced.isdisjoint(keys)
            found.append(replace(value.finding, severity="error" if sure else "warning"))
        for name, place in self.absent.items():
            found.append(MODULE_NOT_INSTALLED.diagnostic(place, "warning", name=name))
        return found

    def has_main_manifests(self) -> bool:
        """Return whether the main manifests are among the programs: defaults there hold everywhere."""
        manifests = self.definitions.environment.manifests()
        programs = self.definitions.programs
        return bool(manifests) and all(os.path.abspath(one) in programs for one in manifests)

    def note_missing(self, type_name: str, parameter: str, node: Node, reference: str) -> None:
        """Note that a resource has no value for a required parameter."""
        finding = self.report(MISSING_PARAMETER, node, reference=reference, name=parameter)
        self.missing.append(MissingValue(type_name, parameter, finding))
