"""The Puppet language on the Python virtual machine.

>>> import bunraku
>>> catalog = bunraku.compile("notify { $facts['greeting']: }", facts={"greeting": "hello"})
>>> [resource.reference for resource in catalog.resources if resource.type == "Notify"]
['Notify[hello]']

The names in ``__all__`` are the interface; everything else may change. Importing the package is
cheap: a name is loaded on its first use. ``__version__`` is the version.
"""

from __future__ import annotations

__all__ = [
    "Catalog",
    "Diagnostic",
    "Difference",
    "Environment",
    "Host",
    "LogEntry",
    "NodeVisitor",
    "Outcome",
    "PuppetError",
    "Resource",
    "Sensitive",
    "UsageError",
    "compile",
    "compile_nodes",
    "diff",
    "evaluate",
    "fact",
    "function",
    "literal",
    "lookup",
    "parse",
    "query",
]


def __getattr__(name: str) -> object:  # the types are in __init__.pyi
    if name == "__version__":
        from bunraku.base.version import version

        return version()
    match name:
        case "Catalog":
            from bunraku.catalog import catalog as home
        case "Diagnostic" | "PuppetError":
            from bunraku.base import errors as home
        case "Difference":
            from bunraku.catalog import compare as home
        case "Environment":
            from bunraku.api import environment as home
        case "Host":
            from bunraku.api import host as home
        case "LogEntry":
            from bunraku.runtime import log as home
        case "NodeVisitor":
            from bunraku.syntax import visitor as home
        case "Outcome":
            from bunraku.engine import nodes as home
        case "Resource":
            from bunraku.catalog import resource as home
        case "Sensitive":
            from bunraku.values import sensitive as home
        case "UsageError":
            from bunraku.base import usage as home
        case "compile" | "diff" | "evaluate" | "lookup" | "parse":
            from bunraku.api import compile as home
        case "compile_nodes":
            from bunraku.api import nodes as home
        case "fact":
            from bunraku.facts import declaration as home
        case "function":
            from bunraku.functions import python as home
        case "literal":
            from bunraku.values import literal as home
        case "query":
            from bunraku.api import query as home
        case _:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(home, name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
