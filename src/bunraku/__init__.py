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
    "Diagnostic": "bunraku.base.errors",
    "Difference": "bunraku.catalog.compare",
    "Environment": "bunraku.api.environment",
    "Host": "bunraku.api.host",
    "LogEntry": "bunraku.runtime.log",
    "Outcome": "bunraku.engine.nodes",
    "PuppetError": "bunraku.base.errors",
    "Resource": "bunraku.catalog.resource",
    "Sensitive": "bunraku.values.sensitive",
    "UsageError": "bunraku.base.usage",
    "compile": "bunraku.api.compile",
    "compile_nodes": "bunraku.api.nodes",
    "diff": "bunraku.api.compile",
    "evaluate": "bunraku.api.compile",
    "fact": "bunraku.facts.declaration",
    "function": "bunraku.functions.python",
    "literal": "bunraku.values.literal",
    "lookup": "bunraku.api.compile",
    "parse": "bunraku.api.compile",
    "query": "bunraku.api.query",
}

__all__ = [
    "Catalog",
    "Diagnostic",
    "Difference",
    "Environment",
    "Host",
    "LogEntry",
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
        return import_module("bunraku.base.version").version()
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
