"""Dependencies of modules: those that code uses against ``metadata.json`` and ``.fixtures.yml``."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

from bunraku.base.errors import Issue, PuppetError
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.base.suggestions import did_you_mean
from bunraku.checks.metadata import line_of_key
from bunraku.checks.source import line_place
from bunraku.hiera.data import parse_yaml
from bunraku.modules.environment import Module
from bunraku.project.fixtures import KEYS, KINDS
from bunraku.syntax import nodes
from bunraku.syntax.nodes import Node, Program
from bunraku.values.version import SemVer, SemVerRange
from bunraku.workbench.analysis.files import FOLDERS, MOUNT
from bunraku.workbench.analysis.issues import (
    MISSING_FIXTURE,
    UNDECLARED_DEPENDENCY,
    UNKNOWN_FIXTURE_KEY,
    UNSATISFIED_DEPENDENCY,
    UNUSED_DEPENDENCY,
)
from bunraku.workbench.analysis.names import (
    DECLARING,
    OF_RESOURCE_TYPES,
    written_name,
    written_names,
)
from bunraku.workbench.analysis.outside import Outside, files_below
from bunraku.workbench.analysis.state import Analysis

PRODUCTS = frozenset({"puppet", "openvox"})
"""Requirements whose version is that of the language."""
FIXTURES = ".fixtures.yml"
OF_THE_AGENT = "_core"
"""The end of the names of modules that the agent package brings."""


def check_dependencies(analysis: Analysis, programs: Iterable[Program], outside: Outside) -> None:
    """Check the modules whose ``metadata.json`` is among the files of the analysis."""
    by_module: dict[str, list[Program]] = {}
    environment = analysis.definitions.environment
    for one in programs:
        module = environment.module_of_path(os.path.abspath(one.source.path))
        if module is not None:
            by_module.setdefault(module.name, []).append(one)
    for path, shown in sorted(analysis.data.items()):
        if os.path.basename(path) == "metadata.json":
            module = environment.module_of_path(path)
            if module is not None and path == module.path_of("metadata.json"):
                here = by_module.get(module.name, [])
                ModuleCheck(analysis, module, shown, outside).check(here)


class ModuleCheck:
    """The checks of one module; ``path`` is that of its metadata, as it is shown."""

    def __init__(self, analysis: Analysis, module: Module, path: str, outside: Outside) -> None:
        self.analysis = analysis
        self.definitions = analysis.definitions
        self.module = module
        self.path = path
        self.outside = outside
        self.source = Source(outside.text(module.path_of("metadata.json")), path)

    def check(self, programs: Iterable[Program]) -> None:
        """Add the findings about a module."""
        used: dict[str, tuple[Node, Program]] = {}
        for program in programs:
            for name, node in self.modules_in(program):
                used.setdefault(name, (node, program))
        declared = set(self.module.dependencies)
        if self.module.metadata:
            self.check_used(used, declared)
            self.check_unused(used, declared)
            self.check_versions()
            self.check_fixtures(declared)

    def check_used(self, used: dict[str, tuple[Node, Program]], declared: set[str]) -> None:
        """Report modules that code uses and the metadata does not list."""
        for name in sorted(used.keys() - declared - {self.module.name}):
            node, self.analysis.program = used[name]
            found = self.analysis.report(UNDECLARED_DEPENDENCY, node, name=name)
            self.analysis.warnings.append(found)

    def check_unused(self, used: dict[str, tuple[Node, Program]], declared: set[str]) -> None:
        """Report dependencies that neither code nor any other file of the module names."""
        for name in sorted(declared - used.keys()):
            if self.definitions.is_absent(name):
                continue  # its functions and types are not known
            if not any(self.names(path, name) for path in self.other_files()):
                self.report(UNUSED_DEPENDENCY, name, name=name)

    def names(self, path: str, name: str) -> bool:
        """Return whether a file has the name of a module."""
        return re.search(rf"\b{re.escape(name)}\b", self.outside.text(path)) is not None

    def other_files(self) -> Iterator[str]:
        """Yield the files of the module other than its manifests in which names can be."""
        for folder in ("lib", "templates", "functions", "types", "plans", "data", "manifests"):
            yield from files_below(self.outside.world, self.module.path_of(folder))

    def report(self, issue: Issue, key: str, **arguments: object) -> None:
        """Report the entry of a name in the metadata."""
        place = line_place(self.source, line_of_name(self.source.text, key))
        self.analysis.warnings.append(issue.diagnostic(place, "warning", **arguments))

    # -- versions --------------------------------------------------------------------------------

    def check_versions(self) -> None:
        """Report installed modules, and a language, that the ranges of the metadata exclude."""
        for kind in ("dependencies", "requirements"):
            entries = self.module.metadata.get(kind)
            for entry in entries if isinstance(entries, list) else ():
                if isinstance(entry, dict) and isinstance(entry.get("name"), str):
                    name = re.split("[-/]", entry["name"], maxsplit=1)[-1]
                    self.check_version(kind, name, entry.get("version_requirement"))

    def check_version(self, kind: str, name: str, wanted: Any) -> None:
        """Report a version that a range excludes."""
        if kind == "requirements":
            version = self.definitions.resolved.dialect.version if name in PRODUCTS else None
        else:
            module = self.definitions.environment.find_module(name)
            version = None if module is None else module.version
        if not isinstance(wanted, str) or version is None:
            return
        try:
            fits = SemVerRange.parse(wanted).includes(SemVer.parse(version))
        except PuppetError:
            return  # the check of the metadata reports it
        if not fits:
            self.report(UNSATISFIED_DEPENDENCY, name, name=name, range=wanted, version=version)

    # -- fixtures --------------------------------------------------------------------------------

    def check_fixtures(self, declared: set[str]) -> None:
        """Report dependencies that ``.fixtures.yml`` does not install for tests, and unknown keys."""
        path = self.module.path_of(FIXTURES)
        if not self.outside.world.is_file(path):
            return
        shown = os.path.join(os.path.dirname(self.path), FIXTURES)
        source = Source(self.outside.text(path), shown)
        try:
            content = parse_yaml(source.text.encode(), shown)
        except PuppetError as error:
            self.analysis.findings += list(error)
            return
        fixtures = content.get("fixtures") if isinstance(content, dict) else None
        if not isinstance(fixtures, dict):
            return
        self.check_keys(source, content, KEYS)
        self.check_keys(source, fixtures, KINDS)
        installed = {str(name) for kind in KINDS for name in fixtures.get(kind) or ()}
        place = line_place(source, line_of_key(source.text, "fixtures"))
        for name in sorted(declared - installed):
            found = MISSING_FIXTURE.diagnostic(place, "warning", name=name)
            self.analysis.warnings.append(found)

    def check_keys(self, source: Source, content: dict[Any, Any], known: tuple[str, ...]) -> None:
        """Report keys that the file cannot have."""
        for key in content:
            if key not in known:
                line = source.text[: max(source.text.find(f"{key}:"), 0)].count("\n") + 1
                found = UNKNOWN_FIXTURE_KEY.diagnostic(line_place(source, line), "warning", key=key)
                self.analysis.warnings.append(replace(found, hint=did_you_mean(str(key), known)))

    # -- use -------------------------------------------------------------------------------------

    def modules_in(self, program: Program) -> Iterator[tuple[str, Node]]:
        """Yield the installed modules whose names, types and functions a program uses."""
        waiting: list[Node] = [program.body]
        while waiting:
            node = waiting.pop()
            for name in self.modules_of(node):
                if not name.endswith(OF_THE_AGENT) and not self.definitions.is_absent(name):
                    yield name, node
            waiting += nodes.children(node)

    def modules_of(self, node: Node) -> Iterator[str]:
        """Yield the modules that one node uses."""
        if isinstance(node, nodes.Call) and isinstance(node.callee, nodes.Name):
            yield from self.modules_of_call(node, node.callee.value.removeprefix("::"))
        elif isinstance(node, nodes.MethodCall) and isinstance(node.name, nodes.Name):
            yield from self.of_function(node.name.value)
        elif isinstance(node, nodes.Resource):
            yield from self.modules_of_resource(node)
        elif isinstance(node, nodes.Reference):
            yield from self.of_type(node.value.lower().removeprefix("::"))
        elif isinstance(node, nodes.Variable) and "::" in node.name:
            yield node.name.removeprefix("::").partition("::")[0]
        elif isinstance(node, nodes.Attribute) and node.name == "source":
            text = written_name(node.value)
            if text is not None and text.startswith(MOUNT):
                yield text.removeprefix(MOUNT).partition("/")[0]
        elif isinstance(node, nodes.ClassDefinition) and node.parent is not None:
            yield namespace_of(node.parent)

    def modules_of_call(self, node: nodes.Call, function: str) -> Iterator[str]:
        """Yield the modules of a function, and of the names in its arguments."""
        yield from self.of_function(function)
        texts = [name for one in node.arguments for _, name in written_names(one)]
        if function in DECLARING:
            yield from map(namespace_of, texts)
        elif function in FOLDERS:
            yield from (text.partition("/")[0] for text in texts if "/" in text)
        elif function in OF_RESOURCE_TYPES and texts:
            yield from self.of_type(texts[0].lower().removeprefix("::"))

    def modules_of_resource(self, node: nodes.Resource) -> Iterator[str]:
        """Yield the module of a resource type, or of the classes in a statement."""
        name = written_name(node.type_name)
        if name is None:
            return
        if name.lower() != "class":
            yield from self.of_type(name.lower().removeprefix("::"))
            return
        for body in node.bodies:
            yield from (namespace_of(title) for _, title in written_names(body.title))

    def of_function(self, name: str) -> Iterator[str]:
        """Yield the module of a function."""
        if "::" in name:
            yield namespace_of(name)
            return
        try:
            choice = self.definitions.resolved.chooser.choose(name)
        except (PuppetError, OSError):
            return
        if choice is not None and choice.found is not None and choice.found.module is not None:
            yield choice.found.module.name

    def of_type(self, name: str) -> Iterator[str]:
        """Yield the module of a data type, resource type, defined type or class."""
        if "::" in name:
            yield namespace_of(name)
            return
        found = self.definitions.resolved.autoloader.resource_type(name)
        if found is not None and found.module is not None:
            yield found.module.name
        elif isinstance(self.definitions.definition(name), nodes.DefineDefinition):
            yield name


def namespace_of(name: str) -> str:
    """Return the first part of a name."""
    return name.lower().removeprefix("::").partition("::")[0]


def line_of_name(text: str, name: str) -> int | None:
    """Return the line of a module's name in the metadata, with or without its author."""
    found = re.search(rf"\"(?:\w+[-/])?{re.escape(name)}\"", text)
    return None if found is None else text.count("\n", 0, found.start()) + 1
