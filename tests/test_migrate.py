"""Migration: each manifest of ``tests/migrate`` has one pitfall; its head has the expected findings.

``# rules:`` lists every finding with its line, ``# facts:`` and ``# node:`` are the known data of
the node. With the edits, Puppet 8 gives the catalog that Puppet 3 gave.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from pickle import dumps, loads

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.nodes import Task
from bunraku.migrate.rules import RULES
from bunraku.migrate.run import migrate, run_old
from support.migration import EXAMPLES, Example


@pytest.fixture(scope="module")
def migrations():
    return {example.name: migrate([example.request()], "3.8") for example in EXAMPLES}


def names(example: Example) -> str:
    return example.name


@pytest.mark.parametrize("example", EXAMPLES, ids=names)
def test_finds_the_pitfall_and_nothing_else(example, migrations):
    found = sorted((item.rule.id, item.span.line) for item in migrations[example.name].findings)
    assert found == sorted(example.rules)


@pytest.mark.parametrize("example", EXAMPLES, ids=names)
def test_something_differs_without_the_edits(example, migrations):
    (outcome,) = migrations[example.name].outcomes
    assert outcome.failure is None
    assert outcome.refusal is not None or outcome.difference


@pytest.mark.parametrize("example", EXAMPLES, ids=names)
def test_the_catalog_is_the_same_with_the_edits(example, migrations):
    (outcome,) = migrations[example.name].outcomes
    assert outcome.remaining_refusal is None
    assert outcome.remaining is not None
    assert not outcome.remaining


@pytest.mark.parametrize("example", EXAMPLES, ids=names)
def test_edits_keep_comments_and_other_lines(example, migrations):
    edited = migrations[example.name].edited[str(example.path)]
    heads = [line for line in example.text.splitlines() if line.startswith("#")]
    assert [line for line in edited.splitlines() if line.startswith("#")] == heads


def test_there_are_thirty_pitfalls():
    assert len(EXAMPLES) >= 30
    assert {rule for example in EXAMPLES for rule, _ in example.rules} <= set(RULES)


def test_code_without_pitfalls_has_no_findings(migrate_code):
    found = migrate_code(
        """
        class web($port = 80, $hosts = ['a', 'b']) {
          if $port { notify { "port ${port}": } }
          file { '/srv': ensure => directory, mode => '0755', owner => "root" }
          $name_of = $port ? { 80 => 'http', default => 'other' }
          notify { $hosts: message => "is ${name_of}", require => File['/srv'] }
        }
        include web
        """
    )
    assert not found.findings
    assert not found.changed


@pytest.fixture
def migrate_code():
    def run(code: str, old: str = "3.8", **more):
        return migrate([Example.code_request(code, **more)], old)

    return run


def test_what_the_old_language_refuses_is_trouble(migrate_code):
    found = migrate_code("notify { 'a': } notify { 'a': }")
    assert found.failed
    assert isinstance(found.outcomes[0].failure.message, str)


def test_from_seven_flat_facts_and_strictness(migrate_code):
    facts = {"osfamily": "Debian", "os": {"family": "Debian"}}
    code = "notify { \"${::osfamily}\": message => $facts['osfamily'] }\n$x = $nope\n"
    found = migrate_code(code, "7", facts=facts)
    assert [item.rule.id for item in found.findings] == [
        "legacy-facts",
        "legacy-facts",
        "unknown-variable",
    ]
    assert found.edited[""] == (
        "notify { \"${facts['os']['family']}\": message => $facts['os']['family'] }\n"
        "$x = getvar('nope')\n"
    )
    assert not found.outcomes[0].remaining


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("notify { 'x': message => '1' + 1 }", "coerced-strings"),
        ("$h = { 'a' => 1, 'a' => 2 } notify { 'x': message => $h['a'] }", "duplicate-keys"),
    ],
)
def test_from_seven(code, rule, migrate_code):
    assert [item.rule.id for item in migrate_code(code, "7").findings] == [rule]


@pytest.mark.parametrize("example", EXAMPLES, ids=names)
def test_what_a_run_finds_survives_the_way_from_another_process(example):
    run = run_old("3.8", "8", Task(example.request()))
    copy = loads(dumps(run))
    assert copy.catalog == run.catalog
    assert [(path, one.text) for path, one in copy.sources.items()] == [
        (path, one.text) for path, one in run.sources.items()
    ]
    both = list(zip(copy.findings.in_order(), run.findings.in_order(), strict=True))
    assert both
    for ours, theirs in both:
        assert ours.rule is theirs.rule
        for name in ("key", "old", "new", "values", "edits", "copied"):
            assert getattr(ours, name) == getattr(theirs, name)


def test_values_of_every_node_are_seen():
    requests = [
        Example.code_request("if $::x == '1.0' { notify { 'one': } }", facts={"x": value})
        for value in ("1", "2")
    ]
    found = migrate(requests, "3.8")
    assert [item.values for item in found.findings] == [("'1'", "'1.0'")]


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("$h = { 'a' => '1' } notify { \"x ${h}\": }", "hash-to-string"),
        ("notify { 'x': message => fqdn_rand('60') }", "random-numbers"),
        ("notice(['a', 'b'])", "log-messages"),
        ("Notify { message => 010 } notify { 'x': }", "number-literals"),
        ("notify { 'x': } Notify['x'] { message => 010 }", "number-literals"),
        ("class a { } class a { } include a", "refused"),
        ("Notify { message => ['x'] } notify { 'x': }", "single-element-arrays"),
        ("$f = File['/a'] notify { \"x ${f}\": }", "value-to-string"),
    ],
)
def test_more_rules(code, rule, migrate_code):
    assert [item.rule.id for item in migrate_code(code).findings] == [rule]


def test_one_refusal_is_told_once(migrate_code):
    found = migrate_code("$a = ['x']\n$b = $a\n$b[1] = 'y'\n")
    assert [item.rule.id for item in found.findings] == ["element-assignment"]
    assert not found.findings[0].fixed


def test_every_rule_is_shown_or_tested():
    text = Path(__file__).read_text(encoding="utf-8")
    shown = {rule for example in EXAMPLES for rule, _ in example.rules}
    of_8 = list(RULES)[: list(RULES).index("regsubst-encoding")]  # test_migrate_9.py has the rest
    missing = {id_ for id_ in of_8 if id_ not in shown and f'"{id_}")' not in text}
    assert missing == {"strict-mode"}


def test_errors_of_ours_are_none(migrate_code):
    try:
        migrate_code("class {")
    except PuppetError:
        pytest.fail("a migration reports errors, it does not raise them")


def test_page_is_current():
    tool = import_module("tools.write_migration_page")
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(), (
        "run tests/tools/write_migration_page.py"
    )


STATEMENTS = {
    "truth-of-empty-string": "S1-6",
    "empty-string-is-undef": "S1-17",
    "number-strings-compare": "S1-68",
    "numeric-strings-arithmetic": "S1-68",
    "number-literals": "S1-68",
    "coerced-strings": "S1-68",
    "title-kinds": "S1-68",
    "match-not-text": "S1-89",
    "text-index": "S1-78",
    "facts-change-type": "S1-8",
    "unknown-variable": "S1-17",
    "interpolated-words": "S1-41",
    "legacy-facts": "S3-31",
    "append": "S3-9",
    "escapes-single-quotes": "S1-30",
    "escapes-double-quotes": "S1-35",
    "capitalised-words": "S1-25",
    "words-with-digits": "S1-25",
    "reserved-words": "S1-24",
    "lower-case-references": "S1-59",
    "space-before-bracket": "S1-78",
}
"""Rule → the statement of the reference texts that it comes from (README.md explains the names)."""


def test_the_statements_of_rules_are_those_of_the_texts():
    names = (Path(__file__).parent / "data" / "statements.txt").read_text(encoding="utf-8").split()
    assert set(STATEMENTS) <= set(RULES)
    assert set(STATEMENTS.values()) <= set(names)


def test_rules_of_the_texts_name_the_page_of_the_manual():
    pages = {"S1": "Puppet 3.8 manual, Data types", "S3": "Puppet 3.4 manual, Variables"}
    shown = {id_: rule.manual for id_, rule in RULES.items() if rule.manual is not None}
    assert shown == {id_: pages[name[:2]] for id_, name in STATEMENTS.items()}


OLD_FACTS = {
    "is_virtual": "true",
    "osfamily": "Debian",
    "processorcount": "4",
    "interfaces": "eth0,lo",
    "ipaddress_eth0": "192.0.2.1",
    "custom": "x",
}
"""As a Puppet 3 server stores them: all text, none structured."""


def test_facts_of_a_puppet_3_server_are_text(migrate_code):
    code = """
        if $::is_virtual == 'true' { notify { 'virtual': } }
        if $::osfamily == 'Debian' { notify { "on ${::ipaddress_eth0} ${::custom}": } }
        if $::processorcount > 2 { notify { 'big': } }
    """
    found = migrate_code(code, facts=OLD_FACTS)
    assert sorted({(item.rule.id, item.span.line) for item in found.findings}) == [
        ("facts-change-type", 2),
        ("legacy-facts", 3),
        ("legacy-facts", 4),
        ("number-strings-compare", 4),
    ]
    assert (
        found.edited[""]
        == """
        if "${::is_virtual}" == 'true' { notify { 'virtual': } }
        if $facts['os']['family'] == 'Debian' { notify { "on ${facts['networking']['interfaces']['eth0']['ip']} ${::custom}": } }
        if Numeric($facts['processors']['count']) > 2 { notify { 'big': } }
    """
    )
    assert not found.refutations()


TEMPLATE = """\
<%# osfamily is a comment %>
name <%= osfamily.downcase %> <%= @osfamily %>
<% x = port -%>
<% if has_variable?('port') and port -%>
<%= x %> <%= scope.lookupvar('::osfamily') %> <%= scope['osfamily'] %> <%= name_of %>
<% end -%>
<% [1].each do |port_of| %><%= port_of %><% end %>
"""
EDITED_TEMPLATE = """\
<%# osfamily is a comment %>
name <%= @facts['os']['family'].downcase %> <%= @facts['os']['family'] %>
<% x = @port -%>
<% if has_variable?('port') and @port -%>
<%= x %> <%= @facts['os']['family'] %> <%= @facts['os']['family'] %> <%= @name_of %>
<% end -%>
<% [1].each do |port_of| %><%= port_of %><% end %>
"""


def test_names_in_templates(tmp_path, migrate_code):
    path = tmp_path / "x.erb"
    path.write_text(TEMPLATE)
    code = (
        "class web($port = 80) { $name_of = 'x' $port_of = 1 "
        f"notify {{ 'x': message => template('{path}') }} }} include web"
    )
    found = migrate_code(code, facts=OLD_FACTS)
    lines = [(item.span.line, item.rule.id) for item in found.findings]
    assert lines.count((2, "template-names")) == 1
    assert {rule for _, rule in lines} == {"template-names", "legacy-facts"}
    assert found.edited == {str(path): EDITED_TEMPLATE}
    assert not found.refutations()


def test_a_variable_of_the_calling_scope_has_no_edit(tmp_path, migrate_code):
    """Puppet 8 templates do not see the variables of the class that declares theirs."""
    path = tmp_path / "x.erb"
    path.write_text("<%= outer %>\n")
    code = (
        f"class inner {{ notify {{ 'x': message => template('{path}') }} }}"
        " class caller { $outer = 'o' include inner } include caller"
    )
    found = migrate_code(code)
    (finding,) = [item for item in found.findings if item.rule.id == "template-names"]
    assert finding.edits == ()
