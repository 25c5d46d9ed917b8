"""Paging as parameters of requests: limit, offset, order_by."""

from __future__ import annotations

import json
import re

from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.expressions import Order
from bunraku.puppetdb.query_failure import bad_query

WHOLE = re.compile(r"[+-]?\d{1,18}", re.ASCII)


def read_limit(value: Json) -> int | None:
    """Return the greatest number of rows; PuppetError if it is not a positive number."""
    number = whole_number(value)
    if value is not None and (number is None or number < 1):
        message = (
            f"Illegal value '{shown(value)}' for :limit; expected a positive non-zero integer."
        )
        raise bad_query(message)
    return number


def read_offset(value: Json) -> int | None:
    """Return the number of rows to leave out; PuppetError if it is not a number from zero."""
    number = whole_number(value)
    if value is not None and (number is None or number < 0):
        message = f"Illegal value '{shown(value)}' for :offset; expected a non-negative integer."
        raise bad_query(message)
    return number


def whole_number(value: Json) -> int | None:
    """Return a whole number from a number or its text; None for other values."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value if abs(value) < 1 << 63 else None
    return int(value) if isinstance(value, str) and WHOLE.fullmatch(value) else None


def read_order_text(text: str) -> tuple[Order, ...]:
    """Return the order from the parameter of a request."""
    try:
        value: Json = json.loads(text)
    except (ValueError, RecursionError):
        message = f"Illegal value '{text}' for :order_by; expected a JSON array of maps."
        raise bad_query(message) from None
    return read_order(value)


def read_order(value: Json) -> tuple[Order, ...]:
    """Return the order from an array of ``{"field": …, "order": …}``."""
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        message = f"Illegal value '{shown(value)}' for :order_by; expected an array of maps."
        raise bad_query(message)
    return tuple([read_field(item) for item in value if isinstance(item, dict)])


def read_field(value: dict[str, Json]) -> Order:
    """Return one field of the order."""
    field, direction = value.get("field"), value.get("order", "asc")
    for key in value:
        if key not in {"field", "order"}:
            raise bad_query(f"Illegal value '{shown(value)}' in :order_by; unknown key '{key}'.")
    if not isinstance(field, str):
        message = f"Illegal value '{shown(value)}' in :order_by; missing required key field."
        raise bad_query(message)
    if not isinstance(direction, str) or direction.lower() not in {"asc", "desc"}:
        raise bad_query(
            f"Illegal value '{shown(value)}' in :order_by; 'order' must be either 'asc' or 'desc'"
        )
    return Order(field, direction.lower() == "desc")


def shown(value: Json) -> str:
    """Return a value as PuppetDB's messages show it: the notation of Clojure.

    >>> shown({"field": "certname", "order": "up"})
    '{:field "certname", :order "up"}'
    """
    return value if isinstance(value, str) else notation(value)


def notation(value: Json) -> str:
    """Return a value, texts in quotes, in the notation of Clojure."""
    match value:
        case None:
            return "nil"
        case dict():
            return f"{{{', '.join(f':{key} {notation(item)}' for key, item in value.items())}}}"
        case list():
            return f"[{' '.join(map(notation, value))}]"
    return json.dumps(value, ensure_ascii=False)
