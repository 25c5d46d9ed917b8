"""Rules of a dialect for running compiled code, besides the helpers that the code calls.

The runtime reads ``compilation.rules`` and contains no names of versions. This module imports nothing
of the runtime, because every command imports it with its dialect.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bunraku.base.lazy_imports import Imported
from bunraku.base.lazy_typing import Any, Protocol
from bunraku.base.records import names_of, record, replace

Value = Any


class Node(Protocol):
    """The part of a compile that names its node."""

    node_name: str


def whole_name(compilation: Node) -> list[str]:
    """Return the names under which node definitions are looked up: one only."""
    return [compilation.node_name.lower()]


def same_value(_name: str, value: Value) -> Value:
    """Return a value unchanged."""
    return value


def catalog_node_name(kind: str, text: str) -> str:
    """Return the name that a node definition has in the catalog."""
    from bunraku.runtime.node_names import node_name

    return node_name(kind, text)


@record(frozen=True)
class RuntimeRules:
    """Rules of one version; the defaults are those of Puppet 8.

    A dialect may register a function as :class:`Imported`; :meth:`loaded` resolves it. ``node_names`` returns
    the names by which a node is searched. ``catalog_value`` returns the value of a parameter (by
    name) as in the catalog. ``find_qualified`` finds a variable by qualified name from a scope;
    None means Puppet 8's rule.
    """

    node_names: Callable[[Any], Sequence[str]] = whole_name
    node_name: Callable[[str, str], str] = catalog_node_name
    """The name of a node definition in the catalog, by the kind and text of its match."""
    node_data_when_asked: bool = False
    """``$trusted`` and ``$facts`` are there with ``trusted_node_data`` only; facts are strings unless
    ``stringify_facts`` is off.
    """
    stdlib_without_module: bool = True
    """Without a stdlib module the functions of its newest version are there."""
    plain_numbers: bool = False
    """Text is a number only of digits, a minus and a point: no exponent, not hexadecimal."""
    node_captures: bool = True
    """The captures of a node's pattern can be read in its body."""
    find_qualified: Callable[[Any, str], Value] | None = None
    catalog_value: Callable[[str, Value], Value] = same_value
    relative_names: bool = False
    """Classes and defined types are searched in the namespaces around the code first."""
    relative_defines: bool = False
    """Only defined types are so."""
    classes_merge: bool = False
    """A class may be defined in several pieces, and may be called like a node."""
    blames_declaration: bool = True
    """Report an error in a defined type where it is declared."""
    aliases_clash: bool = True
    """``alias`` and a namevar besides the title are names that nothing else may have."""
    targets_exist: bool = True
    """The targets of relationships must be in the catalog."""
    late_defaults: bool = False
    """Resource defaults are looked at when all is declared, not when a resource is."""
    blind_defaults: bool = False
    """Parameters that use their default are not visible in the defaults of other parameters."""
    defaults_tag: bool = True
    """``tag`` among resource defaults makes tags."""
    ascii_tags: bool = False
    """Tags have letters of ASCII only."""
    resource_types: str = "core"
    """The resource types that are modules today are part of Puppet."""
    only_3x_functions: bool = False
    """Functions in Ruby are of the old kind all; undef inside arrays and hashes is a symbol there."""
    puppet_newtype: bool = False
    """Ruby code may make resource types with ``Puppet.newtype``."""
    vendored_types: bool = True
    """The resource types in modules of the agent package are there."""
    removed_types: frozenset[str] = frozenset()
    """Resource types of Puppet 8 that no agent package of this version contains."""
    hiera_format: int = 5
    """The version of ``hiera.yaml`` that is the newest; older ones are deprecated."""
    templates_see_callers: bool = False
    """ERB templates get the values of 3.x functions, and can read the calling scopes."""

    def loaded(self) -> RuntimeRules:
        """Return these rules with every function imported."""
        values = {name: getattr(self, name) for name in names_of(self)}
        lazy = {name: value.get() for name, value in values.items() if isinstance(value, Imported)}
        return replace(self, **lazy)


DEFAULTS = RuntimeRules()
"""The rules of Puppet 8."""
