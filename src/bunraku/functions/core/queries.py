"""Questions to stored catalogs and facts of other nodes."""

from __future__ import annotations

from bunraku.functions.declaration import FunctionTable
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope
from bunraku.stored import issues
from bunraku.stored.query import answer

function = FunctionTable()


@function("puppetdb_query(Variant[String[1], Array[Any, 1]] $query)", scope=True, since="4.4.0")
def puppetdb_query(scope: Scope, query: Value) -> list[Value]:
    """Return the rows that a query in PQL, or as nested arrays, finds in the stored catalogs and facts.

    The query is answered from the files that ``--storedconfigs`` names, not by a server.
    """
    if scope.compilation.stored is None:
        raise issues.NO_STORE()
    found: list[Value] = answer(scope.compilation.stored, query)
    return found
