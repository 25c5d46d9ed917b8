"""The modules that have the resource types that bunraku manages."""

from __future__ import annotations

import re

from bunraku.providers.index import TYPES, type_class

VERSION = re.compile(r" \d[\d.]*")


def module_hint(name: str) -> str | None:
    """Return the hint that names the module of a type that bunraku manages; None for other types.

    >>> module_hint("archive")
    'the module puppet-archive has the type; it must be on the module path'
    """
    modules = VERSION.sub("", type_class(name).module) if name in TYPES else ""
    return f"the module {modules} has the type; it must be on the module path" if modules else None
