"""The Puppet language on the Python virtual machine.

>>> import bunraku
>>> catalog = bunraku.compile("notify { $facts['greeting']: }", facts={"greeting": "hello"})
>>> [resource.reference for resource in catalog.resources if resource.type == "Notify"]
['Notify[hello]']

What ``__all__`` names is the interface; all else may change. Importing the package is cheap: a name
is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module

HOMES = {
    "Catalog": "bunraku.catalog.model",
    "Diagnostic": "bunraku.errors",
    "LogEntry": "bunraku.engine",
    "PuppetError": "bunraku.errors",
    "Resource": "bunraku.catalog.model",
    "compile": "bunraku.api",
    "compile_nodes": "bunraku.api_fleet",
    "diff": "bunraku.api",
    "evaluate": "bunraku.api",
    "function": "bunraku.functions.python",
    "lookup": "bunraku.api",
    "parse": "bunraku.api",
}

__all__ = [
    "Catalog",
    "Diagnostic",
    "LogEntry",
    "PuppetError",
    "Resource",
    "compile",
    "compile_nodes",
    "diff",
    "evaluate",
    "function",
    "lookup",
    "parse",
]


def __getattr__(name: str) -> object:  # the types stand in __init__.pyi
    if name not in HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
