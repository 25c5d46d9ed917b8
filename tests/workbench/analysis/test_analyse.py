"""Each rule on code that it reports, and on code that is right."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.modules.files import join
from bunraku.workbench.analysis.analyse import analyse
from bunraku.workbench.analysis.rules import EXAMPLE_DATA, EXAMPLE_MODULES, RULES
from bunraku.world.dictionary import DictionaryWorld


def findings(code, files=EXAMPLE_MODULES, language="8"):
    """The findings in a manifest beside the example modules: code, severity and hint."""
    world = DictionaryWorld({f"/m/{path}": text.encode() for path, text in files.items()})
    program = dialect_named(language).parse(Source(code, "/site.pp")).program
    request = Request(modulepath=["/m"], world=world, language=language)
    return [(one.code, one.severity, one.hint) for one in analyse(request, [program])]


def data_findings(text, file, files=()):
    """The findings in a file of an environment: code and severity."""
    given = {f"modules/{name}": one for name, one in EXAMPLE_MODULES.items()}
    given |= {**EXAMPLE_DATA, **dict(files), file: text}
    paths = {join("/e", name): one for name, one in given.items()}
    world = DictionaryWorld({path: one.encode() for path, one in paths.items()})
    request = Request(environment_directory="/e", world=world)
    manifest = Source(text, join("/e", file))
    programs = [dialect_named("8").parse(manifest).program] if file.endswith(".pp") else []
    found = analyse(request, programs, [path for path in paths if path.startswith("/e/")])
    return [(one.code, one.severity) for one in found]


@pytest.mark.parametrize("code", RULES)
def test_example_of_rule(code):
    rule = RULES[code]
    if rule.file == "manifests/site.pp":
        assert [found for found, _, _ in findings(rule.example)] == [code]
    else:
        ((found, severity),) = data_findings(rule.example, rule.file)
        assert (found, severity) == (code, rule.severity.split(";")[0])


@pytest.mark.parametrize(
    "code",
    [
        "include ntp, ::ntp\ncontain 'ntp'\nrequire Class['ntp']",
        "class { 'ntp': server => 'a', require => File['/a'] }",
        "ntp::pool { 'a': port => 1, tag => 'x' }",
        "ntp::pool { default: port => 1; ['a', 'b']: iface => 'x' }",
        "ntp::pool { 'a': * => $facts }",
        "@ntp::pool { 'a': }",
        "Ntp::Pool { port => 1 }\nntp::pool { 'a': }",
        "Ntp::Pool <| |> { port => 1 }\nntp::pool { 'a': }",
        "Ntp::Pool <| |> { * => $facts }\nntp::pool { 'a': }",
        "class role(Ntp::Port $p) { notice(ntp::servers(), $p.type) }",
        "define local($a) { notice($a) }\nlocal { 'x': a => 1 }\nLocal['x'] -> Class['ntp']",
        "function own() { 1 }\nnotice(own())",
        'include "ntp::${facts}"\n$facts { "a": b => 1 }',
        "class here inherits ntp { }\ninclude here",
        "notice(epp('ntp/ntp.conf.epp'), file('ntp/none', 'ntp/motd'), template('/etc/x', $facts))",
        "file { '/m': source => 'puppet:///modules/ntp/motd' }",
        "file { '/m': source => ['puppet:///ntp/none', 'puppet:///none/motd', 'puppet://s/ntp/motd'] }",
        "class r { if defined('$other') { notice($other) } elsif defined('$::more') { notice($more) } }",
        "Ntp::Pool <<| port == 1 and tag == 'a' or (iface != 'b' and title == 'c') |>>",
        "File <| ensure == present and backup == false |>",
        "create_resources('@ntp::pool', {})\ncreate_resources('@@file', {})",
        "create_resources('ntp::pool', {})\nnotice(Integer('3'), File['/a'])",
        "if $facts == 'a' or $facts =~ /b/ { include ntp } elsif $facts == 'c' { include ntp }",
        "if rand() == rand() { include ntp } elsif rand() == 1 { fail('x') }\nfunction rand() { 1 }",
        "case $facts { 'a': { fail('x') } 'b': { } default: { return() } }\ninclude ntp",
        "case $facts { 'a', /b/: { } /a/, Any: { } default: { } }",
        "case true { $facts['a']: { } $facts['b']: { } default: { } }",
        "class r(Boolean $b) { notice($b ? { true => 1, false => 2 }) case $b { default: { } } }",
        "class r(Enum[a, b] $e) { case $e { /./: { } } notice($e ? { $facts => 1 }) }",
        "notice($facts ? { true => 1, false => 2 }, 'a' < 'b')",
        "fail('x')\nclass late { }",
        "if $facts { $a = 1 } else { $a = 2 }\nnotice($a)",
        "if $facts { File['/a'] -> File['/b'] } else { File['/b'] -> File['/a'] }",
        "file { '/a': } -> file { '/b': } -> file { '/c': require => File['/a'] }",
        "create_resources('ntp::pool', { 'a' => { iface => 'a' }, $facts['a'] => $facts }, { port => 1 })",
        "create_resources('ntp::pool', $facts)\nensure_resource('ntp::pool', 'a', {})",
        "create_resources($facts['type'], { 'a' => { port => 'b' } })",
        "notice($facts['a'] / 2, '0x1F' + 1, '1e3' * 2)",
        "class a { include b }\nclass b { include c require c }\nclass c { }",
        "define d() { file { $title: require => File['/a'] } file { '/a': before => D['x'] } }",
        "notice(epp('ntp/pool', { 'port' => 1 }), epp('ntp/pool.epp', $facts))",
        "notice(epp('ntp/ntp.conf.epp', { 'any' => 1 }))",
        "$osfamily = 1\nnotice($osfamily, $facts['os'], $facts['os']['family'])",
        "case $facts { 1: { $a = 1 } default: { $a = 2 } }\nnotice($a)",
        "class r { if $facts { $a = 1 } notice($a, $title, $name, $module_name, $ntp::server) }",
        "class r inherits ntp { notice($server) }",
        "class r { $a = 1 }\nclass s inherits r { notice($a) }",
        "class r { $a = 1 }\nclass s { notice($r::a) }",
        "class r($a) { $b = 1 notice(inline_template('<%= @a + @b %>')) }",
        "class r($a) { notice(getvar('a')) }\nclass s($a) { notice(getvar($title)) }",
        "class r($a) { if defined('$a') { include ntp } }",
        "class r($_a) { {}.each |$k, $v| { notice($k) } }",
        "notice($kernel, $::kernel, $::role, $trusted, $settings::confdir)",
        "$top = 1\nclass r { notice($top) }\nnode default { $n = 1 include r }\nclass q { notice($n) }",
        "define d($name_, $x = $name_) { [1].each |$i| { notice($i + $x) } }",
        "[[1]].each |$a| { $a.each |$b| { notice($a, $b) } }\n[1].each |$b| { notice($b) }",
        "if $kernel =~ /(a)$facts/ { notice($1, $0) }",
        "function f(Hash $options, Puppet::LookupContext $context) { {} }",
    ],
)
def test_right_code_has_no_findings(code):
    assert findings(code) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("include ntp::pol", ("UNKNOWN_CLASS", "error")),
        ("include ntp::pool", ("UNKNOWN_CLASS", "error")),
        ("class a inherits ntp::prams { }", ("UNKNOWN_CLASS", "error")),
        ("['ntp::x'].include", ("UNKNOWN_CLASS", "error")),
        ("class { ['ntp', 'ntp::x']: }", ("UNKNOWN_CLASS", "error")),
        ("ntp { 'a': }", ("UNKNOWN_RESOURCE_TYPE", "error")),
        ("create_resources('ntp::pol', {})", ("UNKNOWN_RESOURCE_TYPE", "error")),
        ("notcie('a')", ("UNKNOWN_FUNCTION", "error")),
        ("$facts.eech |$_y| { }", ("UNKNOWN_FUNCTION", "error")),
        ("ntp::pool { 'a': port => 1, prot => 2 }", ("UNKNOWN_PARAMETER", "error")),
        ("file { '/a': ensur => file }", ("UNKNOWN_PARAMETER", "error")),
        ("Ntp::Pol['a'] -> Class['ntp']", ("UNKNOWN_TYPE", "warning")),
        ("class a(Strin $_x) { }", ("UNKNOWN_TYPE", "warning")),
        ("class a(Array[Ntp::Prot] $_x) { }", ("UNKNOWN_TYPE", "error")),
        ("ntp::pool { 'a': }", ("MISSING_PARAMETER", "warning")),
        ("notice(template('ntp/x.erb'))", ("FILE_NOT_FOUND", "error")),
        ("notice(file('ntp/x'))", ("FILE_NOT_FOUND", "error")),
        ("file { '/m': source => 'puppet:///modules/ntp/x' }", ("FILE_NOT_FOUND", "warning")),
        (
            "file { '/m': source => ['/m', 'puppet:///ntp/motd'] }",
            ("SOURCE_WITHOUT_MODULES", "warning"),
        ),
        ("Ntp::Pool <| prot == 1 |>", ("UNKNOWN_QUERY_ATTRIBUTE", "warning")),
        ("File <| tag == 'a' and modes == '1' |>", ("UNKNOWN_QUERY_ATTRIBUTE", "warning")),
        ("class { 'ntp::inner': }", ("PRIVATE_NAME", "warning")),
        ("include apache, apache::mod", ("MODULE_NOT_INSTALLED", "warning")),
        ("class a inherits b { }\nclass b inherits a { }", ("INHERITANCE_CYCLE", "error")),
        ("class a { require b }\nclass b { require ::a }", ("CLASS_CYCLE", "warning")),
        (
            "create_resources('ntp::pool', { 'a' => { port => 1, ifac => 'a' } })",
            ("UNKNOWN_PARAMETER", "error"),
        ),
        (
            "create_resources(ntp::pool, { 'a' => {} }, { iface => 'a' })",
            ("MISSING_PARAMETER", "warning"),
        ),
        (
            "create_resources('class', { 'ntp' => { 'server' => 1 } })",
            ("INVALID_PARAMETERS", "error"),
        ),
        (
            "create_resources('@ntp::pool', { 'a' => { port => 'b' } })",
            ("INVALID_PARAMETERS", "warning"),
        ),
        (
            "ensure_resource('file', ['/a', '/b'], { 'mod' => '0644' })",
            ("UNKNOWN_PARAMETER", "error"),
        ),
        (
            "ensure_resources('file', { '/a' => { 'mod' => '0644' } })",
            ("UNKNOWN_PARAMETER", "error"),
        ),
        ("stdlib::ensure_packages('a', { ensur => held })", ("UNKNOWN_PARAMETER", "error")),
        ("ensure_packages({ 'a' => { ensur => held } })", ("UNKNOWN_PARAMETER", "error")),
        ("notice('1' + -1, 'a' * 2)", ("NOT_NUMERIC", "error")),
        ("class a(Integer $b) { notice($b % 0) }", ("DIV_BY_ZERO", "error")),
        (
            "class a { if $facts['x'] { contain b } }\nclass b { include ::a }",
            ("INCLUDE_CYCLE", "warning"),
        ),
        ("file { '/a': before => File['/a'] }", ("DEPENDENCY_CYCLE", "warning")),
        ("class r { file { '/a': require => Class['r'] } }", ("DEPENDENCY_CYCLE", "warning")),
        (
            "file { ['/a', '/b']: } -> exec { '/c': } ~> File['/b']",
            ("DEPENDENCY_CYCLE", "warning"),
        ),
        (
            "file { '/a': } -> file { '/b': }\nif $facts { File['/b'] -> File['/a'] }",
            ("DEPENDENCY_CYCLE", "warning"),
        ),
        (
            "file { '/a': } <- file { '/b': }\n@file { '/c': before => File['/b'], require => File['/a'] }",
            ("DEPENDENCY_CYCLE", "warning"),
        ),
        ("notice($osfamily)", ("LEGACY_FACT", "warning")),
        ("notice($::osfamily)", ("LEGACY_FACT", "warning")),
        ('notice("${facts[ipaddress_eth0]}")', ("LEGACY_FACT", "warning")),
        ("notice(extlookup('x'))", ("REMOVED_FUNCTION", "error")),
        ("notice(validate_string('x'))", ("REMOVED_FUNCTION", "error")),
        ("notice($oss)", ("UNKNOWN_VARIABLE", "warning")),
        ("notice($b)\n$b = 1", ("UNKNOWN_VARIABLE", "warning")),
        (
            "function f() { notice($ntp) }\n$ntp_ = 1\nnotice($ntp_)",
            ("UNKNOWN_VARIABLE", "warning"),
        ),
        ("notice($ntp::sever)", ("UNKNOWN_VARIABLE", "error")),
        ("notice($::ntp::sevr::server)", ("UNKNOWN_VARIABLE", "error")),
        ("notice($::osfamly)", ("UNKNOWN_VARIABLE", "warning")),
        ("notice([1].map |$i| { $i + $j })", ("UNKNOWN_VARIABLE", "warning")),
        ("define d($a) { $a = 1 notice($a) }", ("ILLEGAL_REASSIGNMENT", "error")),
        ("define d() { $title = 1 }", ("ILLEGAL_REASSIGNMENT", "error")),
        (
            "class r { $a = 1 if $facts { $a = 2 } notice($a) }",
            ("ILLEGAL_REASSIGNMENT", "error"),
        ),
        ("class r { [1].each |$i| { $x = $i } }", ("UNUSED_VARIABLE", "warning")),
        ("function f($a, $b) { $a }", ("UNUSED_PARAMETER", "warning")),
        ("[1].each |$i| { include ntp }", ("UNUSED_PARAMETER", "warning")),
        (
            "define d($a) { [1].each |$i| { $a = $i notice($a) } notice($a) }",
            ("SHADOWED_VARIABLE", "warning"),
        ),
        ("if true { include ntp }", ("CONSTANT_CONDITION", "warning")),
        ("unless '' { include ntp }", ("CONSTANT_CONDITION", "warning")),
        ("if 1 == '1' { include ntp }", ("CONSTANT_CONDITION", "warning")),
        ('if $facts["a"] and "${facts}" { include ntp }', ("CONSTANT_CONDITION", "warning")),
        ('if "${facts}" == 1 { include ntp }', ("CONSTANT_CONDITION", "warning")),
        ("if !('a' =~ /b/) { include ntp }", ("CONSTANT_CONDITION", "warning")),
        ("if 'a' > 1 { include ntp }", ("COMPARISON_NOT_POSSIBLE", "error")),
        ("$facts.each |$x| { notice($x) next() notice($x) }", ("UNREACHABLE_CODE", "warning")),
        (
            "class r { if $facts { fail('a') } else { return() } include ntp }",
            ("UNREACHABLE_CODE", "warning"),
        ),
        (
            "class r { case $facts { 1: { fail('a') } default: { fail('b') } } include ntp }",
            ("UNREACHABLE_CODE", "warning"),
        ),
        ("case $facts { 'a': { } 'b', 'A': { } default: { } }", ("UNREACHABLE_OPTION", "warning")),
        ("notice($facts ? { Any => 1, 'a' => 2 })", ("UNREACHABLE_OPTION", "warning")),
        ("case $facts { /a/: { } 'cab': { } default: { } }", ("UNREACHABLE_OPTION", "warning")),
        (
            "if $facts { include ntp } elsif $facts { require ntp }",
            ("UNREACHABLE_OPTION", "warning"),
        ),
        (
            "class r(Optional[Enum['a', 'b']] $e) { case $e { 'a': { } /b/: { } } }",
            ("MISSING_OPTION", "warning"),
        ),
        ("class r(Enum[a, b] $e) { notice($e ? { 'a' => 1 }) }", ("MISSING_OPTION", "warning")),
        ("notice($facts ? { 'a' => 1, /b/ => 2 })", ("SELECTOR_WITHOUT_DEFAULT", "warning")),
    ],
)
def test_mistakes(code, expected):
    assert [found[:2] for found in findings(code)] == [expected]


def test_unknown_names_have_a_suggestion():
    (found,) = findings("ntp::pol { 'a': }")
    assert found[2].startswith("did you mean 'ntp::pool'?")


def test_unqualified_names_are_uncertain_if_a_dependency_is_missing():
    metadata = (
        '{"name": "a-ntp", "version": "1.0.0", "author": "a", "license": "x", "source": "x",'
        ' "dependencies": [{"name": "puppetlabs/concat"}]}'
    )
    files = {**EXAMPLE_MODULES, "ntp/metadata.json": metadata}
    assert [found[:2] for found in findings("concatt('a')", files)] == [
        ("UNKNOWN_FUNCTION", "warning")
    ]


def test_control_comments_suppress_findings_about_variables():
    code = "class r($a) { # lint:ignore:UNUSED_PARAMETER kept for old callers\ninclude ntp }"
    assert findings(code) == []


def test_names_of_a_module_with_broken_files_are_not_checked():
    files = {**EXAMPLE_MODULES, "ntp/manifests/init.pp": "class ntp( {"}
    assert findings("include ntp::x", files) == []


def test_relative_names_of_puppet_3():
    files = {**EXAMPLE_MODULES, "ntp/manifests/a.pp": "class ntp::a { }"}
    code = "class ntp::b { include a }"
    assert findings(code, files, "3.8") == []
    assert [found[0] for found in findings(code, files)] == ["MODULE_NOT_INSTALLED"]


def test_an_empty_string_is_false_in_puppet_3():
    code = "class role { if '' { include ntp } }"
    world = DictionaryWorld({"/m/ntp/manifests/init.pp": b"class ntp { }"})
    program = dialect_named("3.8").parse(Source(code, "/site.pp")).program
    (found,) = analyse(Request(modulepath=["/m"], world=world, language="3.8"), [program])
    assert found.message == "This condition is always false"


def test_names_in_templates_data_and_ruby_code_are_used():
    files = {
        **EXAMPLE_MODULES,
        "ntp/templates/a.erb": "<%= @one %><%= scope['two'] %><%= scope.lookupvar('r::four') %>",
        "ntp/lib/puppet/parser/functions/f.rb": "lookupvar('three')",
        "ntp/data/common.yaml": "a: '%{r::five}'",
        "ntp/lib/facter/own.rb": "Facter.add(:own_fact) { }",
    }
    code = """
class r { $four = 1 $five = 2 $six = 3 }
class s($one, $two) { notice(template('ntp/a.erb'), $own_fact) $ten = 1 }
"""
    found = findings(code, files)
    assert [one[0] for one in found] == ["UNUSED_VARIABLE", "UNUSED_VARIABLE"]


def test_other_modules_use_variables():
    files = {**EXAMPLE_MODULES, "x/manifests/init.pp": "class x { notice($r::a) }"}
    assert findings("class r { $a = 1 }", files) == []


def test_without_strict_variables_an_unknown_variable_is_a_warning():
    world = DictionaryWorld({f"/m/{path}": text.encode() for path, text in EXAMPLE_MODULES.items()})
    program = dialect_named("8").parse(Source("notice($ntp::sever)", "/site.pp")).program
    settings = {"strict_variables": False, "strict": "warning"}
    (found,) = analyse(Request(modulepath=["/m"], world=world, settings=settings), [program])
    assert (found.severity, found.hint) == ("warning", "did you mean '$ntp::server'?")


def test_variables_in_erb_templates():
    template = """<%= @server %> <%= @port %>
<% if @sevrer %><% @own = 1 %><%= @own %><% end %><%= scope['other'] %>
<%= scope.lookupvar('asked') if has_variable?('asked') %><%= @kernel %>
"""
    files = {**EXAMPLE_MODULES, "ntp/templates/a.erb": template}
    code = "class r($server, $port) { [1].each |$i| { notice(template('ntp/a.erb'), $i) } }"
    found = [one for one in findings(code, files) if one[0] == "UNKNOWN_VARIABLE"]
    assert [hint for *_, hint in found] == [None, "did you mean '@server'?"]


def test_one_caller_that_sets_the_variable_of_a_template_is_enough():
    files = {**EXAMPLE_MODULES, "ntp/templates/a.erb": "<%= @x %>"}
    code = """class r($x) { notice(template('ntp/a.erb')) }
class s { notice(template('ntp/a.erb')) }"""
    assert findings(code, files) == []


def test_legacy_facts_are_named_in_templates_with_their_replacement():
    files = {**EXAMPLE_MODULES, "ntp/templates/a.erb": "<%= @osfamily %>"}
    found = findings("class r { notice(template('ntp/a.erb')) }", files)
    assert found == [("LEGACY_FACT", "warning", "use @facts['os']['family']")]


@pytest.mark.parametrize("settings", [{"include_legacy_facts": True}, None])
def test_legacy_facts_are_sent_if_the_settings_say_so(settings):
    program = dialect_named("8").parse(Source("notice($osfamily)", "/site.pp")).program
    request = Request(world=DictionaryWorld({}), settings=settings or {})
    assert (analyse(request, [program]) == []) == (settings is not None)


def test_variables_of_epp_templates():
    text = "<%- | $port, $unused | -%><%= $port %> <%= $prt %> <%= $ntp::server %>"
    source = Source(text, "/m/ntp/templates/x.epp", is_template=True)
    program = dialect_named("8").parse(source).program
    world = DictionaryWorld({f"/m/{path}": one.encode() for path, one in EXAMPLE_MODULES.items()})
    found = analyse(Request(modulepath=["/m"], world=world), [program])
    assert [(one.code, one.arguments["name"]) for one in found] == [
        ("UNKNOWN_VARIABLE", "prt"),
        ("UNUSED_PARAMETER", "unused"),
    ]


def test_values_of_an_alias_are_those_of_its_type():
    files = {**EXAMPLE_MODULES, "ntp/types/state.pp": "type Ntp::State = Enum['up', 'down']"}
    code = "class role(Ntp::State $state) { case $state { 'up': { } } }"
    assert [found[0] for found in findings(code, files)] == ["MISSING_OPTION"]


@pytest.mark.parametrize("name", ["UNKNOWN_CLASS", "unknown_class"])
def test_control_comments_suppress(name):
    assert findings(f"include ntp::x # lint:ignore:{name} generated") == []
    assert len(findings("include ntp::x # lint:ignore:UNKNOWN_TYPE")) == 1


def test_functions_and_types_of_bolt_are_known_in_plans_only():
    def found(code):
        program = dialect_named("8").with_syntax(tasks=True).parse(Source(code, "/up.pp")).program
        world = DictionaryWorld({f"/m/{path}": b"" for path in EXAMPLE_MODULES})
        return [one.code for one in analyse(Request(modulepath=["/m"], world=world), [program])]

    assert found("plan ntp::up(TargetSpec $on) { run_task('x', $on) return($on) }") == []
    assert found("plan ntp::up() { ntp::serves() }") == ["UNKNOWN_FUNCTION"]
    outside = found("function ntp::up(TargetSpec $_on) { run_task('x') }")
    assert sorted(outside) == ["UNKNOWN_FUNCTION", "UNKNOWN_TYPE"]
