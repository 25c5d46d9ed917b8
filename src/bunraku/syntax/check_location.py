"""Which names the definitions in a file of a module may have, so that they can be found."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bunraku.hints import Final

FOLDERS: Final = frozenset({"functions", "manifests", "plans", "types"})
NAME: Final = "[a-z][a-z0-9_]*"
NO_NAME: Final = "\0"
"""What no name begins with: the file is one that Puppet never looks into for definitions."""


def namespace_of(path: str, modulepath: Iterable[str]) -> str | None:
    """What the names of definitions in a file have to begin with; None outside of modules.

    >>> namespace_of("/modules/ntp/manifests/server/pool.pp", ["/modules"])
    'ntp::server::pool'
    >>> namespace_of("/modules/ntp/manifests/init.pp", ["/modules/"])
    'ntp'
    >>> namespace_of("/manifests/site.pp", ["/modules"]) is None
    True
    """
    if not path.endswith(".pp"):
        return None
    for folder in modulepath:
        prefix = folder.rstrip("/") + "/"
        if path.startswith(prefix):
            return namespace_in_module(path[len(prefix) : -3])
    return None


def namespace_in_module(path: str) -> str:
    """The namespace of ``module/manifests/name``, a path without its extension."""
    parts = path.lower().split("/")
    if len(parts) < 3 or parts[1] not in FOLDERS:
        return NO_NAME
    del parts[1]
    if len(parts) == 2 and parts[1] == "init":
        del parts[1]
    return "::".join(parts) if all(re.fullmatch(NAME, part) for part in parts) else NO_NAME
