"""The queries of policies: what they may ask, and what they mean by a parameter that is missing."""

from __future__ import annotations

from collections.abc import Iterator

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.reading import read_any_query
from bunraku.puppetdb.query_failure import bad_query, listing
from bunraku.puppetdb.site.files import FileData

ANSWERED = ["catalogs", "edges", "nodes", "resources"]
"""Entities that catalogs have rows of."""
EXPECTED = "\n\nExpected one of:"
"""Begins the long list of words in the error of a parser."""


def policy_query(text: str, empty: FileData) -> Json:
    """Return a query in PQL or JSON; raise PuppetError if it is wrong or cannot find anything.

    ``empty`` are data without nodes: they know the names of fields, their types and regular expressions.
    """
    query = read_any_query(text)
    for entity in entities(query):
        if entity.replace("-", "_") not in ANSWERED:
            known = listing(ANSWERED)
            raise bad_query(f"Catalogs have no '{entity}'. Policies can ask for {known}")
    found = complemented(query)
    empty.query(found)
    return found


def without_alternatives(error: PuppetError) -> str:
    """Return what is wrong with a query, without the list of all words that a parser knows."""
    return error.diagnostic.message.partition(EXPECTED)[0]


def entities(query: Json) -> Iterator[str]:
    """Yield the names of the entities that a query reads, also in its conditions.

    >>> names = ["extract", "certname", ["select_facts", ["=", "name", "a"]]]
    >>> list(entities(["from", "nodes", ["in", "certname", names]]))
    ['nodes', 'facts']
    """
    match query:
        case ["array", *_]:
            return
        case ["from" | "subquery", str(entity), *_]:
            yield entity
        case [str(name), *_] if name.startswith("select_"):
            yield name.removeprefix("select_")
    for part in query if isinstance(query, list) else ():
        yield from entities(part)


def complemented(query: Json) -> Json:
    """Return a query in which a missing parameter is null, and ``not`` finds all other rows.

    PuppetDB finds no row where a parameter is missing: ``is null`` means JSON's null, which no catalog has,
    and neither a regular expression nor its negation matches. Within ``or``, both do what they say.

    >>> complemented(["null?", "parameters.user", True])
    ['not', ['or', ['~', 'parameters.user', '']]]
    >>> complemented(["not", ["~", "parameters.mode", "^06"]])
    ['not', ['or', ['~', 'parameters.mode', '^06']]]
    """
    match query:
        case ["array", *_]:
            return query
        case ["null?", str(field), bool(null)] if field.startswith("parameters."):
            present: Json = ["or", ["~", field, ""]]
            return ["not", present] if null else present
        case ["not", inner]:
            return ["not", ["or", complemented(inner)]]
        case list():
            return list(map(complemented, query))
    return query
