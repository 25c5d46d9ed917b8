"""Values of Puppet's own resource types: what is found in code, and what may be right."""

from __future__ import annotations

import pytest

from bunraku.base.source import Source
from bunraku.dialects.languages import dialect_named
from bunraku.engine.request import Request
from bunraku.world.dictionary import DictionaryWorld
from support.analysis import analysed_values

FILES = {
    "a/manifests/define.pp": "define a::define($ensure) { }",
    "vcsrepo/lib/puppet/type/vcsrepo.rb": "Puppet::Type.newtype(:vcsrepo) { newparam(:path) }",
}


def findings(code, language="8"):
    """The findings about values: line, severity, message."""
    world = DictionaryWorld({f"/m/{path}": text.encode() for path, text in FILES.items()})
    program = dialect_named(language).parse(Source(code, "/site.pp")).program
    request = Request(modulepath=["/m"], world=world, language=language)
    found = analysed_values(request, [program])
    return [(one.line, one.severity, one.message) for one in found if one.code == CODE]


CODE = "INVALID_RESOURCE_VALUE"
STARTED = 'Parameter ensure failed on Service[{}]: Invalid value "started". Valid values are '


@pytest.mark.parametrize(
    ("code", "line", "title"),
    [
        ("service { 'a':\n  ensure => started }", 2, "a"),
        ("$state = 'started'\nservice { 'a': ensure => $state }", 2, "a"),
        ("service { $x: ensure => started }", 1, "…"),
        ("service { ['a', 'b']: ensure => started }", 1, "…"),
        ("service { 'a':\n  ensure => if $x { 'running' } else { 'started' } }", 2, "a"),
        ("$all = { 'ensure' => 'started' }\nservice { 'a': * => $all }", 1, "a"),
        ("service { 'a':\n  * => { 'ensure' => 'started' } }", 2, "a"),
        ("create_resources('service', { 'a' => {\n'ensure' => 'started' } })", 2, "a"),
        ("ensure_resource('service', 'a', { 'ensure' => 'started' })", 1, "a"),
        (
            "define d(Enum['started', 'begun'] $state) {\nservice { 'a': ensure => $state } }",
            2,
            "a",
        ),
    ],
)
def test_wrong_value_of_a_service(code, line, title):
    ((found_line, severity, message),) = findings(code)
    assert (found_line, severity) == (line, "error")
    assert message.startswith(STARTED.format(title))


@pytest.mark.parametrize(
    ("code", "severity"),
    [
        ("@service { 'a': ensure => started }", "warning"),
        ("Service { ensure => started }", "warning"),
        ("service { 'a': ensure => running }\nService['a'] { ensure => started }", "warning"),
        ("Service <| |> { ensure => started }", "warning"),
        ("service { default: ensure => started; 'a': ensure => running }", "warning"),
        ("service { 'a': ensure => started }\nService <| |> { ensure => running }", "warning"),
        ("service { 'a': ensure => started }\nService <| |> { enable => true }", "error"),
    ],
)
def test_value_that_may_not_be_used(code, severity):
    assert [severity for _, severity, _ in findings(code)] == [severity]


@pytest.mark.parametrize(
    "code",
    [
        "file { '/a': mode => 0644 }",
        "file { '/a': mode => '0698' }",
        "file { 'a': ensure => file }",
        "file { $x: path => 'a' }",
        "exec { '/bin/true': refreshonly => 'perhaps' }",
        "cron { 'a': hour => 25 }",
        "cron { 'a': hour => [1, 25] }",
        "user { 'a': ensure => exists }",
        "notify { 'a': noop => 'perhaps' }",
        "notify { 'a': loglevel => 'loud' }",
    ],
)
def test_other_wrong_value(code):
    assert len(findings(code)) == 1


@pytest.mark.parametrize(
    "code",
    [
        "service { 'a': ensure => true }",
        "service { 'a': ensure => $x }",
        "service { 'a': ensure => undef }",
        "service { 'a': ensure => $facts['x'] ? { 1 => 'running', default => undef } }",
        "define d(Enum['started', 'running'] $state) { service { 'a': ensure => $state } }",
        "define d(Optional[Enum['started']] $state) { service { 'a': ensure => $state } }",
        "define d(String $state = 'started') { service { 'a': ensure => $state } }",
        "if $x { $state = 'started' } else { $state = 'running' } service { 'a': ensure => $state }",
        "a::define { 'a': ensure => started }",
        "vcsrepo { 'a': ensure => started }",
        "file { 'a': path => '/a' }",
        "file { $x: ensure => file }",
        "file { 'a': * => $x }",
        "file { ['/a', '/b']: mode => 'u=rw,go=' }",
        "file { 'C:/a': ensure => '/b' }",
        "package { 'a': ensure => '1.2' }",
        "package { 'a': source => $x, provider => 'unknown' }",
        "exec { 'a b': refreshonly => true, timeout => 0 }",
        "cron { 'a': hour => '*/2', minute => [0, '30'], weekday => 'Mon' }",
        "user { 'a': ensure => present, uid => '1000', managehome => true, groups => ['b'] }",
        "notify { 'a': noop => true, loglevel => 'err', message => 1 }",
    ],
)
def test_value_that_may_be_right(code):
    assert findings(code) == []


def test_modes_of_puppet_3_are_texts():
    assert findings("file { '/a': mode => 0644 }", "3.8") == []
