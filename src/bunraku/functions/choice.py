"""The implementation of a function: Puppet's own, that of a module's file, or one in Python.

The order is Puppet's: core functions, then files of the environment and of modules. A Python
implementation of the standard library replaces a module's Ruby file only if that file, and
those that its code calls, are of a release of the library. Where no module brings the library, the
functions of its newest release are there all the same (dialect 8).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from bunraku.base.records import record
from bunraku.functions.declaration import BuiltinFunction
from bunraku.functions.index import STDLIB
from bunraku.functions.registry import Library
from bunraku.functions.stdlib.known_files import KINDS, needed_by, recorded_releases, release_of
from bunraku.modules.autoload import OF_EXTENSIONS, Autoloader, FoundFile, Kind
from bunraku.modules.environment import Environment, Module
from bunraku.ruby.old_forms import WITH_OLD_FORM

Source = Literal["core", "given", "file", "standard"]
MODULE = "stdlib"
OLD_FORMS = frozenset[Kind]({"ruby3"})
FOLDERS = ("lib/puppet/functions", "lib/puppet/parser/functions", "functions")


@record(frozen=True)
class Choice:
    """The implementation that is used for a function.

    ``function`` is set if it runs in Python, ``found`` if a file defines it. ``release`` is the release
    of the standard library that the file is from, or the current one if there is no file.
    ``changed`` is the file of a library function that matches no release, so it runs in Ruby.
    """

    source: Source
    function: BuiltinFunction | None = None
    found: FoundFile | None = None
    release: str | None = None
    changed: str | None = None


class Chooser:
    """Chooses the implementations of functions, in one environment and dialect.

    ``releases`` returns the known files of the standard library.
    """

    __slots__ = (
        "autoloader",
        "environment",
        "given",
        "library",
        "old_forms",
        "releases",
        "stdlib_without_module",
    )

    def __init__(
        self,
        library: Library,
        environment: Environment,
        autoloader: Autoloader,
        given: Mapping[str, Any],
        stdlib_without_module: bool,
        releases: Callable[[], Mapping[str, str]] = recorded_releases,
    ) -> None:
        self.library = library
        self.environment = environment
        self.autoloader = autoloader
        self.old_forms = Autoloader(environment, OLD_FORMS)
        self.given = given
        self.stdlib_without_module = stdlib_without_module
        self.releases = releases

    def choose(self, name: str) -> Choice | None:
        """Return the implementation of a function; None if there is none."""
        core = self.library.builtin(name)
        if core is not None and name not in OF_EXTENSIONS:
            return Choice("core", core)
        if name in self.given:
            return Choice("given")
        found = self.autoloader.function(name)
        if found is None and core is not None:
            return Choice("core", core)
        if found is None:
            return self.without_file(name)
        if found.kind not in KINDS or name not in STDLIB:
            return Choice("file", None, found)
        return self.for_file(name, found)

    def for_file(self, name: str, found: FoundFile) -> Choice:
        """Return the Python implementation for a Ruby file if it is known, else the file."""
        release, changed = self.release(name, found)
        if changed is None:
            changed = next(filter(None, map(self.change_in, needed_by(name))), None)
        if changed is not None:
            return Choice("file", None, found, release, changed)
        function = self.library.stdlib(name, release, frozenset({KINDS[found.kind]}))
        return Choice("file", function, found, release)

    def old_form(self, name: str) -> tuple[BuiltinFunction | None, str | None]:
        """Return the form for Puppet 3 of a function: its implementation in Python, or else its file."""
        if name in WITH_OLD_FORM:
            return self.library.builtin(name), None
        found = None if "::" in name else self.old_forms.function(name)
        if found is None:
            return None, None
        choice = self.for_file(name, found) if name in STDLIB else Choice("file", None, found)
        return choice.function, None if choice.function is not None else found.path

    def without_file(self, name: str) -> Choice | None:
        """Return the implementation of a function that no file defines.

        A module of the library that has no function files at all, such as a fixture that is only a
        metadata.json, selects the release.
        """
        module = self.environment.find_module(MODULE)
        if module is None and not self.stdlib_without_module:
            return None
        if module is not None and self.has_functions(module):
            return None
        version = None if module is None else module.version
        function = self.library.stdlib(name, version)
        return None if function is None else Choice("standard", function, None, version)

    def has_functions(self, module: Module) -> bool:
        """Return whether a module has function files."""
        names = self.environment.files.names
        return any(names(f"{module.path}/{folder}") for folder in FOLDERS)

    def release(self, name: str, found: FoundFile) -> tuple[str | None, str | None]:
        """Return the release that a function's files are from, and the first that is of none.

        A function may have a file of each kind; one of them calls the other.
        """
        release = self.file_release(found.path, KINDS.get(found.kind, "pp"), name, found.module)
        if release is None:
            return None, found.path
        if found.kind == "ruby" and found.module is not None:
            other = f"{found.module.path}/lib/puppet/parser/functions/{name}.rb"
            if self.environment.files.exists(other):
                if self.file_release(other, "3x", name, found.module) is None:
                    return release, other
        return release, None

    def file_release(self, path: str, kind: str, name: str, module: Module | None) -> str | None:
        """Return the release that a file is from."""
        stated = None if module is None or module.name != MODULE else module.version

        def make(content: bytes) -> str | None:
            return release_of(kind, name, content, stated, self.releases())

        return self.environment.files.made(path, f"release {stated}", make)

    def change_in(self, name: str) -> str | None:
        """Return the file of a function, or library file, that is of no release; None where all are."""
        if "/" not in name:
            found = self.autoloader.function(name)
            return None if found is None else self.release(name, found)[1]
        module = self.environment.find_module(MODULE)
        path = "" if module is None else f"{module.path}/lib/{name}.rb"
        if module is None or not self.environment.files.exists(path):
            return None
        return path if self.file_release(path, "lib", name, module) is None else None
