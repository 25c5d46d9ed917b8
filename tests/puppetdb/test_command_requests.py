"""Requests with commands: statuses and bodies as the real PuppetDB's, recorded by the rig."""

from __future__ import annotations

import gzip
import json
import os
import threading
from contextlib import contextmanager

import pytest

from bunraku.puppetdb.commands.queue import Queue
from bunraku.puppetdb.commands.worker import Worker
from bunraku.puppetdb.databases.opening import open_database
from bunraku.puppetdb.databases.statement import Statement
from bunraku.puppetdb.server.commands import Intake, answer_command
from bunraku.web.http import Request
from support.puppetdb_commands import (
    catalog,
    changed,
    edge,
    event,
    facts,
    report,
    resource,
    without,
)

JSON = {"content-type": "application/json; charset=utf-8", "accept": "application/json"}


@contextmanager
def running(folder, name):
    database = open_database(name)
    queue = Queue(str(folder / "site.queue"), str(folder / "site.discarded"))
    lines = []
    worker = Worker(database, queue, lines.append)
    worker.lines = lines
    worker.start()
    yield Intake(queue, worker)
    worker.stop()
    queue.close()
    database.close()


@pytest.fixture
def intake(tmp_path, database_name):
    with running(tmp_path, database_name) as found:
        yield found


@pytest.fixture(scope="module")
def one_intake(tmp_path_factory, new_name):
    with running(tmp_path_factory.mktemp("shared"), new_name()) as found:
        yield found


@pytest.fixture
def shared(one_intake):
    """Lend an intake that keeps its database between tests, with no discarded commands."""
    yield one_intake
    for name in os.listdir(one_intake.queue.discarded):
        os.unlink(os.path.join(one_intake.queue.discarded, name))


def send(intake, payload, *, headers=None, method="POST", body=None, **parameters):
    given = {"command": "replace_facts", "version": "5", "certname": "a"}
    given |= {"secondsToWaitForCompletion": "20", **parameters}
    content = json.dumps(payload).encode() if body is None else body
    request = Request(
        method,
        "/pdb/cmd/v1",
        {
            key.replace("producer_t", "producer-t"): str(value)
            for key, value in given.items()
            if value is not None
        },
        JSON | (headers or {}),
        [content[:100], content[100:]],
    )
    return answer_command(intake, request)


def shown(response):
    text = "".join(response.body)
    return json.loads(text) if "json" in response.headers["content-type"] else text


def rows(intake, text):
    return list(intake.worker.database.rows(Statement(text), 10))


CATALOG = {"command": "replace_catalog", "version": "9"}
REPORT = {"command": "store_report", "version": "8"}
INPUTS = {"command": "replace_catalog_inputs", "version": "1"}
INPUT = {
    "certname": "a",
    "catalog_uuid": "b5a2b7d1-5f0a-4d8c-9a9c-000000000002",
    "producer_timestamp": "2026-01-01T00:00:00Z",
    "inputs": [["hiera", "ntp::servers"], ["hiera", "motd"]],
}
ENDS = [resource(title="/a"), resource(title="/b")]


@pytest.mark.parametrize(
    ("payload", "parameters"),
    [
        (facts(), {}),
        (facts(), {"command": "replace facts"}),
        (facts(), {"checksum": "xyz"}),
        (facts(), {"producer_timestamp": "2026-01-21T00:00:00.000Z"}),
        (facts("b"), {}),
        ({**facts(), "producer_timestamp": 1_768_000_000_000}, {}),
        (without(facts(), "producer"), {"version": "4"}),
        ({**facts(), "package_inventory": [["a", "1", "dpkg"], ["a", "1", "dpkg"]]}, {}),
        (facts(huge=10**40), {}),
        (catalog(), CATALOG),
        (without(catalog(), "environment"), CATALOG),
        (without(catalog(), "transaction_uuid"), CATALOG),
        (without(catalog(), "job_id"), CATALOG),
        (catalog(environment=None), CATALOG),
        (catalog(more=1), CATALOG),
        (catalog(resources=ENDS, edges=[edge(*ENDS), edge(*ENDS)]), CATALOG),
        (catalog(resources=[without(resource(), "parameters")]), CATALOG),
        (catalog(resources=[without(resource(), "file", "line")]), CATALOG),
        (catalog(resources=[resource(kind="compilable_type", aliases=["x"])]), CATALOG),
        (catalog(resources=[resource("file")]), CATALOG),
        (catalog(), {**CATALOG, "version": "8"}),
        (catalog(), {**CATALOG, "version": "6"}),
        (INPUT, INPUTS),
        (report(resources=[changed()]), REPORT),
        (report(status="odd"), REPORT),
        (report(resources=[changed(events=[event(status="odd")])]), REPORT),
        (report(type="plan"), REPORT),
        (report(metrics=None, logs=None, resources=None), REPORT),
        (without(report(), "producer", "noop_pending", "corrective_change"), {**REPORT, "version": "7"}),
        ({"certname": "a"}, {"command": "deactivate_node", "version": "3"}),
        (
            {"certname": "a", "expire": {"facts": False}},
            {"command": "configure_expiration", "version": "1"},
        ),
    ],
)  # fmt: skip
def test_a_valid_command_is_processed(shared, payload, parameters):
    response = send(shared, payload, **parameters)
    found = shown(response)
    assert response.status == 200, found
    assert found == {"uuid": found["uuid"], "processed": True, "timed_out": False}


@pytest.mark.parametrize(
    ("payload", "parameters", "error"),
    [
        *[
            (without(facts(), key), {}, f"Invalid factset: missing required key '{key}'")
            for key in ("certname", "environment", "values", "producer_timestamp", "producer")
        ],
        ({**facts(), "more": 1}, {}, "Invalid factset: unknown key 'more'"),
        ({**facts(), "values": []}, {}, "Invalid factset: the value of 'values' must be an object"),
        (
            {**facts(), "producer_timestamp": "yesterday"},
            {},
            "Invalid factset: the value of 'producer_timestamp' must be a timestamp",
        ),
        (
            {**facts(), "package_inventory": [["a", "b"]]},
            {},
            "Invalid package: expected an array of name, version and provider",
        ),
        ([], {}, "Invalid factset: expected an object"),
        *[
            (without(catalog(), key), CATALOG, f"Invalid catalog: missing required key '{key}'")
            for key in ("certname", "version", "catalog_uuid", "code_id", "producer_timestamp")
        ],
        *[
            (without(catalog(), key), CATALOG, f"Invalid catalog: missing required key '{key}'")
            for key in ("producer", "edges", "resources")
        ],
        (
            catalog(edges=[edge(resource(), resource(title="/x"))]),
            CATALOG,
            "Invalid catalog: an edge refers to File[/x], which is missing",
        ),
        (
            catalog(resources=ENDS, edges=[edge(*ENDS, "near")]),
            CATALOG,
            "Invalid edge: unknown relationship 'near'",
        ),
        (
            catalog(resources=[resource(), resource()]),
            CATALOG,
            "Invalid catalog: a resource appears twice",
        ),
        (
            catalog(resources=[without(resource(), "type")]),
            CATALOG,
            "Invalid resource: the value of 'type' must be a string",
        ),
        (
            catalog(resources=[without(resource(), "title")]),
            CATALOG,
            "Invalid resource: the value of 'title' must be a string",
        ),
        (
            catalog(resources=[without(resource(), "tags")]),
            CATALOG,
            "Invalid resource: the value of 'tags' must be an array of strings",
        ),
        (
            catalog(resources=[resource(tags=["file", "Upper"])]),
            CATALOG,
            (
                "Invalid catalog: resource 'File[/etc/motd]' has an invalid tag 'Upper'. Tags must match"
                r" the pattern /[[\p{L}&&[^\p{Lu}]]\p{N}_][[\p{L}&&[^\p{Lu}]]\p{N}_:.-]*/."
            ),
        ),
        *[
            (without(report(), key), REPORT, f"Invalid report: missing required key '{key}'")
            for key in report()
            if key not in {"type", "job_id"}
        ],
        (
            report(type="odd"),
            REPORT,
            "Invalid report: unknown type 'odd'; expected 'agent' or 'plan'",
        ),
        (
            report(resources=[changed(events=[without(event(), "name")])]),
            REPORT,
            "Invalid event: missing required key 'name'",
        ),
        (
            report(report_format="12"),
            REPORT,
            "Invalid report: the value of 'report_format' must be an integer",
        ),
        (
            report(metrics=[{"category": "a", "name": "b"}]),
            REPORT,
            "Invalid metric: missing required key 'value'",
        ),
    ],
)
def test_an_invalid_payload_is_accepted_and_discarded(shared, payload, parameters, error):
    response = send(shared, payload, **parameters)
    found = shown(response)
    assert (response.status, found["processed"], found["timed_out"]) == (503, False, True)
    assert found["error"] == error
    assert len(os.listdir(shared.queue.discarded)) == 2


@pytest.mark.parametrize(
    ("payload", "parameters", "error"),
    [
        (facts(), {"version": "6"}, "Unsupported command replace facts version 6"),
        (
            facts(**{"a\0": 1}),
            {},
            "Cannot store the factset: the name 'a\\u0000' contains a NUL character",
        ),
        (
            catalog(resources=[resource(title="/\0")]),
            CATALOG,
            "Cannot store the catalog: the name '/\\u0000' contains a NUL character",
        ),
        (
            catalog(resources=[without(resource(), "exported")]),
            CATALOG,
            (
                "Cannot store the catalog: the value of 'exported' of File[/etc/motd] must be true or"
                " false"
            ),
        ),
        (
            catalog(resources=[resource(line="3")]),
            CATALOG,
            "Cannot store the catalog: the value of 'line' of File[/etc/motd] must be an integer",
        ),
        (
            report(transaction_uuid="nonsense"),
            REPORT,
            "Cannot store the report: the value of 'transaction_uuid' must be a UUID",
        ),
        (
            {**INPUT, "inputs": "x"},
            INPUTS,
            "Cannot store the catalog inputs: the value of 'inputs' must be an array",
        ),
    ],
)
def test_what_the_real_one_fails_to_store(shared, payload, parameters, error):
    response = send(shared, payload, **parameters)
    found = shown(response)
    assert (response.status, found["processed"], found["timed_out"]) == (503, True, False)
    assert found["error"] == error
    assert len(os.listdir(shared.queue.discarded)) == 2


@pytest.mark.parametrize(
    ("parameters", "error"),
    [
        (
            {"version": "3"},
            (
                'Command "replace facts" for certname "a" is invalid. Version 3 of command "replace'
                ' facts" is retired. The minimum supported version is 4.'
            ),
        ),
        (
            {**CATALOG, "version": "5"},
            (
                'Command "replace catalog" for certname "a" is invalid. Version 5 of command "replace'
                ' catalog" is retired. The minimum supported version is 6.'
            ),
        ),
        (
            {**REPORT, "version": "4"},
            (
                'Command "store report" for certname "a" is invalid. Version 4 of command "store'
                ' report" is retired. The minimum supported version is 5.'
            ),
        ),
        (
            {"version": "x"},
            'Command "replace facts" for certname "a" is invalid. Version must be a valid integer.',
        ),
        (
            {"version": None},
            'Command "replace facts" for certname "a" is invalid. Version must be a valid integer.',
        ),
        (
            {"version": str(1 << 31)},
            'Command "replace facts" for certname "a" is invalid. Version must be a valid integer.',
        ),
        (
            {"command": "replace_nothing"},
            (
                'Command "replace nothing" for certname "a" is invalid. Command must be one of:'
                " configure expiration, deactivate node, replace catalog, replace catalog inputs,"
                " replace facts, store report."
            ),
        ),
        (
            {"certname": None},
            (
                'Command "replace facts" for certname nil is invalid. Command is missing required'
                " parameters: certname."
            ),
        ),
        (
            {"certname": " "},
            (
                'Command "replace facts" for certname " " is invalid. Certname must be a non-empty'
                " string."
            ),
        ),
        (
            {"nothing": "x"},
            (
                'Command "replace facts" for certname "a" is invalid. Command has invalid parameters:'
                " nothing."
            ),
        ),
        (
            {"command": None},
            (
                "Command nil for certname nil is invalid. Command was submitted without query"
                " parameters (old format). The request body must be a JSON map with required keys:"
                " command, version, payload."
            ),
        ),
        (
            {"secondsToWaitForCompletion": "soon"},
            'secondsToWaitForCompletion must be a number, not "soon"',
        ),
    ],
)
def test_invalid_parameters(shared, parameters, error):
    response = send(shared, {}, **parameters)
    assert response.status == 400
    assert shown(response) == {"error": error}
    assert shared.queue.depth == 0


@pytest.mark.parametrize(
    ("headers", "status", "text"),
    [
        ({"content-type": "text/plain"}, 415, "content type text/plain not supported"),
        ({"accept": "text/plain"}, 406, "must accept application/json"),
        ({"content-encoding": "br"}, 415, {"error": "content encoding br not supported"}),
    ],
)
def test_headers_that_are_refused(shared, headers, status, text):
    response = send(shared, facts(), headers=headers)
    assert (response.status, shown(response)) == (status, text)


def test_an_answer_without_waiting(intake):
    response = send(intake, facts(), secondsToWaitForCompletion=None)
    assert response.status == 200
    assert shown(response).keys() == {"uuid"}


def test_gzip(intake):
    body = gzip.compress(json.dumps(facts(x=1)).encode())
    headers = {"content-encoding": "gzip", "x-uncompressed-length": "100"}
    assert send(intake, None, body=body, headers=headers).status == 200
    assert rows(intake, "SELECT name FROM fact_values") == [("x",)]


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"null", b"[" * 100_000])
def test_a_body_that_is_not_json(shared, body):
    response = send(shared, None, body=body)
    assert (response.status, shown(response)["processed"]) == (503, False)


ENVELOPE = {"command": "replace facts", "version": 5, "payload": facts()}


def test_the_old_format(intake):
    request = Request("POST", "/pdb/cmd/v1", {}, JSON, [json.dumps(ENVELOPE).encode()])
    response = answer_command(intake, request)
    assert (response.status, list(shown(response))) == (200, ["uuid"])


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"payload": "{}"}, 'Command "replace facts" for certname nil is invalid. Command was submitted without query parameters (old format). The payload value must be a JSON map.'),
        ({"version": "5"}, 'Command "replace facts" for certname "a" is invalid. Version must be a valid integer.'),
        ({"more": 1}, 'Command "replace facts" for certname "a" is invalid. Command has invalid parameters: more.'),
        ({"payload": {"x": 1}}, 'Command "replace facts" for certname nil is invalid. Command is missing required parameters: certname.'),
        ({"payload": None}, 'Command "replace facts" for certname nil is invalid. Command was submitted without query parameters (old format). The request body must be a JSON map with required keys: command, version, payload.'),
    ],
)  # fmt: skip
def test_the_old_format_if_invalid(shared, change, error):
    body = json.dumps({**ENVELOPE, **change}).encode()
    response = answer_command(shared, Request("POST", "/pdb/cmd/v1", {}, JSON, [body]))
    assert (response.status, shown(response)) == (400, {"error": error})


def test_get_without_parameters(intake):
    response = answer_command(intake, Request("GET", "/pdb/cmd/v1"))
    assert response.status == 400
    assert shown(response)["error"].startswith("Command nil for certname nil is invalid.")


@pytest.mark.parametrize("headers", [{"content-length": "2000"}, {"x-uncompressed-length": "2000"}])
def test_a_command_that_is_too_large_by_its_header(intake, headers):
    small = Intake(intake.queue, intake.worker, 1000)
    response = send(small, facts(), headers=headers)
    assert response.status == 413
    assert shown(response) == {"error": "Command rejected due to size exceeding max-command-size"}


@pytest.mark.parametrize("parameters", [{}, {"command": None}])
def test_a_command_that_is_too_large_is_read_to_its_end_and_leaves_nothing(intake, parameters):
    small = Intake(intake.queue, intake.worker, 1000)
    read = []

    def pieces():
        for _ in range(100):
            read.append(1)
            yield bytes(100)

    given = {"command": "replace_facts", "version": "5", "certname": "a"}
    chosen = {} if parameters else given
    response = answer_command(small, Request("POST", "/pdb/cmd/v1", chosen, JSON, pieces()))
    assert response.status == 413
    assert shown(response) == {"error": "Command size exceeds max-command-size"}
    assert len(read) == 100
    assert os.listdir(intake.queue.folder) == []


def test_half_a_request_leaves_nothing(intake):
    def pieces():
        yield b'{"certname":'
        raise ConnectionError

    given = {"command": "replace_facts", "version": "5", "certname": "a"}
    with pytest.raises(ConnectionError):
        answer_command(intake, Request("POST", "/pdb/cmd/v1", given, JSON, pieces()))
    assert os.listdir(intake.queue.folder) == []
    assert intake.queue.depth == 0


def test_a_full_disk(intake, monkeypatch):
    def full(*_arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fdatasync", full)
    response = send(intake, facts())
    assert response.status == 503
    assert shown(response)["error"].startswith("The command is not stored. Cannot use the queue")
    assert "No space left on device" in shown(response)["error"]
    assert os.listdir(intake.queue.folder) == []


def test_a_large_command_is_never_held_in_memory_while_it_arrives(intake):
    intake.worker.stop()
    piece = b" " * 1_000_000

    def pieces():
        for _ in range(50):
            yield piece

    given = {"command": "replace_facts", "version": "5", "certname": "a"}
    response = answer_command(intake, Request("POST", "/pdb/cmd/v1", given, JSON, pieces()))
    assert response.status == 200
    (name,) = os.listdir(intake.queue.folder)
    assert os.path.getsize(os.path.join(intake.queue.folder, name)) == 50_000_000


def test_a_client_that_waits_too_short(intake):
    intake.worker.stop()
    response = send(intake, facts(), secondsToWaitForCompletion="0.01")
    found = shown(response)
    assert response.status == 503
    assert found == {"uuid": found["uuid"], "processed": False, "timed_out": True}
    assert intake.worker.waiters == {}


def test_many_clients_at_once(intake):
    statuses = []

    def client(number):
        for day in range(1, 6):
            name = f"node{number}"
            statuses.append(send(intake, facts(name, day, x=day), certname=name).status)

    threads = [threading.Thread(target=client, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert statuses == [200] * 40
    assert rows(intake, "SELECT count(*) FROM facts") == [(8,)]
    counted = intake.worker.counts.snapshot()
    assert (counted["global"].received, counted["global"].processed) == (40, 40)
    assert counted["replace facts 5"].processed == 40


def test_invalid_utf8_is_stored_as_recorded_with_a_warning(intake):
    body = json.dumps(
        catalog(resources=[resource(parameters={"ensure": "file", "content": "BYTES", "mode": "0\0"})])
    ).encode()  # fmt: skip
    bytes_ = b"\xff\xe2\x82|\xc0\xaf|\xed\xa0\x80|\xf0\x9f\x8e"
    assert send(intake, None, body=body.replace(b"BYTES", bytes_), **CATALOG).status == 200
    ((found,),) = rows(intake, "SELECT parameters FROM resources")
    assert json.loads(found)["content"] == "��|��|�|�"
    assert json.loads(found)["mode"] == "0�"
    assert intake.worker.lines == [
        f"replace catalog for a: invalid UTF-8 or a NUL character in parameter '{name}' of"
        " File[/etc/motd] is stored as U+FFFD"
        for name in ("content", "mode")
    ]
