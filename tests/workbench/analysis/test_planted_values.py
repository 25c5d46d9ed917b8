"""Wrong values and mistakes in data, planted into copies of Debian modules and a control repository.

Each plant is found by its code and line; the copies without the plants have no such finding.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.workbench.analysis.analyse import analyse
from support.planted import copied_modules

CONTROL = Path(__file__).parents[3] / "examples" / "control"
IN_MANIFESTS = [
    # (kind of mistake, code, plants)
    (
        "a literal of a class parameter",
        "INVALID_PARAMETERS",
        ["class { 'ntp': servers => 'a' }", "class { 'ntp': panic => 'high' }"],
    ),
    (
        "a literal of a parameter of a defined type",
        "INVALID_PARAMETERS",
        [
            "concat { '/p': mode => 644 }",
            "apt::key { 'p': ensure => 'presnt' }",
            "apt::pin { 'p': order => [50] }",
        ],
    ),
    (
        "a variable",
        "INVALID_PARAMETERS",
        [
            "$p = 'yes' apt::source { 'p': pin => true, allow_unsigned => $p }",
            "$p = { } concat { '/p': warn => $p }",
            "if $x { $p = 1 } else { $p = 2 } concat { '/p': path => $p }",
        ],
    ),
    (
        "an interpolated text or an operator",
        "INVALID_PARAMETERS",
        [
            "class { 'ntp': iburst_enable => \"${x}\" }",
            "class { 'ntp': iburst_enable => 1 + 2 }",
            "class { 'ntp': servers => $x == 1 }",
        ],
    ),
    (
        "the result of a call",
        "INVALID_PARAMETERS",
        [
            "class { 'ntp': iburst_enable => template('ntp/ntp.conf.erb') }",
            "class { 'ntp': servers => join(['a'], ',') }",
            "class { 'ntp': iburst_enable => lookup('x', String) }",
        ],
    ),
    (
        "a branch",
        "INVALID_PARAMETERS",
        [
            "class { 'ntp': servers => $x ? { 1 => [], default => 'a' } }",
            "class { 'ntp': iburst_enable => if $x { true } else { 'false' } }",
        ],
    ),
    (
        "a default",
        "INVALID_PARAMETERS",
        ["class planted(Boolean $a = 'true') { }", "define planted(Stdlib::Port $a = 70000) { }"],
    ),
    (
        "an argument",
        "TYPE_MISMATCH",
        ["$p = join('a', ',')", "$p = split(['a'], ',')", "$p = 'a'.map |$x| { $x }.keys"],
    ),
    (
        "a number of arguments or a lambda",
        "TYPE_MISMATCH",
        ["$p = join(['a'], ',', 'b')", "each([1])", "[1].map |$a, $b, $c| { 1 }"],
    ),
    (
        "the result of a function",
        "TYPE_MISMATCH",
        [
            "function planted() >> String { 1 }",
            "function planted($x) >> Integer { if $x { 1 } else { 'a' } }",
        ],
    ),
    (
        "the arguments of a function in Puppet",
        "ILLEGAL_ARGUMENT_COUNT",
        ["function planted($x) { 1 } planted(1, 2)", "function planted($x) { 1 } planted()"],
    ),
    (
        "the rest of the arguments of a function in Puppet",
        "TYPE_MISMATCH",
        ["function planted(Array[Integer] *$x) { 1 } planted([1])"],
    ),
    (
        "the default of a lookup",
        "TYPE_MISMATCH",
        [
            "$p = lookup('planted', Integer, 'first', 'a')",
            "$p = lookup('planted', { value_type => Boolean, default_value => 'no' })",
        ],
    ),
    (
        "the parameters of a template",
        "INVALID_TEMPLATE_PARAMETERS",
        ["$p = epp('planted/a.epp', { prot => 1 })", "$p = epp('planted/a.epp', { port => 'a' })"],
    ),
    (
        "a required parameter of a class",
        "MISSING_PARAMETER",
        ["class planted($x) { } class { 'planted': }"],
    ),
]
IN_DATA = [
    ("a value", "INVALID_PARAMETERS", ["chrony::servers: 5", "profile::base::owner: [a]"]),
    ("an unknown parameter", "HIERA_UNKNOWN_PARAMETER", ["profile::web::prot: 1"]),
    ("a key that nothing reads", "HIERA_UNUSED_KEY", ["planted: 1", "profile::wb::port: 1"]),
    (
        "an interpolation",
        "HIERA_UNKNOWN_KEY",
        ["nginx::user: \"%{lookup('none')}\"", "nginx::user: \"%{alias('none')}\""],
    ),
    ("a broken interpolation", "HIERA_INVALID_KEY", ["nginx::user: \"%{facts['os']}\""]),
    ("a function without quotes", "HIERA_BAD_INTERPOLATION", ['nginx::user: "%{lookup(a)}"']),
    ("options of no key", "HIERA_UNUSED_OPTIONS", ["lookup_options: { 'no::key': {} }"]),
    (
        "an unknown strategy",
        "HIERA_UNKNOWN_STRATEGY",
        ["lookup_options: { 'profile::web::port': { merge: dep } }"],
    ),
    ("a secret in a plain level", "HIERA_NOT_DECRYPTED", ["nginx::user: 'ENC[PKCS7,MIIB]'"]),
]


def test_number_of_plants():
    assert len(IN_MANIFESTS) + len(IN_DATA) >= 20
    assert sum(len(plants) for _, _, plants in [*IN_MANIFESTS, *IN_DATA]) >= 40


@pytest.fixture(scope="module")
def modulepath(tmp_path_factory):
    folder = copied_modules(tmp_path_factory.mktemp("modules"))
    templates = folder / "planted" / "templates"
    templates.mkdir(parents=True)
    (templates / "a.epp").write_text("<%- | Integer $port = 1 | -%>")
    return folder


@pytest.mark.parametrize(("kind", "code", "plants"), IN_MANIFESTS)
def test_mistakes_in_manifests(kind, code, plants, modulepath):
    manifests = sorted(modulepath.glob("apache/manifests/**/*.pp"))
    for number, plant in enumerate(plants):
        text = manifests[number].read_text()
        source = Source(f"{text}\n{plant}\n", str(manifests[number]))
        parse = dialect_named("8").parse
        request = Request(modulepath=[str(modulepath)])
        before = analyse(request, [parse(Source(text, source.path)).program])
        found = analyse(request, [parse(source).program])
        line = source.line(len(text) + 1)
        assert (code, line) in {(one.code, one.line) for one in found}, (kind, plant)
        assert code not in {one.code for one in before}


@pytest.mark.parametrize(("kind", "code", "plants"), IN_DATA)
def test_mistakes_in_data(kind, code, plants, tmp_path):
    shutil.copytree(CONTROL, tmp_path / "e")
    path = tmp_path / "e" / "data" / "datacentres" / "ams.yaml"
    request = Request(environment_directory=str(tmp_path / "e"))
    for plant in plants:
        path.write_text(f"\n\n{plant}\n")
        found = analyse(request, [], [str(path)])
        assert [(one.code, one.file, one.line) for one in found] == [(code, str(path), 3)], (
            kind,
            plant,
        )


def test_control_repository_has_no_mistakes():
    data = [str(path) for path in CONTROL.glob("data/**/*.yaml")]
    manifests = [*CONTROL.glob("*/*/manifests/*.pp"), *CONTROL.glob("manifests/*.pp")]
    parse = dialect_named("8").parse
    programs = [parse(Source(path.read_text(), str(path))).program for path in manifests]
    assert analyse(Request(environment_directory=str(CONTROL)), programs, data) == []
