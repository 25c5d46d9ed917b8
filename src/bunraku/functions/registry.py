"""The functions of a dialect: those of Puppet itself and those of the standard library, by name.

The module of a function is imported when the function is first looked up; generated indexes hold
the names of these modules (``tests/tools/update_functions.py``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import ModuleType

from bunraku.base.records import record
from bunraku.functions.declaration import BuiltinFunction
from bunraku.functions.index import CORE, STDLIB
from bunraku.functions.modules import core_module, stdlib_module
from bunraku.functions.stdlib.history import ALL_APIS, Era, era, read_version
from bunraku.modules.autoload import ALL_KINDS, Kind

Version = tuple[int, int, int]
APIS: dict[Kind, str] = {"puppet": "pp", "ruby": "4x", "ruby3": "3x"}
"""Kind of file (``modules/autoload.py``) → the function API that its functions are written for."""


@record(frozen=True)
class Library:
    """The functions that code of a dialect can call.

    ``core`` maps the functions of Puppet itself to their modules, which ``load`` imports. ``kinds`` are the kinds of files
    that functions of modules are read from. ``newest`` is the release of the standard library that
    counts where none is stated. ``adapt`` changes how the dialect calls functions of that library
    that are written for the 3.x API; without it they are called as in Puppet 8.
    """

    core: Mapping[str, str]
    kinds: frozenset[Kind]
    newest: Version
    adapt: Callable[[BuiltinFunction], BuiltinFunction] | None = None
    load: Callable[[str], ModuleType] = core_module

    def builtin(self, name: str) -> BuiltinFunction | None:
        """Return a function of Puppet itself, or None.

        >>> PUPPET_8.builtin("include").name, PUPPET_8.builtin("no_such_function")
        ('include', None)
        """
        module = self.core.get(name)
        if module is None:
            return None
        found: BuiltinFunction = self.load(module).function[name]
        return found

    def stdlib(
        self, name: str, version: str | None, apis: frozenset[str] = ALL_APIS
    ) -> BuiltinFunction | None:
        """Return a function of a release of the standard library, or None.

        Only functions that are written for one of ``apis`` count: ``3x``, ``4x`` or ``pp``.

        >>> PUPPET_8.stdlib("concat", "8.5.0").name, PUPPET_8.stdlib("concat", "1.0.0")
        ('concat', None)
        """
        callable_apis = frozenset(APIS[kind] for kind in self.kinds if kind in APIS)
        found = era(name, read_version(version, self.newest), apis & callable_apis)
        if found is None:
            return None
        function = implementation(found, name)
        if found.api == "3x" and self.adapt is not None:
            return self.adapt(function)
        return function


def modules_of(index: Mapping[str, str]) -> dict[str, str]:
    """Return the module of each function in a generated index.

    >>> modules_of({"core.numbers": "abs round"})
    {'abs': 'core.numbers', 'round': 'core.numbers'}
    """
    found: dict[str, str] = {}
    for module, names in index.items():
        found.update(dict.fromkeys(names.split(), module))
    return found


PUPPET_8 = Library(modules_of(CORE["8"]), ALL_KINDS, newest=(9, 7, 0))


def implementation(found: Era, name: str) -> BuiltinFunction:
    """Import the implementation of a function in an era."""
    module, _, table = found.place.partition(".")
    function: BuiltinFunction = getattr(stdlib_module(module), table or "function")[name]
    return function


def stdlib_function(
    name: str, version: Version, apis: frozenset[str] = ALL_APIS
) -> BuiltinFunction | None:
    """Return a function of a release, or None.

    >>> stdlib_function("concat", (8, 5, 0)).name, stdlib_function("no_such", (8, 5, 0))
    ('concat', None)
    """
    found = era(name, version, apis)
    return None if found is None else implementation(found, name)


def function_names() -> set[str]:
    """Return the names of all functions of Puppet 8 and of any release of the standard library."""
    return {*PUPPET_8.core, *STDLIB}
