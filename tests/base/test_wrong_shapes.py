"""Data of a wrong shape: one error of ours with the path into the data, never one of Python's."""

from __future__ import annotations

import json
import shutil

import pytest

from bunraku.api.compile import Catalog
from bunraku.api.compile import compile as compile_code
from bunraku.base.errors import PuppetError
from bunraku.base.source import Source
from bunraku.checks import kinds
from bunraku.checks.run import check_file
from bunraku.engine.revisions import states_of
from bunraku.facts.documents import facts_in
from bunraku.formats.failure import FormatError
from bunraku.formats.hocon import parse_hocon
from bunraku.formats.json import parse_json
from bunraku.jobs.batch import answer
from bunraku.modules.classifier import read_classified
from bunraku.project.config_file import read_config_file
from bunraku.puppetdb.queries.reading import read_any_query
from bunraku.puppetdb.site.documents import Documents
from bunraku.puppetdb.site.files import FileData, read_files
from bunraku.world.dictionary import DictionaryWorld
from support.documents import KINDS, problem_of
from support.mutate import sampled
from support.resource_types import read_resource_types

MUTANTS = 15
SLOW = 5
"""Mutants of the kinds that Hiera reads: each is looked up in several ways."""


def error_of(read, *given):
    """The message and the place of the error that a reader raises."""
    with pytest.raises(PuppetError) as caught:
        read(*given)
    found = caught.value.diagnostic
    return found.message, found.place.where


@pytest.mark.parametrize("name", KINDS)
def test_good_samples_are_read(name):
    KINDS[name].read(KINDS[name].content())


@pytest.mark.parametrize("name", KINDS)
def test_damaged_documents_are_read_or_refused(name):
    kind = KINDS[name]
    count = SLOW if name.startswith(("hiera.yaml", "data in")) else MUTANTS
    chosen = sampled(kind.mutants(), count, seed=1)
    found = {mutant.what: problem_of(kind, mutant.content) for mutant in chosen}
    assert {what: problem for what, problem in found.items() if problem} == {}


# -- the places of mismatches ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parameters": [1]}, "resources[0].parameters: expected a Hash, got an Array"),
        ({"tags": 1}, "resources[0].tags: expected an Array of Strings, got an Integer"),
        ({"tags": [1]}, "resources[0].tags[0]: expected a String, got an Integer"),
        ({"title": None}, "resources[0].title: expected a single value or a Hash, got nothing"),
        ({"line": "3"}, "resources[0].line: expected an Integer, got a String"),
        ({"sensitive_parameters": [{}]}, "sensitive_parameters[0]: expected a String, got a Hash"),
        ({"exported": "yes"}, "resources[0].exported: expected true or false, got a String"),
    ],
)
def test_a_resource_of_a_wrong_shape_is_named_with_its_line(change, message):
    resource = {"type": "File", "title": "/a", **change}
    text = '{\n"name": "n",\n"resources": [\n' + json.dumps(resource) + "\n]}"
    found, (file, line, column) = error_of(lambda: Catalog.from_json(text, path="c.json"))
    assert found.endswith(message)
    assert (file, line) == ("c.json", 4)
    assert column is not None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"edges": [1]}, "edges[0]: expected a Hash, got an Integer"),
        ({"edges": [{}]}, "edges[0].source: expected a String or a Hash, got nothing"),
        (
            {"edges": [{"source": {}, "target": "A[b]"}]},
            "edges[0].source.type: expected a String, got nothing",
        ),
        ({"classes": 1}, "classes: expected an Array of Strings, got an Integer"),
        ({"resources": {}}, "resources: expected an Array, got a Hash"),
        ({"data": []}, "data: expected a Hash, got an Array"),
    ],
)
def test_a_catalog_of_a_wrong_shape_is_refused_in_both_forms(data, message):
    plain = data if "data" in data else {"resources": [], **data}
    found, _ = error_of(Catalog.from_json, json.dumps(plain))
    assert found == f"Invalid catalog: {message}"
    if plain is not data:
        found, _ = error_of(Catalog.from_json, json.dumps({"data": plain}))
        assert found == f"Invalid catalog: data.{message}"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"__ptype": "Timestamp", "__pvalue": [1]}, "__pvalue: expected a String, got an Array"),
        ({"__ptype": "Hash", "__pvalue": {}}, "__pvalue: expected an Array, got a Hash"),
        ({"__ptype": "Hash", "__pvalue": [1]}, "__pvalue: the last key has no value"),
    ],
)
def test_rich_data_of_a_wrong_shape_is_refused(value, message):
    resource = {"type": "A", "title": "a", "parameters": {"x": value}}
    catalog = Catalog({"resources": [resource]})
    found, _ = error_of(lambda: catalog.resources)
    assert found == f"Invalid {value['__ptype']} in a catalog: {message}"


def test_edges_of_puppetdb_become_references():
    ends = {"source": {"type": "Class", "title": "A"}, "target": {"type": "File", "title": "/a"}}
    catalog = Catalog({"resources": [], "edges": [ends]})
    assert catalog.edges == (("Class[A]", "File[/a]"),)
    assert Catalog.from_json(json.dumps({"data": catalog.to_data()})).edges == catalog.edges


@pytest.mark.parametrize(
    ("text", "code", "message", "line"),
    [
        ('{"name":"a",\n"resources":null}', "STORED_INVALID", "resources: expected an Array", 2),
        (
            '{"name":"a","resources":[\n{"type":"File","title":"/a","parameters":[1]}]}',
            "STORED_INVALID",
            "resources[0].parameters: expected a Hash, got an Array",
            2,
        ),
        (
            '[{"certname":"a","name":"os","value":1},\n{"certname":"a","facts":7}]',
            "STORED_INVALID",
            "[1].facts: expected an Array or a Hash, got an Integer",
            2,
        ),
        ("[\n7]", "STORED_UNKNOWN", "[0]: expected a catalog, facts or resources", 2),
        ('{"name": 1, "values": {}}', "STORED_INVALID", "name: expected a String", 1),
    ],
)
def test_stored_data_of_a_wrong_shape_are_named_with_their_line(text, code, message, line):
    world = DictionaryWorld({"/s/a.json": text.encode()})
    with pytest.raises(PuppetError) as caught:
        read_files("/s", world)
    assert caught.value.code == code
    assert message in caught.value.message
    assert caught.value.diagnostic.place.where[:2] == ("/s/a.json", line)


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"modulepath": [{}]}, "modulepath[0]: expected a String, got a Hash"),
        (
            {"settings": {"strict": {}}},
            "settings.strict: expected a single value or nothing, got a Hash",
        ),
        ({"node_classes": {"m": "x"}}, "node_classes.m: expected nothing or a Hash, got a String"),
        ({"code": 1}, "code: expected a String or a Hash, got an Integer"),
        ({"modules": {"a.pp": {"__bytes": 1}}}, "modules['a.pp'].__bytes: expected a String"),
        ({"timeout": "1"}, "timeout: expected a number, got a String"),
        (
            {"do": "complie"},
            "do: expected one of compile, catalog, cached, pn, got 'complie' (did you mean 'compile'?)",
        ),
        ([], "expected a JSON object, got an Array"),
        ({"code": "", "timeot": 1}, "timeot"),
        ({"code": "", "settings ": {}}, "did you mean 'settings'?"),
    ],
)
def test_a_request_of_a_wrong_shape_is_bad_input(request_, message):
    if isinstance(request_, dict):
        request_ = {**request_, "id": "7"}
    found = json.loads(answer(json.dumps(request_).encode()))
    assert found["status"] == "bad_input"
    assert found["id"] == ("7" if request_ else None)
    assert message in found["error"]["message"]


@pytest.mark.parametrize(
    ("text", "message", "line"),
    [
        ("classes:\n  m: {1: 2}", "classes.m: expected a String as a key, got an Integer", 2),
        ("classes: 7", "classes: expected an Array or a Hash, got an Integer", 1),
        ("classes: a", "classes: expected an Array or a Hash, got a String", 1),
        ("classes:\n- a\n- {b: 1}", "classes[1]: expected a String, got a Hash", 3),
        ("classes: {a: 1}", "classes.a: expected nothing or a Hash, got an Integer", 1),
        ("parameters: []", "parameters: expected a Hash of facts, got an Array", 1),
        ("environment: [a]", "environment: expected a String, got an Array", 1),
        ("environment: 7", "environment: expected a String, got an Integer", 1),
        ("- a", "expected a Hash, got an Array", 1),
    ],
)
def test_an_answer_of_a_classifier_of_a_wrong_shape_is_refused(text, message, line):
    found, place = error_of(read_classified, text, "enc.yaml", "web1")
    assert found == f"The node classifier enc.yaml returned an invalid answer for web1: {message}"
    assert place[:2] == ("enc.yaml", line)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.json", "[]", "expected a Hash of facts, got an Array"),
        ("a.json", '{"a": NaN}', "not valid JSON: NaN is not a number"),
        ("a.json", '{"a": ' + "1" * 5000 + "}", "not valid JSON: an integer has too many digits"),
        ("a.json", '\ufeff{"a": 1}', "not valid JSON: it starts with a byte order mark"),
        ("a.json", "[" * 100_000, "not valid JSON: it is nested too deeply"),
        (
            "a.json",
            '{"name": "n", "values": [1]}',
            "values: expected a Hash of facts, got an Array",
        ),
        ("a.yaml", "[" * 1000, "not valid YAML: it is nested too deeply"),
        ("a.yaml", "? [1]\n: 2", "expected a single value as a key, got an Array"),
        ("a.yaml", "&a [*a]", "not valid YAML: a value contains itself: 'a'"),
        ("a.yaml", "a: " + "1" * 5000, "not valid YAML: an integer has too many digits"),
    ],
)
def test_facts_of_a_wrong_shape_are_refused(name, text, message):
    found, place = error_of(facts_in, text, name)
    assert found == f"Cannot read facts: {message}"
    assert place[0] == name


def test_stored_facts_of_puppet_with_objects_and_symbols_are_read():
    text = (
        "--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues:\n  !ruby/sym _timestamp: 2001-01-01\n"
        "  since: 2001-01-01 10:00:00 +01:00\n  :kind: :web\n  1: {true: 2}\n"
    )
    assert facts_in(text, "n.yaml") == {
        "_timestamp": "2001-01-01",
        "since": "2001-01-01 10:00:00 +01:00",
        "kind": "web",
        "1": {"true": 2},
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"name": "a-b", "dependencies": 7}', "dependencies: expected an Array, got an Integer"),
        ('{"name": 7}', "name: expected a String, got an Integer"),
        ("[1]", "expected an object, got an Array"),
    ],
)
def test_a_module_with_metadata_of_a_wrong_shape_is_passed_over_with_a_warning(text, message):
    files = {
        "/e/production/manifests/site.pp": b"",
        "/e/production/modules/m/metadata.json": text.encode(),
        "/e/production/modules/m/manifests/init.pp": b"class m { }",
    }
    log = []
    with pytest.raises(PuppetError, match="Could not find class"):
        compile_code(
            "include m",
            world=DictionaryWorld(files),
            settings={"environmentpath": "/e"},
            log=log.append,
        )
    assert any(message in entry.message for entry in log)


def test_metadata_show_the_path_of_what_is_wrong():
    text = '{"name": "a-b",\n"dependencies": [{"name": "c/d"}, {"nam": "e/f"}]}'
    found = check_file(Source(text, "metadata.json", on_disk=True), kinds.METADATA)
    assert "dependencies[1].name: expected a String, got nothing" in [one.message for one in found]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("tool = 1", "tool: expected a table, got an Integer"),
        ("[tool]\nbunraku = 1", "tool.bunraku: expected a table, got an Integer"),
    ],
)
def test_a_pyproject_of_a_wrong_shape_is_refused(text, message):
    found, _ = error_of(read_config_file, "/c/pyproject.toml", text.encode())
    assert found == f"Cannot read /c/pyproject.toml: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("jobs = 1.5", "'jobs' must be a whole number of at least 1"),
        ("root = 7", "'root' must be a path"),
        (r'root = "~\u0000"', "'root' must be a path"),
        ('modulepath = ["a", 7]', "'modulepath[1]' must be a path"),
        ("modulepath = {}", "'modulepath' must be a list of paths"),
        ("exclude = [[]]", "'exclude[0]' must be a String"),
        ('color = "alwys"', "'color' must be one of auto, always, never (did you mean 'always'?)"),
        ("settings = 1", "'settings' must be a table of Puppet's settings"),
    ],
)
def test_a_configuration_of_a_wrong_shape_is_refused(text, message):
    found, place = error_of(read_config_file, "/c/bunraku.toml", text.encode())
    assert found == message
    assert place[:2] == ("/c/bunraku.toml", 1)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            ["from", "nodes", ["limit", "x"]],
            "Illegal value '\"x\"' for :limit; expected a non-negative",
        ),
        (
            ["from", "nodes", ["limit", -1]],
            "Illegal value '-1' for :limit; expected a non-negative",
        ),
        (["from", "nodes", ["=", {}, 1]], "{} is not a field"),
        (["from", "nodes", ["order_by", 7]], "7 is not a query: expected an array"),
        (
            ["from", "nodes", ["order_by", [["certname", "up"]]]],
            'Illegal value \'["certname", "up"]\'',
        ),
        (["from", "nodes", ["in", "certname", 7]], "7 is not a query: expected an array"),
        (
            ["from", "nodes", ["~", "certname", 7]],
            'Argument "7" and operator "~" have incompatible types.',
        ),
    ],
)
def test_a_query_of_a_wrong_shape_is_refused(given, message):
    found, _ = error_of(FileData(Documents()).query, given)
    assert found.startswith(message)


def test_a_query_that_nests_too_deeply_is_refused():
    text = "nodes { " + "(" * 100_000 + "}"
    assert error_of(read_any_query, text)[0] == "The query is nested more than 100 levels deep"
    text = "nodes { } limit " + "9" * 5000
    assert error_of(read_any_query, text)[0].startswith("PQL parse error at line 1, column 10")


# -- text that is not UTF-8 --------------------------------------------------------------------------


def test_surrogates_of_json_become_the_bytes_that_ruby_makes_of_them():
    assert parse_json(r'["\udcff", "\ud83d\ude00", "\\ud800", "\ud800"]') == [
        b"\xed\xb3\xbf".decode("utf-8", "surrogateescape"),
        "😀",
        r"\ud800",
        b"\xed\xa0\x80".decode("utf-8", "surrogateescape"),
    ]


def test_json_that_is_refused_has_a_place():
    for text, place in (
        ('{"a":\n NaN}', (2, 2)),
        ('["NaN", -Infinity]', (1, 9)),
        ("[1,\n", (2, 1)),
    ):
        with pytest.raises(FormatError) as caught:
            parse_json(text)
        assert (caught.value.line, caught.value.column) == place


def test_escapes_of_hocon_are_those_of_json():
    text = r'{"a": "\ud83d\ude00 \ud800 \u00e9 \n"}'
    assert parse_hocon(text) == parse_json(text)


# -- values in range, types that cannot be converted -------------------------------------------------


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"lookup_options": {"k": {"convert_to": []}}, "k": 1}, "HIERA_CONVERT_FAILED"),
        ({"lookup_options": {"k": {"convert_to": ["Array"]}}, "k": 10**20}, "OUT_OF_MEMORY"),
    ],
)
def test_conversions_that_data_name_fail_with_an_error(data, code):
    files = {
        "/e/production/manifests/site.pp": b"",
        "/e/production/hiera.yaml": (
            b"version: 5\nhierarchy: [{name: a, path: a.json, data_hash: json_data}]"
        ),
        "/e/production/data/a.json": json.dumps(data).encode(),
    }
    with pytest.raises(PuppetError) as caught:
        compile_code(
            "notice(lookup('k'))", world=DictionaryWorld(files), settings={"environmentpath": "/e"}
        )
    assert caught.value.code == code


@pytest.mark.parametrize(
    "call",
    [
        "File.expand_path",
        "File.join",
        "File.dirname(1, 2, 3)",
        "File.basename",
        "Regexp.new",
        "Regexp.new(1)",
        "Regexp.escape(nil)",
        "Regexp.union([1])",
        "Hash[1]",
        "Array()",
        "'a'.split(1, 2, 3)",
        "'a'.tr",
        "[1].zip",
        "[[1]].to_h",
        "[1, 'a'].sort",
        "{}.fetch",
        "{[] => {}}.invert",
        "1.+('a')",
        "1 * 'a'",
        "paramclass([])",
        "newparam",
        "send",
        "send([])",
        "require",
        "feature",
        "apply_to_device(1)",
        "extend 1",
        "[].each_with_index",
        "[1].map(&1)",
        "self[{}]",
    ],
)
def test_ruby_calls_with_any_arguments_are_read_or_passed_over(call):
    text = f"Puppet::Type.newtype(:t) do\n  newparam(:name)\n  x = {call}\n  newparam(:b)\nend\n"
    (schema,) = read_resource_types(text, "/m/lib/puppet/type/t.rb")
    assert {"name", "b"} <= set(schema.parameters)


# -- names of revisions ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "",
        "-x",
        "--upload-pack=x",
        "a..b..c",
        "...",
        "\udcff",
        "@{99999999999}",
        "^",
        "HEAD^{/x",
        "x" * 5000,
    ],
)
def test_names_that_are_no_revision_are_refused(name, tmp_path):
    if shutil.which("git") is None:
        pytest.skip("this needs git, which is not installed")
    assert error_of(states_of, str(tmp_path), [name, "HEAD"])[0]
    assert error_of(states_of, str(tmp_path), [name])[0]
