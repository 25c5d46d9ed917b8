"""Settings that change what is stored and answered."""

from __future__ import annotations

import gzip
import json

import pytest

from bunraku.base.errors import PuppetError
from bunraku.demonstration.stored_site import load_demonstration
from bunraku.puppetdb.blocklist import Blocklist
from bunraku.puppetdb.commands.process import Command, ProcessingOptions, prepare
from bunraku.puppetdb.configuration import read_configuration
from bunraku.puppetdb.databases.sqlite import SqliteDatabase
from bunraku.puppetdb.server.interface import answer
from bunraku.puppetdb.server.service import Service
from bunraku.puppetdb.settings import PuppetDBSettings
from bunraku.web.http import Request
from support.puppetdb_commands import facts

SLOW = """["in", "certname", ["from", "fact_contents",
    ["extract", "certname", ["~", "value", "q"]]]]"""


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory):
    database = SqliteDatabase(str(tmp_path_factory.mktemp("settings") / "site.db"))
    load_demonstration(database, 30, 1_000_000_000_000)
    yield database
    database.close()


@pytest.mark.parametrize(
    ("blocklist", "kept"),
    [
        (None, ["a", "ab", "b.c"]),
        (Blocklist(("a", "b.c")), ["ab"]),
        (Blocklist(("a", "b.c"), regex=True), ["ab"]),
        (Blocklist(("a.*", "c"), regex=True), ["b.c"]),
    ],
)
def test_facts_of_the_blocklist_are_not_stored(database, blocklist, kept):
    payload = {**facts("web01"), "values": {"a": 1, "ab": {"x": 2}, "b.c": 3}}
    command = Command("replace facts", 5, "web01", json.dumps(payload).encode(), 1)
    database.write(prepare(command, ProcessingOptions(blocklist=blocklist)))
    response = answer(Service(database), Request("GET", "/pdb/query/v4/facts"))
    assert sorted(row["name"] for row in json.loads("".join(response.body))) == kept


def test_an_invalid_expression_in_the_blocklist_is_an_error():
    with pytest.raises(PuppetError):
        Blocklist(("a", "("), regex=True).compile()


@pytest.mark.parametrize(
    ("settings", "wanted", "status"),
    [
        (PuppetDBSettings(), None, 200),
        (PuppetDBSettings(query_timeout_default=0.000001), None, 400),
        (PuppetDBSettings(query_timeout_default=0.000001), "60", 200),
        (PuppetDBSettings(query_timeout_default=0.000001), "0", 200),
        (PuppetDBSettings(query_timeout_max=0.000001), "60", 400),
        (PuppetDBSettings(query_timeout_max=0.000001), "0", 400),
    ],
)
def test_queries_have_a_time_limit(demonstration, settings, wanted, status):
    parameters = {} if wanted is None else {"timeout": wanted}
    parameters["query"] = SLOW
    request = Request("GET", "/pdb/query/v4/resources", parameters)
    response = answer(Service(demonstration, settings), request)
    assert response.status == status


def test_answers_are_compressed_if_the_client_accepts_it(demonstration):
    def ask(headers):
        request = Request("GET", "/pdb/query/v4/resources", headers=headers)
        return answer(Service(demonstration), request)

    plain, packed = ask({}), ask({"accept-encoding": "gzip, deflate"})
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    content = b"".join(packed.body)
    text = gzip.decompress(content).decode()
    assert text == "".join(plain.body)
    assert len(content) < len(text) / 5


CONFIGURATION = """
[database]
facts-blocklist = a, b.*
facts-blocklist-type = regex
[puppetdb]
query-timeout-default = 30
query-timeout-max = 60
[command-processing]
threads = 4
max-command-size = 1000
"""


def test_settings_of_the_real_puppetdb_are_read():
    found = read_configuration({"a.ini": CONFIGURATION})
    assert found.values == {
        "facts_blocklist": "a, b.*",
        "facts_blocklist_type": "regex",
        "query_timeout_default": "30",
        "query_timeout_max": "60",
    }
    assert "[command-processing] threads" in found.ignored


def test_the_size_of_commands_is_limited_only_if_large_ones_are_rejected():
    found = read_configuration({"a.ini": f"{CONFIGURATION}reject-large-commands = true"})
    assert found.values["max_command_size"] == "1000"
