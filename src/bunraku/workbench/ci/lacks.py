"""What this machine lacks to compile a node: reasons that are not faults of the code."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property

from bunraku.base.errors import Diagnostic
from bunraku.base.paths import relative
from bunraku.base.records import replace
from bunraku.facts.custom import ADDED, fact_files
from bunraku.project.missing import absent_dependencies, absent_modules, empty_submodules
from bunraku.project.model import MODULE, Project
from bunraku.project.reading import names_in
from bunraku.runtime.issues import UNKNOWN_VARIABLE
from bunraku.world.protocol import World

OF_THIS_MACHINE = frozenset(
    {"HIERA_NO_CRYPTOGRAPHY", "HIERA_KEY_MISSING", "RUBY_MISSING", "WORKER_ENDED"}
)
"""Codes of errors that the code of a repository cannot cause."""
LIMITS = frozenset({"TIMEOUT", "OUT_OF_MEMORY"})
"""Codes of errors that say nothing about a change if the base has them, too."""
OF_MODULES = frozenset(
    {
        "UNKNOWN_CLASS",
        "UNKNOWN_RESOURCE_TYPE",
        "UNKNOWN_FUNCTION",
        "UNKNOWN_TYPE",
        "FILE_NOT_FOUND",
        "TEMPLATE_NOT_FOUND",
        "HIERA_DATA_PROVIDER_FUNCTION_NOT_FOUND",
    }
)
"""Codes of errors about a name that a module defines; the argument ``name`` has it."""

OF_DATA = frozenset({"LOOKUP_NOT_FOUND", "MISSING_PARAMETER"})
"""Codes of errors about values that data usually has."""
DATA = "no hiera.yaml has the data; name that of the server: --hiera-config, or hiera_config in bunraku.toml"
MODULES = "modules that are not installed define what they use"


class Lacks:
    """What a project needs and this machine does not have; ``has_hiera`` is whether it has a global hiera.yaml."""

    def __init__(self, project: Project, world: World, *, has_hiera: bool) -> None:
        self.world = world
        self.has_data = has_hiera or world.is_file(f"{project.root}/hiera.yaml")
        self.modules = absent_modules(project, world)
        if project.kind == MODULE:
            self.modules += absent_dependencies(project, world)
        submodules = {os.path.basename(path) for path in empty_submodules(project, world)}
        self.modules += sorted(submodules)
        self.folders = [
            *project.value("modules", {}).values(),
            *(
                f"{folder}/{name}"
                for folder in project.value("modulepath", ())
                for name in names_in(world, folder)
            ),
        ]
        self.present = {os.path.basename(folder) for folder in self.folders} - submodules

    def cause(self, finding: Diagnostic, *, before: bool) -> str:
        """Return what this machine lacks if that is why a compile failed; else an empty text.

        ``before`` is whether the base fails, too. While modules are missing, a name counts as theirs unless
        it is in the namespace of a module that is there: they can have dependencies that the Puppetfile
        does not list.
        """
        code = finding.code
        if code in OF_THIS_MACHINE or (code in LIMITS and before):
            return finding.message
        if code in OF_DATA and not self.has_data:
            return DATA
        if code not in OF_MODULES or not self.modules:
            return ""
        name = str(finding.arguments.get("name", "")).removeprefix("::").lower()
        module = name.replace("::", os.sep).split(os.sep)[0]
        return "" if module in self.present else MODULES

    @cached_property
    def custom_facts(self) -> Mapping[str, str]:
        """The facts that Ruby code of modules defines, with the paths of their files."""
        found: dict[str, str] = {}
        for path in fact_files(self.world, self.folders).ruby:
            text = self.world.read(path).decode("utf-8", "replace")
            names = ADDED.findall(text) or [os.path.basename(path).removesuffix(".rb")]
            found.update(dict.fromkeys(names, path))
        return found

    def explained(self, finding: Diagnostic) -> Diagnostic:
        """Return a finding about an unknown variable with the custom fact that it is, if it is one."""
        name = str(finding.arguments.get("name", "")).removeprefix("::")
        if finding.code != UNKNOWN_VARIABLE.code or name not in self.custom_facts:
            return finding
        path = relative(self.custom_facts[name])
        hint = f"it is a fact of {path}, which the facts of the node do not have"
        return replace(finding, hint=hint)
