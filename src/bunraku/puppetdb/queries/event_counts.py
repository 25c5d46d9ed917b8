"""The entities ``event_counts`` and ``aggregate_event_counts``: events, counted by status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bunraku.base.records import record
from bunraku.puppetdb.databases.dialect import Dialect
from bunraku.puppetdb.databases.statement import Statement, bound, chained, compose, joined
from bunraku.puppetdb.entities import EVENTS
from bunraku.puppetdb.json_values import Json
from bunraku.puppetdb.queries.comparisons import LARGEST, SIGNS, number_of
from bunraku.puppetdb.queries.expressions import (
    And,
    Comparison,
    Condition,
    FieldName,
    Not,
    Or,
    Paging,
    Query,
)
from bunraku.puppetdb.queries.sql import Column, Selection, selection
from bunraku.puppetdb.queries.syntax import read_condition
from bunraku.puppetdb.query_failure import bad_query

SUBJECTS: Mapping[str, tuple[str, ...]] = {
    "certname": ("certname",),
    "containing_class": ("containing_class",),
    "resource": ("resource_type", "resource_title"),
}
COUNTS: Mapping[str, str] = {
    "failures": "failure",
    "skips": "skipped",
    "successes": "success",
    "noops": "noop",
}
MEMBERS = ("type", "title")


@record(frozen=True)
class Summary:
    """How events are counted: by which subject, which of the counts are answered."""

    summarize_by: str
    count_by: str = "resource"
    counts_filter: Condition | None = None

    @property
    def subject(self) -> tuple[str, ...]:
        """The fields of events that the counts are grouped by."""
        found = SUBJECTS.get(self.summarize_by)
        if found is None:
            raise bad_query(f"Unsupported value for 'summarize_by': '{self.summarize_by}'")
        return found


def read_counts_filter(value: Json) -> Condition | None:
    """Return the condition on counts."""
    return None if value is None else read_condition(value)


def counts_selection(events: Query, summary: Summary, dialect: Dialect) -> Selection:
    """Return the SQL of the counts of events by subject."""
    subject = summary.subject
    where = filter_sql(summary.counts_filter)
    counts = counts_sql(events, summary, dialect)
    rows = compose("SELECT * FROM ({}) AS counts{}", counts, where)
    paging = paging_sql(events.paging, [*COUNTS, *subject])
    columns = tuple([Column(name, "number") for name in COUNTS])
    return Selection(rows, (*columns, *(Column(name, "text") for name in subject)), paging)


def counts_sql(events: Query, summary: Summary, dialect: Dialect) -> Statement:
    """Return the SQL of all counts by subject; columns have the names of counts and fields."""
    if summary.count_by not in {"resource", "certname"}:
        raise bad_query(f"Unsupported value for 'count_by': '{summary.count_by}'")
    subject = Statement(", ".join(summary.subject))
    source = events_sql(events, summary, dialect)
    sums = [
        compose("count(*) FILTER (WHERE status = {}) AS {}", bound(status), Statement(name))
        for name, status in COUNTS.items()
    ]
    return compose(
        "SELECT {}, {} FROM ({}) AS events GROUP BY {}",
        joined(", ", sums),
        subject,
        source,
        subject,
    )


def events_sql(events: Query, summary: Summary, dialect: Dialect) -> Statement:
    """Return the SQL of the events that are counted, with the names of fields for columns."""
    names = ["certname", "status", *(name for name in summary.subject if name != "certname")]
    fields = tuple([FieldName(name, name) for name in names])
    query = Query(EVENTS.name, fields, events.condition)
    distinct = "DISTINCT " if summary.count_by == "certname" else ""
    places = ", ".join(names)
    rows = selection(query, dialect).rows
    return compose(
        "SELECT {}{} FROM ({}) AS events",
        Statement(distinct),
        Statement(places),
        compose("WITH ev({}) AS ({}) SELECT * FROM ev", Statement(places), rows),
    )


def filter_sql(condition: Condition | None) -> Statement:
    """Return the SQL of a condition on counts with its ``WHERE``."""
    return Statement("") if condition is None else compose(" WHERE {}", count_condition(condition))


def count_condition(condition: Condition) -> Statement:
    """Return the SQL of a condition on counts: comparisons and logic only."""
    match condition:
        case And(conditions):
            return chained("AND", map(count_condition, conditions))
        case Or(conditions):
            return chained("OR", map(count_condition, conditions))
        case Not(inner):
            return compose("NOT ({})", count_condition(inner))
        case Comparison(operator, FieldName(text=name), value) if name in COUNTS:
            number = number_of(value, operator)
            if number is not None:
                return compose(SIGNS[operator], Statement(name), bound(number))
    raise bad_query("'counts_filter' compares counts with numbers")


def paging_sql(paging: Paging, names: Sequence[str]) -> Statement:
    """Return the SQL of order, limit and offset of counts."""
    for order in paging.order:
        if order.field not in names:
            known = "', '".join(names)
            raise bad_query(
                f"Unrecognized column '{order.field}' specified in :order_by;"
                f" Supported columns are '{known}'"
            )
    sorting = [f"{one.field} {'DESC' if one.descending else 'ASC'}" for one in paging.order]
    limit = LARGEST - 1 if paging.limit is None else paging.limit
    return compose(
        "{} LIMIT {} OFFSET {}",
        Statement(f" ORDER BY {', '.join(sorting)}" if sorting else ""),
        bound(limit),
        bound(paging.offset or 0),
    )


def aggregate_selection(events: Query, summaries: Sequence[Summary], dialect: Dialect) -> Selection:
    """Return the SQL of the numbers of subjects that have events of each status."""
    rows = joined(" UNION ALL ", [aggregate_sql(events, summary, dialect) for summary in summaries])
    columns = [Column(name, "number") for name in (*COUNTS, "total")]
    return Selection(rows, (Column("summarize_by", "text"), *columns), Statement(""))


def aggregate_sql(events: Query, summary: Summary, dialect: Dialect) -> Statement:
    """Return the SQL of the numbers of subjects of one kind."""
    sums = Statement(", ".join(f"count(*) FILTER (WHERE {name} > 0)" for name in COUNTS))
    counts = compose(
        "SELECT * FROM ({}) AS counts{}",
        counts_sql(events, summary, dialect),
        filter_sql(summary.counts_filter),
    )
    kind = bound(summary.summarize_by)
    return compose("SELECT {}, {}, count(*) FROM ({}) AS subjects", kind, sums, counts)
