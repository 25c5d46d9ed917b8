"""Answer requests for queries."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.puppetdb import issues
from bunraku.puppetdb.databases.database import Database
from bunraku.puppetdb.databases.dialect import Dialect
from bunraku.puppetdb.databases.statement import Row, Statement, bound, compose
from bunraku.puppetdb.entities import ENTITIES, MORE_FIELDS, Entity
from bunraku.puppetdb.queries.answers import array, objects
from bunraku.puppetdb.queries.event_counts import (
    SUBJECTS,
    aggregate_selection,
    counts_selection,
)
from bunraku.puppetdb.queries.expressions import (
    And,
    Comparison,
    Condition,
    FieldName,
    NodeState,
    Query,
)
from bunraku.puppetdb.queries.root import (
    has_node_state,
    restricted,
    root_query,
    row_texts,
)
from bunraku.puppetdb.queries.sql import Column, Selection, selection
from bunraku.puppetdb.queries.syntax import read_query
from bunraku.puppetdb.query_failure import bad_query
from bunraku.puppetdb.server.meta import DASHBOARD
from bunraku.puppetdb.server.parameters import (
    COUNTING,
    DISTINCT,
    GLOBAL,
    TYPICAL,
    Parameters,
    request_parameters,
)
from bunraku.puppetdb.server.routes import FIELDS, IDENTITIES, FoundRoute, find_route
from bunraku.puppetdb.settings import PuppetDBSettings
from bunraku.web.http import JSON_TYPE, Request, Response, json_response, redirect, text_response

PREFIX = "/pdb/query/v4"


@record(frozen=True)
class Source:
    """The database of a request, with the time limit of its queries.

    ``gone`` reports whether the client has left.
    """

    database: Database
    seconds: float
    gone: Callable[[], bool]

    def rows(self, statement: Statement) -> Iterator[Row]:
        """Yield the rows of a query."""
        return self.database.rows(statement, self.seconds, self.gone)

    @property
    def dialect(self) -> Dialect:
        """The SQL of the database."""
        return self.database.dialect


def answer_query(database: Database, settings: PuppetDBSettings, request: Request) -> Response:
    """Return the response to a request below ``/pdb/query``."""
    found = find_route(request.path.removeprefix(PREFIX))
    if not request.path.startswith(PREFIX) or found is None:
        return redirect(DASHBOARD)
    if request.method not in {"GET", "POST"}:
        return text_response(400, "PuppetDB queries must be made via GET/POST")
    try:
        parameters = request_parameters(request)
        source = Source(database, settings.query_seconds(parameters.seconds()), request.gone)
        return answer_route(source, found, parameters)
    except PuppetError as error:
        unavailable = error.code == issues.DATABASE_UNAVAILABLE.code
        return text_response(503 if unavailable else 400, error.message)


def answer_route(source: Source, found: FoundRoute, parameters: Parameters) -> Response:
    """Return the response of a route."""
    missing = missing_parent(source, found)
    if missing is not None:
        return missing
    match found.route.form:
        case "single":
            parameters.check(TYPICAL)
            return single(source, identified(found))
        case "metrics" | "logs":
            parameters.check(GLOBAL)
            return report_detail(source, found)
        case "root":
            parameters.check((*TYPICAL, "ast_only"), ("query",))
            return answer_root(source, parameters)
        case "counts":
            parameters.check((*TYPICAL, *COUNTING), ("summarize_by",))
            return answer_counts(source, parameters)
        case "aggregate":
            parameters.check((*GLOBAL, "query", *COUNTING), ("summarize_by",))
            return answer_aggregate(source, parameters)
        case "rows":
            return answer_rows(source, found, parameters)


# -- kinds of routes ---------------------------------------------------------------------------------


def answer_rows(source: Source, found: FoundRoute, parameters: Parameters) -> Response:
    """Return the rows of the entity of a route."""
    route = found.route
    parameters.check((*TYPICAL, *(DISTINCT if route.entity == "events" else ())))
    query = read_query(route.entity, parameters.query(pql=False), parameters.paging())
    entity = ENTITIES[route.entity]
    restrictions: list[Condition] = [
        Comparison("=", FieldName(FIELDS[name], FIELDS[name]), value)
        for name, value in found.values.items()
    ]
    if entity.active_only and not route.all_nodes and not has_node_state(query):
        restrictions.append(NodeState("active"))
    distinct = parameters.distinct()
    if distinct is not None:
        restrictions.append(distinct)
    return respond(source, restricted(query, restrictions), parameters)


def answer_root(source: Source, parameters: Parameters) -> Response:
    """Return the rows of a query that names its entity, or its JSON form."""
    value = parameters.query(pql=True)
    if parameters.flag("ast_only"):
        return json_response(value)
    return respond(source, root_query(value, parameters.paging()), parameters)


def answer_counts(source: Source, parameters: Parameters) -> Response:
    """Return the counts of events by subject."""
    summary = parameters.summaries()[0]
    if len(parameters.summaries()) > 1:
        raise bad_query(
            f"Unsupported value for 'summarize_by': '{parameters.text('summarize_by')}'"
        )
    found = counts_selection(counted_events(parameters), summary, source.dialect)
    rows = source.rows(found.statement)
    total = total_rows(source, found) if parameters.flag("include_total") else None
    counts = len(found.columns) - len(SUBJECTS[summary.summarize_by])

    def subjects() -> Iterator[str]:
        for row in rows:
            numbers = next(objects(found.columns[:counts], [row[:counts]]))
            yield f"{numbers[:-1]}, {subject_json(summary.summarize_by, row[counts:])}}}"

    return stream(array(subjects()), total)


def subject_json(kind: str, values: Row) -> str:
    """Return the members ``subject_type`` and ``subject`` of a count."""
    columns = [Column(name, "text") for name in ("type", "title")[-len(values) :]]
    subject = next(objects(columns, [values]))
    return f'"subject_type": "{kind}", "subject": {subject}'


def answer_aggregate(source: Source, parameters: Parameters) -> Response:
    """Return how many subjects have events of each status."""
    events, summaries = counted_events(parameters), parameters.summaries()
    found = aggregate_selection(events, summaries, source.dialect)
    return stream(array(objects(found.columns, source.rows(found.statement))))


def counted_events(parameters: Parameters) -> Query:
    """Return the query of the events that are counted; its paging is that of the counts."""
    query = read_query("events", parameters.query(pql=False), parameters.paging())
    if query.projection:
        raise bad_query("A query of events to count cannot extract fields")
    distinct = parameters.distinct()
    return query if distinct is None else restricted(query, [distinct])


def single(source: Source, query: Query) -> Response:
    """Return the one row of a query."""
    found = selection(query, source.dialect)
    row = next(objects(found.columns, source.rows(found.statement)))
    return Response(200, {"content-type": JSON_TYPE}, [row])


def report_detail(source: Source, found: FoundRoute) -> Response:
    """Return the metrics or the logs of a report."""
    statement = compose(
        "SELECT {} FROM reports AS r JOIN report_details AS rd ON rd.report_id = r.id"
        " WHERE r.hash = {}",
        Statement(f"rd.{found.route.form}"),
        bound(found.values["hash"]),
    )
    rows = [str(row[0]) for row in source.rows(statement)]
    return Response(200, {"content-type": JSON_TYPE}, rows)


def missing_parent(source: Source, found: FoundRoute) -> Response | None:
    """Return the response if the parent of a route does not exist."""
    parent = found.route.parent
    if parent is None:
        return None
    query = identified(found)
    if total_rows(source, selection(query, source.dialect)):
        return None
    name = next(iter(found.values.values()))
    return json_response({"error": f"No information is known about {parent} {name}"}, 404)


def identified(found: FoundRoute) -> Query:
    """Return the query of the parent of a route, reports of all types included."""
    parent = found.route.parent
    if parent is None:
        raise bad_query("The route has no parent")
    entity, field = IDENTITIES[parent]
    name = next(iter(found.values.values()))
    condition: Condition = Comparison("=", FieldName(field, field), name)
    if entity == "reports":
        condition = And((condition, Comparison("=", FieldName("type", "type"), "any")))
    return Query(entity, condition=condition)


# -- responses ---------------------------------------------------------------------------------------


def respond(source: Source, query: Query, parameters: Parameters) -> Response:
    """Return the rows of a query, or its plan."""
    found = selection(query, source.dialect, entity_of(query, parameters))
    if parameters.explain():
        return plan(source, found)
    rows = row_texts(source.database, query, found, source.seconds, source.gone)
    total = total_rows(source, found) if parameters.flag("include_total") else None
    return stream(array(rows), total)


def entity_of(query: Query, parameters: Parameters) -> Entity | None:
    """Return the entity with the fields that the request adds; None if it adds none."""
    parameter, entity = MORE_FIELDS.get(query.entity, ("", None))
    return entity if parameters.flag(parameter) else None


def total_rows(source: Source, found: Selection) -> int:
    """Return the number of rows on all pages."""
    ((count, *_),) = source.rows(found.count)
    return int(count or 0)


def stream(body: Iterable[str], total: int | None = None) -> Response:
    """Return a response whose first piece is made already so that errors of the query show."""
    pieces = iter(body)
    first = next(pieces)
    headers = {"content-type": JSON_TYPE}
    if total is not None:
        headers["x-records"] = str(total)
    return Response(200, headers, chain([first], pieces))


def plan(source: Source, found: Selection) -> Response:
    """Return how the database answers, in the form of PostgreSQL's plans."""
    rows = list(source.rows(source.dialect.explain(found.statement)))
    return json_response([{"query plan": source.dialect.plan(rows)}])
