"""The nodes and classes of a control repository that has no facts of nodes."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence

from bunraku.base.records import record
from bunraku.base.source import Source
from bunraku.engine.manifests import main_paths, read_text
from bunraku.engine.request import ResolvedRequest
from bunraku.project.contents import class_names, named_nodes
from bunraku.project.reading import names_in
from bunraku.syntax.nodes import (
    Block,
    ClassDefinition,
    Default,
    DefineDefinition,
    FunctionDefinition,
    Node,
    NodeDefinition,
    Nop,
    Program,
    Regexp,
    TypeAlias,
)
from bunraku.workbench.ci.hierarchy import DataFile, class_texts, hierarchy_files
from bunraku.workbench.ci.module_classes import entry_classes
from bunraku.workbench.ci.role_nodes import PROFILE_MODULES, roles_of

KEYS = frozenset({"role", "roles", "classes", "profiles"})
"""The usual keys of data with the classes of nodes."""
LOOKED_UP = re.compile(r"\b(?:lookup|hiera|hiera_array|hiera_include)\(\s*\{?['\"]([\w:]+)['\"]")
"""A call that reads a key of data."""
ROLE_VARIABLE = re.compile(r"(?:.*\.)?\w*role\w*")
"""Variables of the hierarchy that name the role of a node."""


@record(frozen=True)
class ControlSite:
    """A control repository: its root, its main manifests and modules, and the files of its data.

    ``left_out`` are directories of modules that are not its own.
    """

    root: str
    resolved: ResolvedRequest
    left_out: frozenset[str]
    data: Sequence[DataFile]

    @property
    def modules(self) -> dict[str, str]:
        """The directories of its own modules by name."""
        paths = self.resolved.environment.module_paths
        return {name: path for name, path in paths if path not in self.left_out}

    @property
    def code(self) -> str:
        """The text of the main manifests."""
        return "\n".join(read_text(self.resolved.world, path) for path in self.manifests)

    @property
    def manifests(self) -> list[str]:
        """The paths of the main manifests that are there."""
        return [path for path in main_paths(self.resolved) if self.resolved.world.is_file(path)]

    def nodes(self) -> list[str]:
        """Return the nodes that node definitions, files of data and a classifier's files name, sorted."""
        world, dialect = self.resolved.world, self.resolved.dialect
        found = {one.node for one in self.data if one.node}
        found.update(named_nodes(self.manifests, world, dialect))
        settings = self.resolved.settings
        if settings.get("node_terminus") == "yaml":
            names = names_in(world, str(settings.get("external_nodes", "")))
            found.update(name.removesuffix(".yaml") for name in names if name.endswith(".yaml"))
        return sorted(one for one in found if one and one != "default")

    def sample_nodes(self) -> list[str]:
        """Return a name for each pattern of the node definitions, sorted; none for those that are not simple."""
        patterns = [
            match.pattern
            for program in self.programs()
            for one in program.definitions
            if isinstance(one, NodeDefinition)
            for match in one.matches
            if isinstance(match, Regexp)
        ]
        return sorted(filter(None, {sample_of_pattern(one) for one in patterns}))

    def classes_like(self, patterns: Sequence[str]) -> list[str]:
        """Return its classes that match one of some patterns, sorted."""
        world, dialect = self.resolved.world, self.resolved.dialect
        found = (class_names(self.modules, pattern, world, dialect) for pattern in patterns)
        return sorted({name for names in found for name in names})

    def role_values(self) -> Mapping[str, Sequence[str]]:
        """Return the values of each variable of the hierarchy that names roles, by its name.

        A variable that the main manifest assigns is none: a fact of its name would be an error.
        """
        found: dict[str, list[str]] = {}
        for one in self.data:
            for variable, value in one.values.items():
                if ROLE_VARIABLE.fullmatch(variable) and not self.assigns(variable):
                    found.setdefault(variable, []).append(value)
        return {variable: sorted(set(values)) for variable, values in found.items()}

    def assigns(self, variable: str) -> bool:
        """Return whether the main manifest assigns a variable."""
        return re.search(rf"\$(::)?{re.escape(variable)}\s*=[^=~]", self.code) is not None

    def has_code_for_every_node(self) -> bool:
        """Return whether the main manifests have code outside of node definitions, or a default node with some."""
        return any(is_code(one) for program in self.programs() for one in statements(program.body))

    def has_default_node(self) -> bool:
        """Return whether the main manifests have a default node."""
        return any(is_default(one) for program in self.programs() for one in program.definitions)

    def has_node_definitions(self) -> bool:
        """Return whether the main manifests have node definitions."""
        return any(
            isinstance(one, NodeDefinition)
            for program in self.programs()
            for one in program.definitions
        )

    def programs(self) -> list[Program]:
        """Return the main manifests, parsed."""
        world, dialect = self.resolved.world, self.resolved.dialect
        sources = [Source(read_text(world, path), path) for path in self.manifests]
        return [dialect.parse(one).program for one in sources]

    def roles(self) -> list[str]:
        """Return the roles: classes of the usual modules, else those that data names, else entry profiles."""
        resolved = self.resolved
        parents = dict.fromkeys(os.path.dirname(path) for path in self.modules.values())
        return roles_of(list(parents), resolved.world) or self.classes_in_data() or self.profiles()

    def classes_in_data(self) -> list[str]:
        """Return the classes of its own modules that data names, apart from data of single nodes."""
        keys = KEYS | set(LOOKED_UP.findall(self.code))
        shared = [one for one in self.data if one.node is None]
        known = set(self.classes_like("*"))
        return [one for one in class_texts(shared, keys, self.resolved.world) if one in known]

    def profiles(self) -> list[str]:
        """Return the classes of the usual modules of profiles that no other class declares."""
        return [name for module in PROFILE_MODULES for name in self.entry_classes(module)]

    def entry_classes(self, module: str) -> Iterator[str]:
        """Yield the classes of a module that no other one of its classes declares."""
        path = self.modules.get(module)
        if path is not None:
            resolved = self.resolved
            yield from entry_classes(path, module, resolved.dialect, resolved.world)


def sample_of_pattern(pattern: str) -> str | None:
    """Return a name that a simple regular expression matches.

    >>> sample_of_pattern(r"^(web|www)\\d+\\.example\\.com$"), sample_of_pattern(r"^db-[a-f]{3}")
    ('web1.example.com', None)
    """
    text = re.sub(r"\((?:\?:)?([^()|]*)(?:\|[^()]*)?\)", r"\1", pattern.strip("^$"))
    text = re.sub(r"(?:\\d|\[0-9\])(?:[+*?]|\{\d+(?:,\d*)?\})?", "1", text)
    text = re.sub(r"\.[+*]", "x", text).replace("\\.", ".").replace("\\-", "-")
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", text):
        return None
    try:
        return text if re.search(pattern, text) else None
    except re.error:
        return None


def statements(body: Node) -> list[Node]:
    """Return the statements of a body."""
    return list(body.statements) if isinstance(body, Block) else [body]


def is_default(definition: Node) -> bool:
    """Return whether a definition is that of the default node."""
    return isinstance(definition, NodeDefinition) and any(
        isinstance(one, Default) for one in definition.matches
    )


def is_code(statement: Node) -> bool:
    """Return whether a statement of a main manifest can have an effect on a node that it does not name."""
    if isinstance(statement, NodeDefinition):
        return is_default(statement) and any(map(is_code, statements(statement.body)))
    return not isinstance(
        statement, ClassDefinition | DefineDefinition | FunctionDefinition | TypeAlias | Nop
    )


def control_site(
    root: str, resolved: ResolvedRequest, left_out: Sequence[str], hiera_config: str | None
) -> ControlSite:
    """Return the site in a directory; ``hiera_config`` is the configuration of its data, if not the usual one."""
    data = hierarchy_files(root, hiera_config, resolved.world)
    return ControlSite(root, resolved, frozenset(left_out), data)
