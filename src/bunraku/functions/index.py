"""Which module defines each core function, so that only what a manifest calls is imported."""

from __future__ import annotations

from importlib import import_module

from bunraku.runtime.registry import BuiltinFunction

# fmt: off
INDEX: dict[str, str] = {
    # collections
    "dig": "collections", "empty": "collections", "flatten": "collections", "get": "collections", "getvar": "collections",
    "join": "collections", "keys": "collections", "length": "collections", "size": "collections", "unique": "collections",
    "values": "collections",
    # annotations
    "annotate": "annotations",
    # calls
    "call": "calls", "import": "calls",
    # control_flow
    "break": "control_flow", "next": "control_flow", "return": "control_flow",
    # conversion
    "assert_type": "conversion", "convert_to": "conversion", "new": "conversion",
    "sprintf": "conversion", "strftime": "conversion", "type": "conversion",
    "unwrap": "conversion",
    # digests
    "digest": "digests", "fqdn_rand": "digests", "md5": "digests", "sha1": "digests",
    "sha256": "digests",
    # files
    "binary_file": "files", "file": "files", "find_file": "files", "find_template": "files",
    "generate": "files", "module_directory": "files",
    # iteration
    "all": "iteration", "any": "iteration", "each": "iteration", "filter": "iteration",
    "group_by": "iteration", "index": "iteration", "lest": "iteration", "map": "iteration",
    "partition": "iteration", "reduce": "iteration", "reverse_each": "iteration",
    "slice": "iteration", "step": "iteration", "then": "iteration", "tree_each": "iteration",
    "with": "iteration",
    # messages
    "alert": "messages", "crit": "messages", "debug": "messages", "emerg": "messages",
    "err": "messages", "info": "messages", "notice": "messages", "warning": "messages",
    # numbers
    "abs": "numbers", "ceiling": "numbers", "floor": "numbers", "round": "numbers",
    # order
    "compare": "order", "max": "order", "min": "order", "sort": "order", "versioncmp": "order",
    # regular_expressions
    "match": "regular_expressions", "regsubst": "regular_expressions", "split": "regular_expressions",
    # scanf
    "scanf": "scanf",
    # strings
    "camelcase": "strings", "capitalize": "strings", "chomp": "strings", "chop": "strings",
    "downcase": "strings", "lstrip": "strings", "rstrip": "strings", "shellquote": "strings",
    "strip": "strings", "upcase": "strings",
}
# fmt: on
"""Puppet name → module of this package."""


def core_function(name: str) -> BuiltinFunction | None:
    """The core function of a name.

    >>> core_function("abs").name, core_function("no_such_function")
    ('abs', None)
    """
    module_name = INDEX.get(name)
    if module_name is None:
        return None
    module = import_module(f"bunraku.functions.core.{module_name}")
    found: BuiltinFunction = module.function[name]
    return found
