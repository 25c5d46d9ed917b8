"""Parameters of requests: the names that each route accepts, and the meaning of their values."""

from __future__ import annotations

import json
from collections.abc import Mapping

from bunraku.base.records import record
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.event_counts import Summary, read_counts_filter
from bunraku.puppetdb.queries.expressions import NewestOfResource, Paging
from bunraku.puppetdb.queries.paging import read_limit, read_offset, read_order, read_order_text
from bunraku.puppetdb.queries.reading import LONGEST, read_any_query, read_json_query
from bunraku.puppetdb.query_failure import bad_query
from bunraku.puppetdb.settings import SECONDS
from bunraku.puppetdb.timestamps import to_milliseconds
from bunraku.web.http import Request

GLOBAL = (
    "optimize_drop_unused_joins",
    "include_facts_expiration",
    "include_package_inventory",
    "explain",
    "origin",
    "timeout",
    "pretty",
)
TYPICAL = (*GLOBAL, "query", "limit", "offset", "order_by", "include_total")
DISTINCT = ("distinct_resources", "distinct_start_time", "distinct_end_time")
COUNTING = ("summarize_by", "counts_filter", "count_by", *DISTINCT)


@record(frozen=True)
class Parameters:
    """The parameters of a request, by name: texts from a URL, any JSON from a body."""

    values: Mapping[str, Json]

    def check(self, allowed: tuple[str, ...], required: tuple[str, ...] = ()) -> None:
        """Refuse parameters that a route does not take, and missing ones."""
        for name in required:
            if name not in self.values:
                raise bad_query(f"Missing required query parameter '{name}'")
        for name in self.values:
            if name not in allowed and name not in required:
                raise bad_query(f"Unsupported query parameter '{name}'")

    def flag(self, name: str) -> bool:
        """Return whether a parameter is true."""
        value = self.values.get(name)
        return value is True or (isinstance(value, str) and value.lower() == "true")

    def text(self, name: str) -> str | None:
        """Return the text of a parameter; None if it is missing."""
        value = self.values.get(name)
        if value is not None and not isinstance(value, str):
            raise bad_query(f"The value of '{name}' must be a string")
        return value

    def query(self, *, pql: bool) -> Json:
        """Return the query as JSON values; None if there is none."""
        value = self.values.get("query")
        if isinstance(value, str):
            return read_any_query(value) if pql else read_json_query(value)
        return value

    def paging(self) -> Paging:
        """Return which rows are wanted, and in which order."""
        order = self.values.get("order_by")
        return Paging(
            read_order_text(order) if isinstance(order, str) else read_order(order),
            read_limit(self.values.get("limit")),
            read_offset(self.values.get("offset")),
        )

    def seconds(self) -> float | None:
        """Return the time limit that the request asks for, 0 for none; None if it does not ask."""
        value = self.values.get("timeout")
        if value is None:
            return None
        text = str(value)
        if isinstance(value, bool) or not SECONDS.fullmatch(text):
            raise bad_query(f"Query timeout must be non-negative number, not {text}")
        return float(text)

    def explain(self) -> bool:
        """Return whether the plan of a query is wanted instead of its rows."""
        value = self.values.get("explain")
        if value is not None and value != "analyze":
            raise bad_query(f"Illegal value '{value}' for :explain; expected `analyze`.")
        return value is not None

    def distinct(self) -> NewestOfResource | None:
        """Return the period of which each property's newest event is wanted."""
        given = [name for name in DISTINCT if name in self.values]
        if not given:
            return None
        if len(given) < len(DISTINCT):
            raise bad_query(
                "'distinct_resources' query parameter requires accompanying parameters"
                " 'distinct_start_time' and 'distinct_end_time'"
            )
        start, end = (self.time(name) for name in DISTINCT[1:])
        return NewestOfResource(start, end) if self.flag("distinct_resources") else None

    def time(self, name: str) -> int:
        """Return a point in time."""
        found = to_milliseconds(self.values.get(name))
        if found is None:
            raise bad_query(f"query parameters '{name}' must be valid datetime strings")
        return found

    def summaries(self) -> list[Summary]:
        """Return how events are to be counted: once for each subject."""
        condition = self.values.get("counts_filter")
        if isinstance(condition, str):
            condition = read_json_query(condition)
        counts_filter = read_counts_filter(condition)
        count_by = self.text("count_by") or "resource"
        subjects = (self.text("summarize_by") or "").split(",")
        return [Summary(subject, count_by, counts_filter) for subject in subjects]


def request_parameters(request: Request) -> Parameters:
    """Return the parameters of a request: of the URL, or of the body of a POST."""
    if request.method != "POST":
        return Parameters(request.parameters)
    text = request.read(LONGEST).decode("utf-8", "replace")
    value = read_json_query(text)
    if value is None:
        return Parameters({})
    if not isinstance(value, dict):
        raise bad_query(f"The body of a query must be a JSON object, not {json.dumps(value)[:100]}")
    return Parameters(value)
