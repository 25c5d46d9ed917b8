"""Tests in YAML and in Puppet code: ``NAME_spec.yaml``, ``NAME_spec.pp``."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET

import pytest

from bunraku import PuppetError
from bunraku.workbench.testing.spec_file import read_spec

METADATA = """\
{"name": "me-ntp", "version": "1.0.0", "author": "me", "license": "MIT", "summary": "time",
 "source": "https://example.com/ntp", "dependencies": [],
 "operatingsystem_support": [{"operatingsystem": "Debian", "operatingsystemrelease": ["11"]}]}
"""
MANIFEST = """\
class ntp(Array[String] $servers, Integer[1] $port = 123, Sensitive[String] $key = Sensitive('x')) {
  warning("port ${port}")
  package { 'ntp': ensure => installed }
  -> file { '/etc/ntp.conf': content => $servers.join("\\n"), mode => '0644' }
  ~> service { 'ntp': ensure => running }
  file { '/etc/ntp.keys': content => $key }
  Host <<| |>>
}
"""
SPEC = """\
class: ntp
hiera: {ntp::servers: [a.example.com]}
tests:
  the defaults:
    contains:
      Package[ntp]: {ensure: installed, name: }
      File[/etc/ntp.conf]: {content: /^a\\./, mode: '0644'}
      Service[ntp]:
    contains_only:
      Service[ntp]: {ensure: running}
    lacks: ['Package[chrony]']
    count: {File: 2}
    order: ['Package[ntp] -> File[/etc/ntp.conf] ~> Service[ntp]']
    warnings: ['port \\d+']
    compiles: true
  nothing is expected:
  a secret:
    params: {key: {__ptype: Sensitive, __pvalue: s3cret}, servers: [b]}
    contains:
      File[/etc/ntp.conf]: {content: b}
      File[/etc/ntp.keys]: {content: {__ptype: Sensitive, __pvalue: s3cret}}
  a wrong port:
    params: {port: 0}
    raises: parameter 'port' expects
  a wrong port by its code:
    params: {port: 0}
    raises: {code: INVALID_PARAMETERS, message: port}
  a define of the test:
    define: thing
    title: x
    pre: 'define thing { notify { $title: } }'
    contains: {'Notify[x]': {}}
  other nodes:
    other_nodes:
      db1.example.com:
        facts: {role: db}
        resources: {'Class[Mysql]': }
        exports: {'Host[db1]': {ip: 192.0.2.7}}
    post: |
      notify { puppetdb_query('resources[certname] { type = "Class" }')[0]['certname']: }
    contains:
      Host[db1]: {ip: 192.0.2.7}
      Notify[db1.example.com]:
"""
FAILING = """\
class: ntp
params: {servers: [a]}
tests:
  wrong values:
    contains:
      Package[ntp]: {ensure: absent}
      Package[chrony]:
    lacks: ['Package[ntp]']
    count: {File: 3}
    order: ['Service[ntp] -> Package[ntp]']
    warnings: [ports]
    compiles: false
  it compiles:
    raises: port
  it does not compile:
    params: {port: 0}
"""


@pytest.fixture
def module(tmp_path):
    root = tmp_path / "ntp"
    files = {
        "metadata.json": METADATA,
        "manifests/init.pp": MANIFEST,
        "spec/ntp_spec.yaml": SPEC,
        "spec/api_spec.yaml": "openapi: 3.1.0\npaths: {}\n",
        "spec/fixtures/modules/other/spec/other_spec.yaml": "tests: wrong",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def run(module, *words, program=("pytest", "-p", "no:cacheprovider")):
    plugin = ["-p", "bunraku.workbench.testing.pytest_plugin"] if program[0] == "pytest" else []
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"} if plugin else {}
    return subprocess.run(
        [sys.executable, "-m", *program, *plugin, "-q", *words],
        cwd=module,
        env={**os.environ, **alone, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_tests_that_pass(module):
    done = run(module)
    assert "7 passed" in done.stdout, done.stdout


def test_bunraku_test_runs_them(module):
    done = run(module, program=("bunraku", "test"))
    assert (done.returncode, "7 passed" in done.stdout) == (0, True), done.stdout + done.stderr


def test_failures_have_places_and_explanations(module):
    (module / "spec" / "ntp_spec.yaml").write_text(FAILING)
    done = run(module)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    expected = [
        "spec/ntp_spec.yaml:6:7: Package[ntp] has another ensure",
        "  ensure: expected 'absent'",
        "spec/ntp_spec.yaml:7:7: Package[chrony] is not in the catalog",
        "spec/ntp_spec.yaml:8:13: Package[ntp] is in the catalog",
        "spec/ntp_spec.yaml:9:13: expected 3 resources of type File, got 2 (File[/etc/ntp.conf], File[/etc/ntp.keys])",
        "spec/ntp_spec.yaml:10:13: Service[ntp] does not come before Package[ntp]",
        "spec/ntp_spec.yaml:11:16: no warning matches 'ports':",
        "  port 123",
        "spec/ntp_spec.yaml:12:5: an agent could apply the catalog",
        "spec/ntp_spec.yaml:14:5: the code compiles; expected an error with a message that matches 'port'",
    ]
    assert [line for line in expected if line not in lines] == []
    assert (
        "spec/ntp_spec.yaml:15:3: does not compile: Class[Ntp]: parameter 'port' expects"
        in done.stdout
    )
    assert "Traceback" not in done.stdout


def test_an_expectation_within_a_condition_has_a_hint(module):
    in_puppet(module, "test('a') || {\n  if true { contains(Package['a']) }\n}\n")
    assert "hint: expectations stand directly in the lambda of test: contains" in run(module).stdout


def test_names_select_tests_and_reports_have_them(module):
    done = run(module, "-k", "secret or nothing", "--junitxml", "report.xml")
    assert "2 passed, 5 deselected" in done.stdout
    cases = ET.parse(module / "report.xml").getroot().iter("testcase")
    assert [one.get("name") for one in cases] == ["nothing is expected", "a secret"]


def test_workers_run_them(module):
    pytest.importorskip("xdist")
    done = run(module, "-p", "xdist", "-n", "2")
    assert "7 passed" in done.stdout, done.stdout


def test_coverage_knows_which_test_ran_a_line(module):
    bunraku = [sys.executable, "-m", "bunraku"]
    cover = [*bunraku, "cover", "--no-report", "--", *bunraku, "test"]
    subprocess.run(cover, cwd=module, capture_output=True, timeout=120, check=True)
    lines = [*bunraku, "cover", "lines", "manifests/init.pp:2"]
    ran = subprocess.run(lines, cwd=module, capture_output=True, text=True, check=True).stdout
    assert "spec/ntp_spec.yaml::the defaults" in ran
    assert "spec/ntp_spec.yaml::a wrong port" not in ran


def test_snapshots(module):
    (module / "spec" / "ntp_spec.yaml").write_text(
        "class: ntp\nparams: {servers: [a]}\ntests: {all of it: {snapshot: true}}\n"
    )
    done = run(module)
    assert "there is no snapshot spec/snapshots/ntp_spec/all of it.pp" in done.stdout
    assert run(module, "--bunraku-update").returncode == 0
    assert run(module).returncode == 0
    assert (
        "x" not in (module / "spec" / "snapshots" / "ntp_spec" / "all of it.pp").read_text().split()
    )


@pytest.mark.parametrize(
    ("systems", "names"),
    [
        ("true", ["debian-11-x86_64"]),
        ("[debian-10, debian-11]", ["debian-10-x86_64", "debian-11-x86_64"]),
    ],
)
def test_operating_systems(module, systems, names):
    (module / "spec" / "ntp_spec.yaml").write_text(
        f"class: ntp\nparams: {{servers: [a]}}\non_supported_os: {systems}\ntests:\n"
        "  a:\n    post: 'notify { $facts[\"os\"][\"family\"]: }'\n    contains: {'Notify[Debian]': }\n"
        "  b: {on_supported_os: false}\n"
    )
    done = run(module, "--collect-only")
    if "FacterDB is not installed" in done.stdout:
        pytest.skip("FacterDB is not installed")
    listed = [line for line in done.stdout.splitlines() if "::" in line]
    file = "spec/ntp_spec.yaml"
    assert listed == [*(f"{file}::a[{name}]" for name in names), f"{file}::b"]
    assert f"{len(names) + 1} passed" in run(module).stdout
    assert "2 passed" in run(module, "--bunraku-os", "debian-11").stdout


@pytest.mark.parametrize(
    ("text", "message", "line", "hint"),
    [
        ("tests: [", "not valid YAML", 2, None),
        ("class: a\ntests:\n  a:\n  b:\n  a: {}", "a second test with the name 'a'", 5, None),
        ("tests: 1", "tests: expected a Hash, got an Integer", 1, None),
        ("clas: a\ntests: {}", "clas: expected a known key", 1, "did you mean 'class'?"),
        ("tests:\n  a:\n    contain: {}", "tests.a.contain: expected a known key", 3, "did you mean 'contains'?"),
        ("tests:\n  a: {lacks: x}", "tests.a.lacks: expected an Array of Strings", 2, None),
        ("tests:\n  a: {count: {File: x}}", "tests.a.count.File: expected an Integer", 2, None),
        ("tests:\n  a: {}", "tests.a: expected one of class, define, host and code", 2, None),
        ("tests:\n  a: {class: a, code: b}", "tests.a: expected one subject, got class and code", 2, None),
        ("class: a\ntests:\n  a:\n    raises: x\n    lacks: []", "tests.a.lacks: expected nothing beside raises", 5, None),
        ("tests:\n  a: {raises: {mesage: x}}", "tests.a.raises.mesage", 2, "did you mean 'message'?"),
        ("tests:\n  a: {other_nodes: {n: {fact: {}}}}", "tests.a.other_nodes.n.fact", 2, "did you mean 'facts'?"),
    ],
)  # fmt: skip
def test_wrong_files(text, message, line, hint):
    with pytest.raises(PuppetError) as caught:
        read_spec(text.encode(), "a_spec.yaml")
    finding = caught.value.diagnostic
    assert finding.message.startswith(f"Invalid spec file a_spec.yaml: {message}")
    assert (finding.code, finding.line, finding.hint) == ("BAD_SPEC", line, hint)


def test_a_wrong_file_stops_the_collection_without_a_traceback(module):
    (module / "spec" / "ntp_spec.yaml").write_text("class: ntp\ntests: {a: {contain: {}}}\n")
    done = run(module)
    assert done.returncode == 2
    assert "did you mean 'contains'?" in done.stdout
    assert "Traceback" not in done.stdout


# -- tests in Puppet code ------------------------------------------------------------------------------

PUPPET = """\
$servers = ['a.example.com']

define other($message = 'x') { notify { $title: message => $message } }

test('the defaults', { facts => { os => { family => 'Debian' } } }) || {
  class { 'ntp': servers => $servers }
  $package = 'ntp' # a comment with contains(Package['x'])
  contains(Package[$package], { ensure => installed, name => undef })
  contains(File['/etc/ntp.conf'], { content => /^a\\./, mode => '0644' })
  contains_only(Service['ntp'], { ensure => running })
  lacks(Package['chrony'], Package['openntpd'])
  has_count('File', 2)
  in_order(Package['ntp'], File['/etc/ntp.conf'], Service['ntp'])
  notifies(File['/etc/ntp.conf'], Service['ntp'])
  warns('port \\d+')
}

test('code of the file', { compiles => true }) || {
  other { 'a': message => $facts['role'] }
  @@host { 'h': ip => '192.0.2.7' }
  notify { 'later': require => [Other['a'], Host['x']] }
  host { 'x': }
  contains(Other['a'])
  contains(Notify['later'], { require => [Other['a'], Host['x']] })
  exports(Host['h'], { ip => '192.0.2.7' })
}

test('a wrong port', { raises => { code => 'INVALID_PARAMETERS', message => 'port' } }) || {
  class { 'ntp': servers => [], port => 0 }
}

test('other nodes', { other_nodes => { 'db1' => { exports => { 'Host[db1]' => { ip => '192.0.2.8' } } } } }) || {
  include ntp
  contains(Host['db1'], { ip => '192.0.2.8' })
}

test('nothing') || { }
"""
NOT_NUMERIC = "The value 'a' cannot be converted to Numeric"
WRONG = """\
test('wrong values') || {
  class { 'ntp': servers => [] }
  contains(Package['ntp'], { ensure => absent })
  lacks(Package['ntp'])
  has_count('File', 3)
  notifies(Service['ntp'],
    Package['ntp'])
}

test('it does not compile') || {
  include ntp
  $x = 1 + 'a'
}
"""


def in_puppet(module, text):
    (module / "spec" / "ntp_spec.yaml").unlink()
    (module / "spec" / "ntp_spec.pp").write_text(text)
    (module / "spec" / "other_spec.pp").write_text("include ntp\n")
    (module / "hiera.yaml").write_text("version: 5\nhierarchy: [{name: a, path: a.yaml}]\n")
    (module / "data").mkdir()
    (module / "data" / "a.yaml").write_text("ntp::servers: [b]\n")


def test_tests_in_puppet_code_that_pass(module):
    in_puppet(module, PUPPET)
    done = run(module)
    assert "5 passed" in done.stdout, done.stdout
    assert "5 passed" in run(module, program=("bunraku", "test")).stdout


def test_failures_have_the_places_of_the_puppet_code(module):
    in_puppet(module, WRONG)
    done = run(module)
    lines = done.stdout.splitlines()
    expected = [
        "spec/ntp_spec.pp:3:3: Package[ntp] has another ensure",
        "spec/ntp_spec.pp:4:3: Package['ntp'] is in the catalog",
        "spec/ntp_spec.pp:5:3: expected 3 resources of type File, got 2 (File[/etc/ntp.conf], File[/etc/ntp.keys])",
        "spec/ntp_spec.pp:6:3: Service[ntp] does not notify Package[ntp]",
        f"spec/ntp_spec.pp:10:1: does not compile: {NOT_NUMERIC} (file: spec/ntp_spec.pp, line: 12, column: 12)",
    ]
    assert [line for line in expected if line not in lines] == []
    assert "Traceback" not in done.stdout


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("test('a') || {", "Syntax error"),
        ("test(a, b, c) || { }", "expected test('name', { options }) || { code } (file: spec/ntp_spec.pp, line: 1, column: 1)"),
        ("test($x) || { }", "expected test('name', { options }) || { code }"),
        ("test('a', { fact => {} }) || { }", "the options: fact: expected a known key, got an unknown one (file: spec/ntp_spec.pp, line: 1, column: 11)\nhint: did you mean 'facts'?"),
        ("test('a', { facts => 1 }) || { }", "the options: facts: expected a String, a Hash or an Array"),
        ("test('a') || {\n  contains()\n}", "contains expects 1 to 2 arguments, got 0 (file: spec/ntp_spec.pp, line: 2, column: 3)"),
        ("test('a') || { has_count(1) }", "has_count expects 2 arguments, got 1"),
        ("test('a', { raises => x }) || { lacks(File['/a']) }", "expected nothing beside raises"),
        ("test('a') || { }\ntest('a') || { }", "a second test with the name 'a' (file: spec/ntp_spec.pp, line: 2"),
        ("test('a') || { lacks() }", "lacks expects 1 or more arguments, got 0"),
    ],
)  # fmt: skip
def test_wrong_puppet_code(module, code, message):
    in_puppet(module, code)
    done = run(module)
    assert done.returncode == 2
    assert message in done.stdout
    assert "Traceback" not in done.stdout
