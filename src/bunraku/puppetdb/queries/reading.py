"""Read the text of a query, in either language, as JSON values."""

from __future__ import annotations

import json
import math

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.json_values import UNSTORABLE, Json, is_deep
from bunraku.puppetdb.queries.pql import parse_pql
from bunraku.puppetdb.query_failure import bad_query

LONGEST = 10_000_000
"""Characters in a query."""
DEEPEST = 300
"""Lists within lists of a query. Python 3.12 and later read JSON of any depth."""


def read_json_query(text: str) -> Json:
    """Return the value of a query in JSON; None for an empty text."""
    if not text.strip():
        return None
    if len(text) > LONGEST:
        raise bad_query(f"The query has more than {LONGEST} characters")
    try:
        value: Json = json.loads(text)
    except json.JSONDecodeError as error:
        raise json_error(text, error) from None
    except (RecursionError, ValueError):
        raise bad_query(
            "The query is nested too deeply, or has a number that is too long"
        ) from None
    if is_deep(value):
        raise bad_query("The query is nested too deeply")
    return checked(value)


def read_any_query(text: str) -> Json:
    """Return the value of a query in JSON or PQL; one in JSON begins with a bracket."""
    if text.lstrip().startswith("["):
        return read_json_query(text)
    if len(text) > LONGEST:
        raise bad_query(f"The query has more than {LONGEST} characters")
    try:
        return checked(parse_pql(text))
    except RecursionError:
        raise bad_query("The query is nested too deeply") from None


def checked(value: Json) -> Json:
    """Return a query; PuppetError if it is nested too deeply, or has characters or numbers that a
    database refuses.
    """
    pending = [(value, 0)]
    while pending:
        item, depth = pending.pop()
        if depth > DEEPEST:
            raise bad_query("The query is nested too deeply")
        if isinstance(item, str) and UNSTORABLE.search(item):
            raise bad_query("A query cannot contain the character NUL or half a surrogate pair")
        if isinstance(item, float) and not math.isfinite(item):
            raise bad_query("A query cannot contain a number beyond the range of floats")
        if isinstance(item, list):
            pending += [(one, depth + 1) for one in item]
        elif isinstance(item, dict):
            pending += [(one, depth + 1) for one in (*item, *item.values())]
    return value


def json_error(text: str, error: json.JSONDecodeError) -> PuppetError:
    """Return the error of a query that is not JSON, with the place."""
    shown = text.split("\n")[error.lineno - 1]
    pointer = " " * (error.colno - 1) + "^"
    place = f"line {error.lineno}, column {error.colno}"
    return bad_query(f"Json parse error at {place}:\n\n{shown}\n{pointer}\n\n{error.msg}")
