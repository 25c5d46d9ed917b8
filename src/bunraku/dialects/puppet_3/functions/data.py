"""Functions of Puppet 3 that look up data: ``hiera``, ``hiera_array`` …, ``extlookup``."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.dialects.puppet_3.functions import issues
from bunraku.dialects.puppet_3.functions.catalog import included
from bunraku.dialects.puppet_3.functions.table import OLD_PARSER, Table, need_text
from bunraku.dialects.puppet_3.values import plain_text
from bunraku.dialects.puppet_3.variables import read_qualified
from bunraku.functions.core.lookup import find_old
from bunraku.runtime.callables import Value
from bunraku.runtime.markers import MISSING as MISSING_VARIABLE
from bunraku.runtime.state import Scope
from bunraku.values.missing import MISSING

function = Table()


def find(scope: Scope, name: str, merge: str, arguments: tuple[Value, ...]) -> Value:
    """Return the value of a key in data, else the default; an array may hold the arguments.

    After the key come the default, and a level of the hierarchy to look at first.
    """
    given = arguments[0] if arguments[0].__class__ is list else list(arguments)
    key, default, override, *_ = [*given, *[MISSING] * 3]
    if key is MISSING:
        raise issues.WRONG_COUNT(name=name, expected="a key", actual=0)
    level = None if override is MISSING or override in ("", None) else override
    return find_old(scope, name, merge, need_text(name, key), default, level)


@function.api_3("hiera", 1, dialects=OLD_PARSER)
def hiera(scope: Scope, *arguments: Value) -> Value:
    """Return the value of a key from the first level of the hierarchy that has it."""
    return find(scope, "hiera", "first", arguments)


@function.api_3("hiera_array", 1, dialects=OLD_PARSER)
def hiera_array(scope: Scope, *arguments: Value) -> Value:
    """Return all values of a key in one array."""
    return find(scope, "hiera_array", "unique", arguments)


@function.api_3("hiera_hash", 1, dialects=OLD_PARSER)
def hiera_hash(scope: Scope, *arguments: Value) -> Value:
    """Return all hashes of a key in one."""
    return find(scope, "hiera_hash", "hash", arguments)


@function.api_3("hiera_include", 1, dialects=OLD_PARSER)
def hiera_include(scope: Scope, *arguments: Value) -> None:
    """Include the classes that data names."""
    found = find(scope, "hiera_include", "unique", arguments)
    if found is None:
        raise issues.NOT_IN_DATA(name="hiera_include", key=plain_text(arguments[0]))
    included(scope, "hiera_include", (found,))


# -- extlookup -------------------------------------------------------------------------------------
PLACEHOLDER = lazy_pattern(r"%\{(.+?)\}")
MOST_PASSES = 100


@function.api_3("extlookup", 1, 3, since="2.6.1", until="3.8.7")
def extlookup(scope: Scope, key: Value, default: Value = MISSING, first: Value = "") -> Value:
    """Return a value from CSV files: those that ``$extlookup_precedence`` names, in the folder
    ``$extlookup_datadir``; a file that is named here comes first.
    """
    for path in data_files(scope, first):
        for row in rows_of(scope, path):
            if len(row) > 1 and row[0] == key:
                texts = [filled(scope, text) for text in row[1:]]
                return texts[0] if len(texts) == 1 else texts
    if default is MISSING or default is False:
        raise issues.NO_DATA(key=plain_text(key))
    return default


def data_files(scope: Scope, first: Value) -> Iterator[str]:
    """Yield the files to look at, in order."""
    folder = read_qualified(scope, "::extlookup_datadir")
    names = read_qualified(scope, "::extlookup_precedence")
    if first != "":
        yield f"{plain_text(folder or '')}/{plain_text(first)}.csv"
    if names.__class__ is not list:
        names = [] if names in (None, "") else [names]
    for name in names:
        yield f"{plain_text(folder or '')}/{filled(scope, plain_text(name), '::')}.csv"


def rows_of(scope: Scope, path: str) -> list[list[str]]:
    """Return the rows of a CSV file; a missing file has none."""
    world = scope.compilation.world
    if not world.is_file(path):
        return []
    text = world.read(path).decode("utf-8", "surrogateescape")
    return list(csv.reader(io.StringIO(text, newline="")))


def filled(scope: Scope, text: str, prefix: str = "") -> str:
    """Return a text with each ``%{name}`` replaced by a variable, repeatedly until none is left."""

    def value_of(found: re.Match[str]) -> str:
        name = prefix + found[1]
        value: Any = read_qualified(scope, name) if "::" in name else scope.find(f"${name}")
        return "" if value is None or value is MISSING_VARIABLE else plain_text(value)

    for _ in range(MOST_PASSES):
        text, count = PLACEHOLDER.subn(value_of, text)
        if not count:
            break
    return text
