"""The catalog that the Python interface returns: the same from a compile and from a file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bunraku
from bunraku.catalog.rich_data import from_data, to_data

SITE = """
class app { file { 'conf': path => '/etc/app/conf', alias => 'app conf', notify => Service['app'] } }
define site($port) { file { "/sites/${title}/": ensure => directory } }
service { 'app': require => [Class['app'], Site['one']] }
site { 'one': port => 80 }
include app
"""
RICH = Path(__file__).parents[1] / "data" / "rich_data.json"


@pytest.fixture
def catalog() -> bunraku.Catalog:
    return bunraku.compile(SITE, node="web01.example.com")


@pytest.mark.parametrize(
    "reference",
    ["File[conf]", "File[/etc/app/conf]", "File[app conf]", "file[conf]", "File[/etc/app/conf/]"],
)
def test_a_resource_is_found_by_every_name_that_references_may_use(catalog, reference):
    assert reference in catalog
    assert catalog[reference].title == "conf"


@pytest.mark.parametrize("reference", ["File[/sites/one]", "File[/sites/one/]"])
def test_a_slash_at_the_end_of_a_file_does_not_matter(catalog, reference):
    assert catalog[reference].title == "/sites/one/"


def test_classes_are_found_in_any_letter_case(catalog):
    assert catalog["Class[App]"] is catalog["Class[app]"]
    assert catalog.find("class", "::app") is catalog["Class[App]"]


def test_a_missing_resource_is_a_key_error_with_a_suggestion(catalog):
    with pytest.raises(KeyError, match=r"no Service\[ap\] .*did you mean 'Service\[app\]"):
        _ = catalog["Service[ap]"]
    assert "Service[ap]" not in catalog
    assert catalog.find("Service", "ap") is None
    assert "nonsense" not in catalog


def test_relationships_are_resolved_to_resources(catalog):
    found = {(str(one.first), str(one.then), one.kind) for one in catalog.relationships}
    assert found == {
        ("File[conf]", "Service[app]", "notify"),
        ("Class[App]", "Service[app]", "require"),
        ("Site[one]", "Service[app]", "require"),
    }
    (only,) = catalog.relationships_of("File[conf]")
    assert only.then is catalog["Service[app]"]
    assert catalog["Service[app]"].references("require") == ["Class[App]", "Site[one]"]


def test_containers(catalog):
    assert str(catalog.container_of("File[conf]")) == "Class[App]"
    assert str(catalog.container_of("Site[one]")) == "Class[main]"


def test_by_type_keeps_the_order(catalog):
    assert [one.title for one in catalog.by_type("file")] == ["conf", "/sites/one/"]
    assert len(catalog) == len(list(catalog)) == len(catalog.resources)


def test_secrets_stay_sensitive():
    found = bunraku.compile("""
    file { '/a': content => Sensitive('swordfish') }
    notify { 'n': message => { 'k' => Sensitive('swordfish') } }
    """)
    assert found["File[/a]"]["content"] == bunraku.Sensitive("swordfish")
    assert found["File[/a]"].sensitive == ("content",)
    assert found["Notify[n]"]["message"] == {"k": bunraku.Sensitive("swordfish")}
    for shown in (repr(found), repr(found["File[/a]"]), repr(found["File[/a]"].parameters)):
        assert "swordfish" not in shown


def test_a_file_holds_the_same_catalog(catalog, tmp_path):
    path = tmp_path / "web01.json"
    path.write_text(catalog.to_json(), encoding="utf-8")
    again = bunraku.Catalog.from_file(path)
    assert again == catalog
    assert again.to_json() == catalog.to_json()
    assert [vars_of(one) for one in again] == [vars_of(one) for one in catalog]


def vars_of(resource: bunraku.Resource) -> dict[str, object]:
    return {name: getattr(resource, name) for name in resource.__slots__}


def test_many_nodes_give_the_same_type(catalog):
    (outcome,) = bunraku.compile_nodes(SITE, {"web01.example.com": {}}, jobs=1)
    assert isinstance(outcome.catalog, bunraku.Catalog)
    assert [str(one) for one in outcome.catalog] == [str(one) for one in catalog]
    assert "resources" not in repr(outcome).partition("resources=")[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not valid JSON"),
        ("[]", "Invalid catalog: expected a Hash, got an Array"),
        ("{}", "resources: expected an Array, got nothing"),
        ('{"resources": [1]}', r"resources\[0\]: expected a Hash, got an Integer"),
        ('{"resources": [{"title": "a"}]}', r"resources\[0\].type: expected a String, got nothing"),
        (
            '{"resources": [{"type": "A", "title": "a", "parameters": [1]}]}',
            r"resources\[0\].parameters: expected a Hash, got an Array",
        ),
        (
            '{"resources": [{"type": "A", "title": "a", "tags": 1}]}',
            r"resources\[0\].tags: expected an Array of Strings",
        ),
        (
            '{"resources": [], "edges": [{}]}',
            r"edges\[0\].source: expected a String or a Hash, got nothing",
        ),
    ],
)
def test_what_is_not_a_catalog_is_an_error_with_the_place(tmp_path, text, said):
    path = tmp_path / "broken.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(bunraku.PuppetError, match=said) as caught:
        bunraku.Catalog.from_file(path)
    assert caught.value.diagnostic.file == str(path)


def test_a_file_that_cannot_be_read_is_an_error(tmp_path):
    with pytest.raises(bunraku.PuppetError, match="Cannot read the catalog: No such file"):
        bunraku.Catalog.from_file(tmp_path / "nope.json")


def test_values_of_catalogs_are_read_as_they_are_written():
    seen = set()
    for code, status, parameters, _ in json.loads(RICH.read_text(encoding="utf-8")):
        data = parameters.get("message") if status == "ok" else None
        value = from_data(data)
        if "__ptype" not in repr(value):  # types and Deferred stay hashes
            assert to_data(value) == data, code
            seen.add(type(value).__name__)
    assert seen >= {"Binary", "Default", "Regexp", "SemVer", "Timespan", "Timestamp", "URI", "dict"}


def test_literals_are_read_as_the_same_values():
    value = {"a": [1, -2.5, None, True, "it's\n$x \\ é", {}], "b c": {"d": []}, "e\\'f": "\\"}
    assert bunraku.evaluate(bunraku.literal(value)) == value
    for code in ("Sensitive('x')", "SemVer('1.2.3')", "/a\\/b/", "Binary('YWJj')", "default"):
        found = bunraku.evaluate(code)
        assert bunraku.evaluate(bunraku.literal(found)) == found
    with pytest.raises(TypeError, match="no Puppet literal for object"):
        bunraku.literal(object())


def test_unknown_options_are_refused():
    with pytest.raises(TypeError, match="unknown option 'fact' \\(did you mean 'facts'"):
        bunraku.compile("", fact={})  # type: ignore[call-arg]


def test_the_version_is_a_text():
    assert isinstance(bunraku.__version__, str)
    assert json.dumps(bunraku.__version__)
