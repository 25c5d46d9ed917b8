"""Catalogs on the wire: values as real Puppet writes them, fields in their order."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bunraku
from bunraku.base.errors import PuppetError
from bunraku.catalog.rich_data import to_data
from bunraku.formats.json import json_text
from bunraku.jobs.batch import answer
from bunraku.values.regexp.regexp import IGNORECASE, Regexp
from support.rich_data import parameters, request

DATA = Path(__file__).parents[1] / "data"
RECORDED = json.loads((DATA / "rich_data.json").read_text(encoding="utf-8"))
# Values that Puppet writes in another way, and why we do not.
DIFFERENT = {
    "Data": "Puppet cannot write it: the alias leads back to itself",
    "RichData": "the same",
    "CatalogEntry": "Puppet cannot write it",
    "Error": "Puppet has no such type until Bolt brings it",
    "Error('m')": "the same",
    "Object": "of a bare Object nothing is told but its name",
}


@pytest.mark.parametrize(("value", "status", "expected", "secret"), RECORDED)
def test_values(value, status, expected, secret):
    got = parameters(json.loads(answer(json.dumps(request(value)).encode())))
    assert (got == (status, expected, secret)) != (value in DIFFERENT), got


def test_fields_of_a_catalog():
    catalog = bunraku.compile("class k { notify { 'n': } }\ninclude k\n", node="web01")
    data = catalog.to_data()
    assert list(data) == [
        "tags",
        "name",
        "version",
        "code_id",
        "catalog_uuid",
        "catalog_format",
        "environment",
        "resources",
        "edges",
        "classes",
    ]
    assert (data["name"], data["catalog_format"], data["environment"]) == ("web01", 2, "production")
    assert {"source": "Class[K]", "target": "Notify[n]"} in data["edges"]
    assert data["classes"] == ["settings", "k"]


def test_fields_of_a_resource():
    catalog = bunraku.compile("notify { 'n': message => Sensitive('s'), tag => 't' }\n")
    (found,) = [one for one in catalog.to_data()["resources"] if one["title"] == "n"]
    assert found == {
        "type": "Notify",
        "title": "n",
        "tags": found["tags"],
        "line": 1,
        "exported": False,
        "kind": "compilable_type",
        "parameters": {"message": "s", "tag": "t"},
        "sensitive_parameters": ["message"],
    }
    assert sorted(found["tags"]) == ["class", "n", "notify", "t"]


def test_a_catalog_is_json_whatever_it_holds():
    catalog = bunraku.compile(
        'notify { "\\u0000": message => ["\\u{10ffff}", 1e308, {1 => /x/}] }\n'
    )
    text = json_text(catalog.to_data())
    assert json.loads(text)["resources"][-1]["title"] == "\0"


@pytest.mark.parametrize(
    "data",
    [
        {},
        [],
        {"a": [], "b": {}, "é": [1, [2, {"c": '\ud800\n"\x01'}]], "": None},
        [1.5, True, (1, 2), {1: 2, None: {True: -(2**70)}}, "\u2028/"],
        {"resources": [{"type": "File", "parameters": {"mode": "0644", "tags": ["a", "b"]}}]},
    ],
)
def test_indented_json_is_that_of_python(data):
    wanted = json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2)
    assert json_text(data, indent=True) == wanted


def test_numbers_that_json_cannot_hold_are_refused_indented():
    with pytest.raises(PuppetError):
        json_text([{"a": float("nan")}], indent=True)


def test_a_regexp_has_its_options() -> None:
    assert to_data(Regexp("a", IGNORECASE)) == {"__ptype": "Regexp", "__pvalue": "(?i-mx:a)"}
