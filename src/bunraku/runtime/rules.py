"""How a version of Puppet goes about a compile, where the helpers of compiled code do not tell.

Each dialect's helpers (``runtime/abi*.py``) bring their ``RULES`` along; the rest of the runtime asks
``compilation.rules`` and knows no versions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

Value = Any


def whole_name(name: str) -> list[str]:
    """The names by which node definitions are looked for, the first that fits wins: one only.

    >>> whole_name("Web1.Example.com")
    ['web1.example.com']
    """
    return [name.lower()]


@dataclass(frozen=True, slots=True)
class Rules:
    """What one version does; the defaults are those of Puppet 8.

    ``settings`` are the defaults of settings where they differ from 8's. ``node_names`` gives the
    names by which a node is looked for.
    """

    settings: dict[str, Any] = field(default_factory=dict)
    node_names: Callable[[str], Sequence[str]] = whole_name


MODERN = Rules()
