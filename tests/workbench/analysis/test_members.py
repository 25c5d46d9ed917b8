"""Keys that hashes do not have: in manifests, and in templates whose callers give the hash."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.workbench.analysis.analyse import analyse
from bunraku.world.dictionary import DictionaryWorld


def found(code, template=""):
    """The place and the hint of each finding about keys."""
    path = "/m/web/templates/web.conf.epp"
    world = DictionaryWorld({path: template.encode()})
    program = dialect_named("8").parse(Source(code, "/site.pp")).program
    findings = analyse(Request(modulepath=["/m"], world=world), [program])
    assert not [one for one in findings if one.severity == "error"]
    return [(one.file, one.line, one.hint) for one in findings if one.code == "UNKNOWN_MEMBER"]


MEANT = "did you mean 'port'?"


@pytest.mark.parametrize(
    "code",
    [
        "$c = { 'port' => 1 } notice($c['prot'])",
        "$c = { port => 1, user => 2 } notice(\"${c['prot']}\")",
        "class a(Struct[{ port => Integer, Optional[user] => String }] $c) { notice($c['prt']) }",
    ],
)
def test_misspelt_key_in_a_manifest(code):
    assert found(code) == [("/site.pp", 1, MEANT)]


@pytest.mark.parametrize(
    "code",
    [
        "$c = { 'port' => 1 } notice($c['port'], $c['user'])",
        "$c = { 'port' => 1 } + $facts notice($c['prot'])",
        "$c = { 'port' => 1, $facts['x'] => 2 } notice($c['prot'])",
        "class a(Hash $c = { 'port' => 1 }) { notice($c['prot']) }",
        "$c = { 'port' => 1 } [$facts].each |$c| { notice($c['prot']) }",
        "if $facts { $c = { 'port' => 1 } } else { $c = $facts } notice($c['prot'])",
    ],
)
def test_key_that_can_be_there(code):
    assert found(code) == []


CALL = "notice(epp('web/web.conf.epp', { 'c' => { 'port' => 1 } }))"


def test_misspelt_key_in_a_template():
    template = "<%- | Hash $c | -%>\n<%= $c['prot'] %>\n"
    where = [("/m/web/templates/web.conf.epp", 2, MEANT)]
    assert found(CALL, template) == where
    assert found(f"{CALL} {CALL}", template) == where
    variables = "$c = { 'port' => 1 } $all = { 'c' => $c } notice(epp('web/web.conf.epp', $all))"
    assert found(variables, template) == where


@pytest.mark.parametrize(
    "body",
    [
        "<%= $c['port'] %><%= $c['ports'] %>",  # both can be meant
        "<%= $c['user'] %>",
        "<% $x.each |$c| { %><%= $c['prot'] %><% } %>",
        "<%= $c[$x] %>",
    ],
)
def test_key_of_a_template_that_can_be_there(body):
    code = CALL.replace("{ 'c'", "{ 'x' => [$facts], 'c'")
    assert found(code, f"<%- | $x, $c | -%>\n{body}\n") == []
