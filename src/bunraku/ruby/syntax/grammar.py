"""The grammar of Ruby, and the syntax trees that tree-sitter makes with it.

tree-sitter is built for each version of Python; a new version may have none. Then no Ruby code is read.
"""

from __future__ import annotations

import sys
from functools import cache

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_typing import Any
from bunraku.ruby.syntax.issues import NO_RUBY_READER


@cache
def ruby_language() -> Any:
    """Return the grammar of Ruby; loaded when the first Ruby file is read."""
    return tree_sitter().Language(installed("tree_sitter_ruby").language())


def tree_sitter() -> Any:
    """Return the classes of tree-sitter; raise NO_RUBY_READER without it."""
    return installed("tree_sitter")


def has_reader() -> bool:
    """Return whether Ruby code can be read."""
    try:
        ruby_language()
    except PuppetError:
        return False
    return True


def installed(package: str) -> Any:
    """Return the compiled module of a package; raise NO_RUBY_READER without it."""
    try:
        return compiled_module(f"{package}._binding")
    except ImportError:
        raise NO_RUBY_READER(package=package.replace("_", "-")) from None


def compiled_module(name: str) -> Any:
    """Import a compiled module of a package, but not the package.

    The Python code of both packages imports ten times what is needed here: ``importlib.resources``
    for queries, ``typing`` for a protocol.
    """
    from importlib.machinery import PathFinder
    from importlib.util import find_spec, module_from_spec

    if name in sys.modules:
        return sys.modules[name]
    package = find_spec(name.partition(".")[0])
    places = None if package is None else package.submodule_search_locations
    spec = None if places is None else PathFinder.find_spec(name, places)
    if spec is None or spec.loader is None:  # a program in one file, or an import hook
        from importlib import import_module

        return import_module(name)
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def parse(content: bytes) -> Any:
    """Return the root of the syntax tree that tree-sitter makes; threads cannot share a parser."""
    return tree_sitter().Parser(ruby_language()).parse(content).root_node
