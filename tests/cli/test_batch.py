"""``bunraku batch``: the protocol's requests and answers, and requests that are none."""

from __future__ import annotations

import json

import pytest

from bunraku.formats.json import encode_line
from bunraku.jobs.batch import answer
from support.conformance import ask


def answered(**case):
    """The answer to one request, given in this process."""
    return json.loads(answer(json.dumps({"id": "x", **case}).encode()))


def test_an_answer_holds_all_that_the_protocol_names():
    code = (
        "notice('n')\nwarning('w')\n"
        "class a { file { '/a': content => 'c' } -> notify { 'x': } }\ninclude a\n"
        "@user { 'gone': }\n@@user { 'u': }\n"
    )
    found = answered(code=code)
    assert found.pop("ms") > 0
    assert found["status"] == "ok"
    assert found["error"] is None
    assert found["notices"] == [{"scope": "Class[main]", "message": "n"}]
    written, exported = found["logs"]
    assert (written["level"], written["message"]) == ("warning", "w")
    assert (exported["level"], exported["line"]) == ("warning", 6)
    assert [(one["type"], one["title"]) for one in found["resources"]] == [
        ("Class", "A"),
        ("File", "/a"),
        ("Notify", "x"),
    ]
    assert found["resources"][1] == {
        "type": "File",
        "title": "/a",
        "parameters": {"content": "c", "before": ["Notify[x]"]},
        "tags": ["a", "class", "file"],
        "exported": False,
        "line": 3,
        "kind": "compilable_type",
    }
    assert [one["title"] for one in found["virtual"]] == ["u"]
    assert found["edges"] == [["Class[A]", "File[/a]"], ["Class[A]", "Notify[x]"]]
    assert found["relationships"] == [["File[/a]", "Notify[x]", "before"]]
    assert found["classes"] == ["a"]


def test_an_evaluation_error_has_its_place_and_code():
    found = answered(code="$a = 1\n$b = $a / 0\n", as_file=True)
    assert found["status"] == "eval_error"
    assert found["error"]["issue_code"] == "DIV_BY_ZERO"
    assert (found["error"]["line"], found["error"]["file"]) == (2, "/site.pp")


def test_of_several_errors_all_are_logged():
    found = answered(code="$a = = 1\n$b = [1,,2]\n")
    assert (found["status"], found["error"]["line"]) == ("parse_error", 1)
    assert [(one["level"], one["line"]) for one in found["logs"]] == [("err", 1), ("err", 2)]


def test_modules_of_a_case_are_seen_by_it_alone():
    modules = {
        "m/manifests/init.pp": "class m { notice(lookup('m::greeting')) }",
        "hiera.yaml": "version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n",
        "data/common.yaml": "m::greeting: hello\n",
    }
    assert answered(code="include m", modules=modules)["notices"][0]["message"] == "hello"
    assert answered(code="include m")["status"] == "eval_error"


def test_facts_are_those_given_and_no_more():
    found = answered(code="notice($facts)", facts={"a": 1})
    assert found["notices"][0]["message"] == "{a => 1}"


def test_bytes_travel_in_both_directions():
    found = answered(code={"__bytes": ["JGEgPSAn/ycKbm90aWNlKCRhKQ=="]})  # $a = '\xff', noticed
    assert found["notices"][0]["message"] == {"__bytes": "/w=="}


def test_the_syntax_tree_of_code_template_and_file(tmp_path):
    assert answered(do="pn", code="$a = 1")["pn"] == '(= (var "a") 1)'
    template = answered(do="pn", code="a<%= $x %>", epp=True)["pn"]
    assert template == '(lambda {:body [(epp (render-s "a") (render (var "x")))]})'
    (tmp_path / "t.epp").write_text("a<%= $x %>")
    assert answered(do="pn", path=str(tmp_path / "t.epp"))["pn"] == template
    assert answered(do="pn", code="$a = = 1")["status"] == "parse_error"


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"[]",
        b'{"code": 1}',
        b'{"code": {"__bytes": ["?"]}}',
        b'{"do": "dance"}',
        b'{"language": "4"}',
        b'{"follow": "me"}',
        b'{"facts": []}',
        b'{"modules": {"a": 1}}',
        b'{"do": "pn", "path": "/nowhere"}',
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"x": ' + b"1" * 10_000 + b"}",
    ],
)
def test_what_is_no_request_gets_an_answer_that_says_so(line):
    found = json.loads(answer(line))
    assert found["status"] == "bad_input"
    assert found["error"]["message"]
    assert found["resources"] == []


def test_numbers_that_json_has_not_are_spelled_out():
    data = [float("inf"), float("-inf"), float("nan"), 1.5]
    assert json.loads(encode_line(data)) == [
        {"__float": "Infinity"},
        {"__float": "-Infinity"},
        {"__float": "NaN"},
        1.5,
    ]


def test_a_case_that_hangs_costs_only_itself():
    cases = [
        {"id": "before", "code": "notice(1)"},
        {"id": "hangs", "code": "Integer[1, 1000000000].each |$n| { $n }", "timeout": 0.5},
        {"id": "after", "code": "notice(2)"},
    ]
    found = ask(cases)
    assert [(one["id"], one["status"]) for one in found] == [
        ("before", "ok"),
        ("hangs", "timeout"),
        ("after", "ok"),
    ]
    error = found[1]["error"]
    assert (error["issue_code"], error["line"]) == ("TIMEOUT", 1)


def test_a_limit_of_no_time_is_a_short_one():
    (found,) = ask([{"id": "hangs", "code": "while_true()", "timeout": 0}])
    assert found["status"] in {"timeout", "eval_error"}
    (found,) = ask(
        [{"id": "hangs", "code": "Integer[1, 1000000000].each |$n| { $n }", "timeout": -1}]
    )
    assert found["status"] == "timeout"


def catalog_of(**case):
    """The catalog of one request, by reference of its resources."""
    catalog = answered(do="catalog", **case)["catalog"]
    return {f"{one['type']}[{one['title']}]": one for one in catalog["resources"]}


def test_a_whole_catalog_keeps_references_apart_from_text():
    found = catalog_of(
        code="file { '/a': require => File['/b'], content => 'File[/b]' } file { '/b': }"
    )
    assert {"Stage[main]", "Class[main]", "Class[Settings]", "File[/a]", "File[/b]"} == set(found)
    assert found["File[/a]"]["parameters"] == {
        "require": {"__ptype": "Reference", "__pvalue": "File[/b]"},
        "content": "File[/b]",
    }


def test_references_in_hashes_and_secrets_are_kept():
    code = (
        "define d($h, $c) { } d { 'x': h => { 1 => File['/a'], 'k' => [Class['main']] }, "
        "c => Sensitive([File['/a']]) } file { '/a': }"
    )
    parameters = catalog_of(code=code)["D[x]"]["parameters"]
    file = {"__ptype": "Reference", "__pvalue": "File[/a]"}
    main = {"__ptype": "Reference", "__pvalue": "Class[Main]"}
    assert parameters["h"] == {"__ptype": "Hash", "__pvalue": [1, file, "k", [main]]}
    assert parameters["c"] == [file]


def test_exported_resources_are_a_catalog_of_their_own():
    code = "@@file { '/e': } @@file { '/f': } file { '/a': } File <<| title == '/f' |>>"
    assert set(catalog_of(code=code, exported=True)) == {"File[/e]", "File[/f]"}
    assert "File[/e]" not in catalog_of(code=code)


def test_node_parameters_are_variables_but_not_facts():
    code = "notify { \"${role} ${'role' in $facts}\": }"
    assert "Notify[web false]" in catalog_of(code=code, node_parameters={"role": "web"})


def test_an_error_of_a_whole_catalog_is_the_text_of_puppet():
    found = answered(do="catalog", code="fail('no')", node="n.example.com")
    assert found["catalog"] is None
    assert found["error"]["text"] == (
        "Evaluation Error: Error while evaluating a Function Call, no (line: 1, column: 1)"
        " on node n.example.com"
    )


@pytest.mark.parametrize(("given", "expected"), [("/other/hiera.yaml", "other"), (None, "default")])
def test_the_hiera_configuration_of_a_module_can_be_replaced(tmp_path, given, expected):
    module, other = tmp_path / "modules" / "m", tmp_path / "other"
    for folder, value in ((module, "own"), (other, "other")):
        (folder / "data").mkdir(parents=True)
        (folder / "data" / "common.yaml").write_text(f"m::x: {value}\n")
        (folder / "hiera.yaml").write_text(
            "version: 5\nhierarchy: [{name: common, path: common.yaml}]\n"
        )
    (module / "manifests").mkdir()
    (module / "manifests" / "init.pp").write_text("class m($x = 'default') { notify { $x: } }\n")
    case = {"code": "include m", "modulepath": [str(tmp_path / "modules")]}
    assert "Notify[own]" in catalog_of(**case)
    path = given and f"{tmp_path}{given}"
    assert f"Notify[{expected}]" in catalog_of(**case, module_hiera={"m": path})


def test_a_fact_without_a_value_is_undef_in_a_whole_catalog():
    code = "notify { \"${$facts['a'] =~ Undef} ${$facts['b']['c'] =~ Undef} ${$a =~ Undef}\": }"
    facts = {"a": None, "b": {"c": None}}
    assert "Notify[true true true]" in catalog_of(code=code, facts=facts)
    assert answered(code=code, facts=facts)["resources"][0]["title"] == "false false false"
