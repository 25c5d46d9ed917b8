"""The Python interface to PuppetDB's queries."""

from __future__ import annotations

from typing import Any

from bunraku.jobs.keywords import checked_arguments


@checked_arguments
def query(text: str, source: str, **options: Any) -> list[Any]:
    """Return the rows of a query in PQL, or in JSON if it begins with ``[``.

    ``source`` is the URL of a PuppetDB, the database file of ``bunraku puppetdb``, ``postgresql://…``, or a
    file or folder of catalogs and facts. ``cacert``, ``cert``, ``key`` and ``timeout`` (seconds) are as for
    ``bunraku query``. Raises PuppetError for a query that is wrong and a source that cannot be read.

    >>> import json, tempfile
    >>> with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
    ...     _ = file.write(json.dumps({"name": "web1", "values": {"role": "web"}}))
    ...     file.flush()
    ...     query("nodes[certname] { }", file.name)
    [{'certname': 'web1'}]
    """
    from bunraku.jobs.keywords import checked_record
    from bunraku.jobs.query import QueryOptions, query_rows

    return query_rows(text, checked_record(QueryOptions, {"source": source, **options}))
