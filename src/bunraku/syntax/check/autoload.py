"""Allowed names of definitions in a file of a module, by which the autoloader finds them."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bunraku.base.lazy_typing import Final

FOLDERS: Final = frozenset({"functions", "manifests", "plans", "types"})
NAME: Final = "[a-z][a-z0-9_]*"
NO_NAME: Final = "\0"
"""A prefix that no name has, for files in which Puppet never searches definitions."""


ModulePlace = str | tuple[str, str]
"""A directory of modules, or the name and the directory of one module."""


def namespace_of(path: str, modulepath: Iterable[str | tuple[str, str]]) -> str | None:
    """Return the prefix that all names defined in a file must have; None outside of modules.

    An entry of ``modulepath`` is a directory of modules, or the name and the directory of one
    module. A file belongs to the innermost of those that contain it.

    >>> namespace_of("/modules/ntp/manifests/server/pool.pp", ["/modules"])
    'ntp::server::pool'
    >>> namespace_of("/modules/ntp/manifests/init.pp", ["/modules/"])
    'ntp'
    >>> namespace_of("/manifests/site.pp", ["/modules"]) is None
    True
    >>> namespace_of("/src/puppet-ntp/manifests/server.pp", ["/src", ("ntp", "/src/puppet-ntp")])
    'ntp::server'
    """
    if not path.endswith(".pp"):
        return None
    innermost, found = 0, None
    for place in modulepath:
        name, directory = ("", place) if isinstance(place, str) else place
        prefix = directory.rstrip("/") + "/"
        if len(prefix) > innermost and path.startswith(prefix):
            inner = path[len(prefix) : -3]
            innermost, found = len(prefix), f"{name}/{inner}" if name else inner
    return None if found is None else namespace_in_module(found)


def namespace_in_module(path: str) -> str:
    """Return the namespace of ``module/manifests/name``, a path without its extension."""
    parts = path.lower().split("/")
    if len(parts) < 3 or parts[1] not in FOLDERS:
        return NO_NAME
    del parts[1]
    if len(parts) == 2 and parts[1] == "init":
        del parts[1]
    return "::".join(parts) if all(re.fullmatch(NAME, part) for part in parts) else NO_NAME
