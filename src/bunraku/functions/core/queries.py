"""Queries of the catalogs and facts of other nodes."""

from __future__ import annotations

from bunraku.formats.shape import kind_of
from bunraku.functions.declaration import FunctionTable
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.reading import checked, read_any_query
from bunraku.puppetdb.site import issues
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope

function = FunctionTable()


@function("puppetdb_query(Variant[String[1], Array[Any, 1]] $query)", scope=True, since="4.4.0")
def puppetdb_query(scope: Scope, query: Value) -> list[Value]:
    """Return the rows that a query in PQL, or as nested arrays, finds in the PuppetDB of the compile.

    The setting or option ``--storedconfigs`` names the PuppetDB, or catalogs and facts in files.
    """
    site = scope.compilation.site
    if site is None:
        raise issues.NO_STORE()
    value = read_any_query(query) if isinstance(query, str) else as_query(query)
    found: list[Value] = site.query(checked(value))
    return found


def as_query(value: Value) -> Json:
    """Return a query of nested arrays; PuppetError if it has a value that JSON does not have."""
    try:
        return plain(value)
    except RecursionError:
        raise issues.NOT_A_QUERY(what="it is nested too deeply") from None


def plain(value: Value) -> Json:
    """Return a value as JSON."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    raise issues.NOT_A_QUERY(what=f"it has {kind_of(value)}")
