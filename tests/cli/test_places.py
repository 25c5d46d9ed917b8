"""Where errors are reported, in every form of report."""

from __future__ import annotations

import json

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.usage import InvalidInput
from bunraku.cli.output.output import Paint
from bunraku.cli.report.findings import github_report, text_report
from bunraku.cli.report.invalid_input import invalid_input_text
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.jobs.batch import answer
from bunraku.jobs.facts_files import facts_in_option
from bunraku.jobs.finding_data import finding_data
from bunraku.jobs.sarif import sarif_report
from bunraku.world.dictionary import DictionaryWorld

FILES = {
    "/m/m/manifests/d.pp": b"define m::d($x) {\n  notify { $x['a']['b']: }\n}\n",
    "/m/m/manifests/e.pp": b"define m::e() {\n  m::d { 'in': x => {} }\n}\n",
}
SITE = "class site {\n  m::e { 'out': }\n}\ninclude site\n"


@pytest.fixture
def error():
    world = DictionaryWorld(FILES)
    request = Request(SITE, as_file="/site.pp", modulepath=["/m"], world=world)
    with pytest.raises(PuppetError) as caught:
        compile_catalog(request, lambda _: None)
    return caught.value


def test_text_leads_with_the_innermost_place(error):
    report = text_report(error, Paint(enabled=False))
    assert report.splitlines() == [
        (
            "/m/m/manifests/d.pp:2:12: error: Operator '[]' is not applicable to an Undef Value"
            " [OPERATOR_NOT_APPLICABLE]"
        ),
        "  2 |   notify { $x['a']['b']: }",
        "    |            ^^^^^^^^^^^^",
        "  hint: $x has no key 'a', or its value is undef",
        "  in M::D[in] declared at /m/m/manifests/e.pp:2",
        "  in M::E[out] declared at /site.pp:2",
    ]


def test_json_leads_with_the_innermost_place(error):
    data = finding_data(error.diagnostic)
    assert (data["file"], data["line"], data["column"]) == ("/m/m/manifests/d.pp", 2, 12)
    assert data["declarations"] == [
        {"resource": "M::D[in]", "file": "/m/m/manifests/e.pp", "line": 2},
        {"resource": "M::E[out]", "file": "/site.pp", "line": 2},
    ]


def test_sarif_and_github_lead_with_the_innermost_place(error):
    (result,) = json.loads(sarif_report(error))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"].endswith("/m/m/manifests/d.pp")
    assert place["region"]["startLine"] == 2
    related = [one["physicalLocation"]["artifactLocation"] for one in result["relatedLocations"]]
    assert [one["uri"].rpartition("/")[2] for one in related] == ["e.pp", "site.pp"]
    first = github_report(error).splitlines()[0]
    assert first.startswith("::error file=/m/m/manifests/d.pp,line=2,")
    assert "in M::D[in] declared at /m/m/manifests/e.pp:2" in first


def test_the_batch_protocol_keeps_what_puppet_reports(error):
    modules = {path.removeprefix("/m/"): text.decode() for path, text in FILES.items()}
    case = {"id": "1", "code": SITE, "as_file": True, "modules": modules}
    told = json.loads(answer(json.dumps(case).encode()))["error"]
    assert (told["file"], told["line"]) == ("/modules/m/manifests/e.pp", 2)
    assert (error.code, error.puppet_code) == ("OPERATOR_NOT_APPLICABLE", "RUNTIME_ERROR")
    assert told["issue_code"] == "RUNTIME_ERROR"


def test_the_batch_protocol_keeps_puppets_codes():
    case = {"id": "1", "code": "include nosuch"}
    assert json.loads(answer(json.dumps(case).encode()))["error"]["issue_code"] == "RUNTIME_ERROR"
    with pytest.raises(PuppetError) as caught:
        compile_catalog(Request("include nosuch"), lambda _: None)
    assert (caught.value.code, caught.value.puppet_code) == ("UNKNOWN_CLASS", "RUNTIME_ERROR")


def test_the_classifier_is_named_for_an_environment_that_is_missing():
    files = {"/e/production/manifests/site.pp": b"", "/nodes.yaml": b"{environment: prodction}"}
    settings = {"environmentpath": "/e", "node_terminus": "yaml", "external_nodes": "/nodes.yaml"}
    request = Request(node="web1", settings=settings, world=DictionaryWorld(files))
    with pytest.raises(PuppetError) as caught:
        compile_catalog(request, lambda _: None)
    assert caught.value.message == "Could not find environment 'prodction' in /e"
    assert caught.value.diagnostic.hint == (
        "the node classifier /nodes.yaml assigned environment 'prodction' to web1;"
        " did you mean 'production'?"
    )


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "f.yaml",
            "a: 1\nb: [1, 2\nc: 3\n",
            (
                ":3:2: Cannot read facts: not valid YAML: did not find expected ',' or ']' while parsing a flow sequence\n"
                "  3 | c: 3\n    |  ^"
            ),
        ),
        (
            "f.json",
            '{"a": 1,\n "b" 2}\n',
            ":2:6: Cannot read facts: not valid JSON: Expecting ':' delimiter\n  2 |  \"b\" 2}\n    |      ^",
        ),
        (
            "f.yaml",
            "- a\n",
            ":1:1: Cannot read facts: expected a Hash of facts, got an Array\n  1 | - a\n    | ^",
        ),
    ],
)
def test_a_broken_facts_file_shows_the_line(tmp_path, name, text, message):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(InvalidInput) as caught:
        facts_in_option(str(path))
    assert invalid_input_text(caught.value.error) == f"{path}{message}"
