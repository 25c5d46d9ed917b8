"""The modules of functions that a dialect registers by their whole names."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from bunraku.functions.modules import core_module


def dialect_module(name: str) -> ModuleType:
    """Import a module of functions: one of a dialect by its whole name, or one of Puppet 8."""
    return import_module(name) if "." in name else core_module(name)
