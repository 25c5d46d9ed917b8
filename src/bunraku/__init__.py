"""The Puppet language on the Python virtual machine.

>>> import bunraku
>>> catalog = bunraku.compile("notify { $facts['greeting']: }", facts={"greeting": "hello"})
>>> [resource.reference for resource in catalog.resources if resource.type == "Notify"]
['Notify[hello]']

The names in ``__all__`` are the interface; everything else may change. Importing the package is
cheap: a name is loaded on its first use. ``__version__`` is the version.
"""

from __future__ import annotations

from importlib import import_module

HOMES = {
    "Catalog": "bunraku.catalog.catalog",
    "Diagnostic": "bunraku.errors",
    "Difference": "bunraku.catalog.compare",
    "Environment": "bunraku.api_environment",
    "LogEntry": "bunraku.engine",
    "Outcome": "bunraku.fleet",
    "PuppetError": "bunraku.errors",
    "Resource": "bunraku.catalog.resource",
    "Sensitive": "bunraku.values.sensitive",
    "compile": "bunraku.api",
    "compile_nodes": "bunraku.api_fleet",
    "diff": "bunraku.api",
    "evaluate": "bunraku.api",
    "function": "bunraku.functions.python",
    "literal": "bunraku.values.literal",
    "lookup": "bunraku.api",
    "parse": "bunraku.api",
}

__all__ = [
    "Catalog",
    "Diagnostic",
    "Difference",
    "Environment",
    "LogEntry",
    "Outcome",
    "PuppetError",
    "Resource",
    "Sensitive",
    "compile",
    "compile_nodes",
    "diff",
    "evaluate",
    "function",
    "literal",
    "lookup",
    "parse",
]


def __getattr__(name: str) -> object:  # the types stand in __init__.pyi
    if name == "__version__":
        return import_module("bunraku.cli.version").version()
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
