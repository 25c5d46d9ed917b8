"""The files in which the autoloader searches definitions, by names of classes, functions and types.

The functions are pure; :class:`Autoloader` looks which of the files exist in an environment.
Names have no leading ``::``. These rules were found by experiments with Puppet:

* classes and defined types: ``init.pp`` of the module and the file of the name, then the files of
  its namespaces;
* functions: the environment first, then the module that the first name means; a function in Ruby
  (``lib/puppet/functions``) comes before one in Puppet, that before a 3.x one in Ruby; without
  ``::`` only Ruby functions of modules count, the first on the modulepath;
* the environment is global: ``functions/x.pp`` is ``x``, ``functions/environment/x.pp`` is
  ``environment::x``; its other namespaces are never looked up.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Literal

from bunraku.base.records import record
from bunraku.modules import issues
from bunraku.modules.environment import Environment, Module
from bunraku.modules.files import FileTable
from bunraku.modules.names import (
    can_be_loaded,
    check_null_byte,
    check_pattern,
    is_qualified_name,
    module_and_pattern,
)

Kind = Literal["puppet", "python", "ruby", "ruby3"]
FUNCTION_FOLDERS: tuple[tuple[Kind, str, str], ...] = (
    ("python", "lib/bunraku/functions", ".py"),
    ("ruby", "lib/puppet/functions", ".rb"),
    ("puppet", "functions", ".pp"),
    ("ruby3", "lib/puppet/parser/functions", ".rb"),
)
OF_EXTENSIONS = frozenset({"puppetdb_query"})
"""Functions that PuppetDB brings, not Puppet itself: a module's function of that name wins."""
ALL_KINDS = frozenset(kind for kind, _, _ in FUNCTION_FOLDERS)


@record(frozen=True)
class FoundFile:
    """A file that should define a name; ``module`` is None for the environment's own."""

    path: str
    module: Module | None
    kind: Kind


def manifest_files(name: str) -> list[str]:
    """Return files below ``manifests`` that may define a class or defined type, nearest first.

    >>> manifest_files("a::b::c")
    ['b/c.pp', 'b.pp', 'init.pp']
    """
    parts = name.split("::")[1:]
    return [
        "/".join(parts[:count]) + ".pp" if count else "init.pp"
        for count in range(len(parts), -1, -1)
    ]


def type_alias_file(name: str) -> str:
    """Return the file below ``types`` that defines a type alias, without its module's name.

    >>> type_alias_file("Stdlib::Http::StatusCode")
    'http/statuscode.pp'
    """
    return "/".join(name.lower().split("::")[1:]) + ".pp"


def function_files(name: str, *, in_environment: bool = False) -> list[tuple[Kind, str]]:
    """Return files of a module (or environment) that may define a function, as they are tried.

    >>> function_files("a::b")[2]
    ('puppet', 'functions/b.pp')
    >>> [path for kind, path in function_files("fact")]
    ['lib/bunraku/functions/fact.py', 'lib/puppet/functions/fact.rb', 'lib/puppet/parser/functions/fact.rb']
    """
    below = name.replace("::", "/")
    qualified = "::" in name
    found: list[tuple[Kind, str]] = []
    for kind, folder, suffix in FUNCTION_FOLDERS:
        if kind == "puppet" and not in_environment:
            if qualified:
                # These files are searched in lower case, regardless of the case of the call.
                found.append((kind, f"{folder}/{below.partition('/')[2].lower()}{suffix}"))
        else:
            found.append((kind, f"{folder}/{below}{suffix}"))
    return found


def with_extension(pattern: str) -> str:
    """Return a pattern of manifests; ``.pp`` need not be written.

    >>> with_extension("parts/*"), with_extension("a.pp")
    ('parts/*.pp', 'a.pp')
    """
    return pattern if "." in pattern.rpartition("/")[2] else f"{pattern}.pp"


def manifest_steps(files: FileTable, folder: str, name: str) -> list[list[str]]:
    """Return the manifests in a folder that may define a name, by the steps of the search."""
    own, *others = (f"{folder}/{file}" for file in manifest_files(name))
    first = [others.pop(), own] if others else [own]
    exists = files.exists
    return [list(filter(exists, first)), *([path] for path in others if exists(path))]


class Autoloader:
    """Finds the files of names in an environment.

    Results that depend only on the listings of folders are kept with them, for all compiles: where
    a name is in a module or in the environment itself, or that it is not there.
    """

    __slots__ = ("environment", "function_kinds")

    def __init__(
        self, environment: Environment, function_kinds: frozenset[Kind] = ALL_KINDS
    ) -> None:
        self.environment = environment
        self.function_kinds = function_kinds

    def _known(self, *what: Any) -> dict[str, Any]:
        """Return the answers to one kind of question, by name."""
        known = self.environment.files.known
        found: dict[str, Any] | None = known.get(what)
        if found is None:
            found = known[what] = {}
        return found

    def manifests(self, name: str) -> list[list[FoundFile]]:
        """Return the files that may define a class or defined type, by the steps of the search.

        Each step reads its files before it registers their definitions. ``init.pp`` belongs to the
        first, before the file of the name itself; those of the namespaces follow, the nearest
        first.

        A name that no definition can have has no files. Raises UNSAFE_PATTERN or NULL_BYTE_IN_NAME
        where Puppet refuses it.
        """
        if not is_qualified_name(name):
            return self._no_manifests(name)
        module = self.environment.find_module(name.partition("::")[0])
        if module is None:
            return []
        known = self._known("manifests", module.path)
        steps: list[list[str]] | None = known.get(name)
        if steps is None:
            files = self.environment.files
            folder = f"{module.path}/manifests"
            steps = known[name] = files.computed(
                ("manifests", folder, name), partial(manifest_steps, files, folder, name)
            )
        return [[FoundFile(path, module, "puppet") for path in step] for step in steps]

    def _no_manifests(self, name: str) -> list[list[FoundFile]]:
        """Return no files for a name that no definition can have, if Puppet does not refuse it."""
        check_null_byte(name)
        namespace, pattern = module_and_pattern(name)
        module = self.environment.find_module(namespace)
        if module is not None:
            check_pattern(pattern, module.name)
        return []

    def imports(self, pattern: str, importer: str) -> list[tuple[str, str]]:
        """Return the files that ``import`` of Puppet 3 names, and the module of each.

        ``module/files`` is below the module's manifests, its ``init.pp`` first; other files are
        beside the importing one.
        """
        check_null_byte(pattern)
        files = self.environment.files
        name, _, rest = pattern.partition("/")
        module = self.environment.find_module(name) if name else None
        if module is not None:
            check_pattern(rest, module.name)
            manifests = f"{module.path}/manifests"
            found = files.glob(with_extension(f"{manifests}/{rest}")) if rest else []
            first = f"{manifests}/init.pp"
            if first not in found and files.exists(first):
                found.insert(0, first)
            return [(path, module.name) for path in found]
        folder = importer.rpartition("/")[0]
        path = pattern if pattern.startswith("/") else f"{folder}/{pattern}"
        found = files.glob(with_extension(path))
        if not found:
            raise issues.NOTHING_TO_IMPORT(pattern=pattern)
        home = self.environment.module_of_path(importer)
        return [(path, home.name if home is not None else "") for path in found]

    def function(self, name: str) -> FoundFile | None:
        """Return the file of a function."""
        if not can_be_loaded(name):
            return None
        namespace, qualified, _ = name.partition("::")
        if not qualified or namespace == "environment":
            if found := self._in_environment("function", name):
                return found
        if qualified:
            return self._in_module("function", namespace, name)
        return self._in_modules("function", name)

    def _candidates(self, what: str, name: str, *, in_environment: bool) -> list[tuple[Kind, str]]:
        """Return the files of a module, or of the environment itself, that may define a name."""
        if what == "function":
            found = function_files(name, in_environment=in_environment)
            return [(kind, file) for kind, file in found if kind in self.function_kinds]
        if what == "type":
            below = name if in_environment else name.partition("::")[2] or "init_typeset"
            return [("puppet", f"types/{below.replace('::', '/')}.pp")]
        own: list[tuple[Kind, str]] = [("puppet", f".resource_types/{name}.pp")]
        return [*(own if in_environment else ()), ("ruby", f"lib/puppet/type/{name}.rb")]

    def _in_environment(self, what: str, name: str) -> FoundFile | None:
        """Return the file of the environment itself, outside its modules."""
        root = self.environment.path
        if root is None:
            return None
        return self._below(root, None, what, name)

    def _in_module(self, what: str, namespace: str, name: str) -> FoundFile | None:
        """Return the file of the module that a namespace means."""
        module = self.environment.find_module(namespace)
        return None if module is None else self._below(module.path, module, what, name)

    def _below(self, root: str, module: Module | None, what: str, name: str) -> FoundFile | None:
        """Return the first of the files that there is below a folder."""
        known = self._known(what, self.function_kinds, root, module is None)
        try:
            found = known[name]
        except KeyError:
            found = known[name] = self.environment.files.computed(
                (what, self.function_kinds, root, module is None, name),
                partial(self._first, root, what, name, in_environment=module is None),
            )
        return None if found is None else FoundFile(found[1], module, found[0])

    def _in_modules(self, what: str, name: str) -> FoundFile | None:
        """Return the first module on the modulepath that has one of the files."""
        modules = self.environment.modules
        known = self._known(what, self.function_kinds, self.environment.module_paths)
        try:
            found = known[name]
        except KeyError:
            found = known[name] = self.environment.files.computed(
                (what, self.function_kinds, self.environment.module_paths, name),
                partial(self._first_module, what, name),
            )
        if found is None:
            return None
        module_name, (kind, path) = found
        return FoundFile(path, modules[module_name], kind)

    def _first_module(self, what: str, name: str) -> tuple[str, tuple[Kind, str]] | None:
        """Return the name of the first module that has one of the files, and the file."""
        candidates = self._candidates(what, name, in_environment=False)
        first_holder = self.environment.files.first_holder
        folders = self.environment.module_folders
        places = [
            (first_holder(folders, file), order) for order, (_, file) in enumerate(candidates)
        ]
        number, order = min(places, default=(len(folders), 0))
        if number >= len(folders):
            return None
        module_name, path = self.environment.module_paths[number]
        kind, file = candidates[order]
        return module_name, (kind, f"{path}/{file}")

    def _first(
        self, root: str, what: str, name: str, *, in_environment: bool
    ) -> tuple[Kind, str] | None:
        """Return the first of the files that there is below a folder."""
        exists = self.environment.files.exists
        for kind, file in self._candidates(what, name, in_environment=in_environment):
            if exists(f"{root}/{file}"):
                return kind, f"{root}/{file}"
        return None

    def type_alias(self, name: str) -> FoundFile | None:
        """Return the file of a type alias (``Stdlib::Port``)."""
        if not can_be_loaded(name):
            return None
        name = name.lower()
        namespace, qualified, _ = name.partition("::")
        if not qualified or namespace == "environment":
            if found := self._in_environment("type", name):
                return found
        return self._in_module("type", namespace, name)

    def type_set(self, name: str) -> FoundFile | None:
        """Return the file of a module's type set (one name, no ``::``)."""
        module = self.environment.find_module(name.lower())
        if module is None or not can_be_loaded(name):
            return None
        return self._below(module.path, module, "type", name.lower())

    def data_type(self, name: str) -> FoundFile | None:
        """Return the Ruby file of a data type (``lib/puppet/datatypes``)."""
        lowered = name.lower()
        module = self.environment.find_module(lowered.partition("::")[0])
        if module is None or not can_be_loaded(name):
            return None
        path = f"{module.path}/lib/puppet/datatypes/{lowered.replace('::', '/')}.rb"
        return FoundFile(path, module, "ruby") if self.environment.files.exists(path) else None

    def resource_type(self, name: str) -> FoundFile | None:
        """Return the file of a resource type: ``.resource_types`` of the environment, else Ruby's."""
        if not can_be_loaded(name):
            return None
        return self._in_environment("resource", name) or self._in_modules("resource", name)

    def providers(self, type_name: str) -> list[FoundFile]:
        """Return the Ruby files of a resource type's providers, in the order of the modules."""
        found: list[FoundFile] = []
        for module in self.environment.modules.values():
            folder = f"{module.path}/lib/puppet/provider/{type_name}"
            names = sorted(self.environment.files.names(folder))
            found += [
                FoundFile(f"{folder}/{n}", module, "ruby") for n in names if n.endswith(".rb")
            ]
        return found
