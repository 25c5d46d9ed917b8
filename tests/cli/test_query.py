"""``bunraku query``: sources, formats, errors."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from support.puppetdb import load

NAMES = 'nodes[certname, deactivated] { certname ~ "^web0[48]" order by certname }'


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    path = str(tmp_path_factory.mktemp("puppetdb") / "site.db")
    database = SqliteDatabase(path)
    load(database)
    database.close()
    return path


def query(*words):
    return main(["query", "--no-project", *words])


def test_rows_are_aligned(site, capsys):
    assert query(NAMES, "--storedconfigs", site) == exits.OK
    assert capsys.readouterr().out == (
        "certname            deactivated\nweb04.example.test\nweb08.example.test\n"
    )


def test_rows_in_other_formats(site, capsys):
    assert query(NAMES, "--storedconfigs", site, "--format", "json") == exits.OK
    rows = json.loads(capsys.readouterr().out)
    assert rows[0] == {"certname": "web04.example.test", "deactivated": None}
    assert query(NAMES, "--storedconfigs", site, "--format", "csv") == exits.OK
    assert capsys.readouterr().out.splitlines()[:2] == [
        "certname,deactivated",
        "web04.example.test,",
    ]


def test_a_query_in_json(site, capsys):
    text = '["from", "nodes", ["extract", [["function", "count"]]]]'
    assert query(text, "--storedconfigs", site) == exits.OK
    assert capsys.readouterr().out.splitlines()[0] == "count"


def test_a_folder_of_documents(tmp_path, capsys):
    facts = {"name": "web04", "values": {"kernel": "Linux"}}
    (tmp_path / "web04.json").write_text(json.dumps(facts))
    words = ["facts[name, value] { certname = 'web04' }", "--storedconfigs", str(tmp_path)]
    assert query(*words, "--format", "csv") == exits.OK
    assert "kernel,Linux" in capsys.readouterr().out.splitlines()
    assert query("facts {", "--storedconfigs", str(tmp_path)) == exits.FINDINGS
    assert "PQL parse error at line 1" in capsys.readouterr().err


def test_no_rows_are_no_error(site, capsys):
    assert query('nodes { certname = "x" }', "--storedconfigs", site) == exits.OK
    assert capsys.readouterr().out == ""


def test_an_invalid_query_is_shown_with_its_place(site, capsys):
    assert query("nodes[certname {", "--storedconfigs", site) == exits.FINDINGS
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == "error: PQL parse error at line 1, column 16:"
    assert lines[2:4] == ["nodes[certname {", " " * 15 + "^"]


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ([], "--storedconfigs PATH|URL is required"),
        (["--storedconfigs", "missing.db"], "No stored catalogs or facts at missing.db"),
        (
            ["--storedconfigs", "http://127.0.0.1:1"],
            "Cannot query the PuppetDB at http://127.0.0.1:1: Connection refused",
        ),
        (["--storedconfigs", "http://[::1"], "The URL of the PuppetDB is malformed"),
        (["--storedconfigs", "https://127.0.0.1:1", "--cert", "no.pem"], "no.pem"),
    ],
)
def test_a_source_that_cannot_be_asked_is_reported(source, message, capsys):
    assert query("nodes {}", *source) == exits.TROUBLE
    assert message in capsys.readouterr().err


class Handler(BaseHTTPRequestHandler):
    """Answers each query with what it was."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        text = json.dumps([{"path": self.path, **json.loads(body)}]).encode()
        self.send_response(200 if self.path == "/pdb/query/v4" else 500)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_arguments):
        pass


@pytest.fixture
def server():
    with HTTPServer(("127.0.0.1", 0), Handler) as found:
        thread = threading.Thread(target=found.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{found.server_port}"
        found.shutdown()
        thread.join()


def test_a_server_is_asked(server, capsys):
    assert query("nodes {}", "--storedconfigs", server, "--format", "json", "--timeout", "5s") == 0
    assert json.loads(capsys.readouterr().out) == [
        {"path": "/pdb/query/v4", "query": "nodes {}", "timeout": 5.0}
    ]


def test_a_server_that_fails_is_reported(server, capsys):
    assert query("nodes {}", "--storedconfigs", f"{server}/other") == exits.TROUBLE
    assert "it answered with status 500" in capsys.readouterr().err
