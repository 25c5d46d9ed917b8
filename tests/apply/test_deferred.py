"""Deferred values of resources that others read before they are applied, and of every kind of attribute."""

from __future__ import annotations

import pytest

import bunraku
from bunraku.apply.transaction import Options
from bunraku.catalog.catalog import Catalog
from bunraku.engine.deferred import deferred_resolver
from bunraku.engine.request import Request
from bunraku.providers.user.useradd import UserAdd
from support.applying import Applied, apply
from support.attributes import REQUIRED
from support.deferred_runs import differences
from support.host import Expected, MemoryHost

TEXT = "Deferred('join', [['{}'], ''])"


def text(value: str) -> str:
    """Return a deferred call whose result is a text."""
    return TEXT.format(value)


def applied(
    code: str, host: MemoryHost, *, early: bool = False, options: Options | None = None
) -> Applied:
    """Apply a manifest; deferred functions are called before the run if ``early``."""
    resolve = deferred_resolver(Request(node="web", facts={}, code=""), lambda entry: None)
    settings = {"preprocess_deferred": early}
    return apply(host, bunraku.compile(code), resolve=resolve, settings=settings, options=options)


def fragments(*parameters: dict[str, object]) -> Catalog:
    """Return a catalog of a ``concat_file`` that comes before its fragments."""
    resources = [("Concat_file", "/srv/a", {"tag": "a"})]
    resources += [("Concat_fragment", f"f{at}", one) for at, one in enumerate(parameters)]
    return Catalog(
        {
            "name": "web",
            "environment": "production",
            "edges": [],
            "resources": [
                {"type": kind, "title": title, "parameters": values, "exported": False, "tags": []}
                for kind, title, values in resources
            ],
        }
    )


def deferred(value: str) -> dict[str, object]:
    """Return a deferred call as a catalog holds it."""
    return {"__ptype": "Deferred", "name": "join", "arguments": [[value], ""]}


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize(
    "first",
    [
        {"target": "/srv/a", "content": deferred("one\n")},
        {"target": deferred("/srv/a"), "content": "one\n"},
        {"target": "/srv/a", "source": deferred("/srv/source")},
        {"tag": deferred("a"), "content": "one\n"},
        {"target": "/srv/a", "content": "one\n", "order": deferred("05")},
    ],
    ids=["content", "target", "source", "tag", "order"],
)
def test_a_file_has_the_deferred_values_of_its_fragments(
    first: dict[str, object], early: bool
) -> None:
    host = MemoryHost({"/srv/source": "one\n"})
    catalog = fragments({"order": "07", **first}, {"target": "/srv/a", "content": "two\n"})
    resolve = deferred_resolver(Request(node="web", facts={}, code=""), lambda entry: None)
    done = apply(host, catalog, resolve=resolve, settings={"preprocess_deferred": early})
    assert host.text("/srv/a") == "one\ntwo\n"
    assert done.report.status == "changed"


def test_a_fragment_that_cannot_be_computed_fails_and_the_run_goes_on() -> None:
    host = MemoryHost({"/srv/a": "as before"})
    failing = {"__ptype": "Deferred", "name": "fail", "arguments": ["no answer"]}
    catalog = fragments({"target": "/srv/a", "content": failing}, {"tag": "a", "content": "x"})
    resolve = deferred_resolver(Request(node="web", facts={}, code=""), lambda entry: None)
    done = apply(host, catalog, resolve=resolve)
    assert host.text("/srv/a") == "as before"
    assert done.report.status == "failed"
    assert "Error: /Concat_fragment[f0]: Could not evaluate: no answer" in done.lines


ATTRIBUTES = {
    "name": f"file {{ 'a': path => {text('/srv/new')}, content => 'x' }}",
    "ensure": f"file {{ '/srv/new': ensure => {text('file')} }}",
    "provider": f"exec {{ 'touch': provider => {text('shell')} }} file {{ '/srv/new': ensure => file }}",
    "recursion": f"file {{ '/srv': recurse => true, source => {text('/usr/some')} }}",
    "command": f"exec {{ 'a': command => {text('touch')}, path => {text('/bin')} }} file {{ '/srv/new': ensure => file }}",
}


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("code", ATTRIBUTES.values(), ids=ATTRIBUTES)
def test_every_kind_of_attribute_may_be_deferred(code: str, early: bool) -> None:
    shell = [Expected(("/bin/sh", "-c", "touch"))] if "shell" in code else [Expected("touch")]
    host = MemoryHost(
        {"/srv/old": "", "/usr/some/new": ""},
        commands=shell if "exec" in code else [],
        installed=["touch"],
    )
    done = applied(code, host, early=early)
    assert done.report.failures == 0
    assert "/srv/new" in host.entries
    assert host.expected == []


@pytest.mark.parametrize("early", [False, True])
def test_a_deferred_target_keeps_the_other_lines_of_its_file(early: bool) -> None:
    files = {"/srv/hosts": "192.0.2.9 other\n192.0.2.1 web\n", "/etc/hosts": "", "/var/x": ""}
    host = MemoryHost(files)
    code = f"host {{ 'web': ip => {text('192.0.2.5')}, target => {text('/srv/hosts')} }}"
    done = applied(code, host, early=early)
    assert done.report.failures == 0
    lines = [line for line in host.text("/srv/hosts").splitlines() if line[0] != "#"]
    assert lines == ["192.0.2.9\tother", "192.0.2.5\tweb"]


@pytest.mark.parametrize("early", [False, True])
def test_metaparameters_may_be_deferred(early: bool) -> None:
    code = f"""
    notify {{ 'noop': noop => {text("true")} }}
    notify {{ 'level': loglevel => {text("warning")} }}
    schedule {{ 'rare': period => {text("never")} }}
    notify {{ 'by_name': schedule => {text("rare")} }}
    notify {{ 'by_value': schedule => 'rare' }}
    """
    done = applied(code, MemoryHost(), early=early)
    assert done.report.failures == 0
    statuses = done.report.statuses
    assert [one.status for one in statuses["Notify[noop]"].events] == ["noop"]
    assert "Warning: level" in done.lines
    assert statuses["Notify[by_name]"].skipped
    assert statuses["Notify[by_value]"].skipped


def test_a_wrong_deferred_value_fails_its_resource_only() -> None:
    code = f"""
    notify {{ 'a': loglevel => {text("nolevel")} }}
    notify {{ 'b': schedule => {text("nowhere")} }}
    file {{ '/srv/a': ensure => file, mode => {text("odd")} }}
    notify {{ 'c': }}
    """
    done = applied(code, MemoryHost({"/srv/x": ""}))
    assert [line.partition(" (")[0] for line in done.lines if line.startswith("Error")] == [
        'Error: /Stage[main]/Main/Notify[a]: Could not evaluate: Parameter loglevel failed on Notify[a]: Invalid value "nolevel". Valid values are debug, info, notice, warning, err, alert, emerg, crit, verbose.',
        "Error: /Stage[main]/Main/Notify[b]: Could not evaluate: Could not find schedule nowhere",
        'Error: /Stage[main]/Main/File[/srv/a]: Could not evaluate: Parameter mode failed on File[/srv/a]: The file mode specification is invalid: "odd"',
    ]
    assert "Notice: c" in done.lines


def test_a_wrong_deferred_value_leaves_waiting_refreshes_alone() -> None:
    """Puppet 7.23 loses them for good, because its exception ends the run."""
    code = """
    file { '/srv/a': content => 'new' }
    ~> exec { 'restart': path => '/usr/bin', refreshonly => true, require => Notify['z'] }
    notify { 'bad': message => Deferred('fail', ['no answer']), require => File['/srv/a'] }
    notify { 'z': require => File['/srv/a'] }
    """
    host = MemoryHost({"/srv/a": "old"}, commands=[Expected("restart")], installed=["restart"])
    done = applied(code, host)
    assert host.expected == [], done.lines
    assert done.report.statuses["Notify[bad]"].failed
    assert not done.report.statuses["Notify[z]"].skipped


def test_functions_of_resources_outside_of_the_run_are_not_called() -> None:
    code = "notify { 'a': message => Deferred('fail', ['no']), tag => 'x' } notify { 'b': }"
    done = applied(code, MemoryHost(), options=Options(skip_tags=("x",)))
    assert done.report.failures == 0
    assert "Notice: b" in done.lines


@pytest.mark.parametrize("type_", REQUIRED)
def test_a_deferred_value_does_what_the_value_does(type_: str) -> None:
    """Some values for each attribute; ``make fuzz-sweeps`` tries more."""
    assert differences(type_, every=False) == []


PURGES = {
    "resources": (
        f"resources {{ 'host': purge => true }} host {{ 'a': name => {text('other')}, ip => '192.0.2.2' }}",
        {"/etc/hosts": "192.0.2.2 other\n"},
    ),
    "tidy": (
        f"tidy {{ '/srv/d': recurse => true }} file {{ 'a': path => {text('/srv/d/x')}, content => 'x' }}",
        {"/srv/d/x": "x"},
    ),
    "recursion": (
        f"file {{ '/srv/d': ensure => directory, recurse => true, purge => true }} file {{ 'a': path => {text('/srv/d/x')}, content => 'x' }}",
        {"/srv/d/x": "x"},
    ),
    "keys": (
        f"""user {{ 'root': ensure => present, purge_ssh_keys => '/root/keys' }}
        ssh_authorized_key {{ 'a': name => {text("me@web")}, user => 'root', type => 'ssh-rsa', key => 'AAAA', target => '/root/keys' }}""",
        {"/root/keys": "ssh-rsa AAAA me@web\n", "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\n"},
    ),
}


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize(("code", "files"), PURGES.values(), ids=PURGES)
def test_nothing_is_purged_that_a_resource_with_a_deferred_name_manages(
    code: str, files: dict[str, str], early: bool
) -> None:
    host = MemoryHost(files, installed=[*UserAdd.programs])
    done = applied(code, host, early=early)
    assert done.changes == []
    assert done.report.failures == 0


def test_a_name_that_cannot_be_computed_stops_a_purge() -> None:
    host = MemoryHost({"/srv/d/x": "x"})
    done = applied(
        "file { '/srv/d': ensure => directory, recurse => true, purge => true }"
        "file { 'a': path => Deferred('fail', ['no answer']), content => 'x' }",
        host,
    )
    assert host.text("/srv/d/x") == "x"
    assert done.report.status == "failed"


def test_a_deferred_provider_that_does_not_work_here_fails_its_resource() -> None:
    code = f"package {{ 'a': provider => {text('dnf')} }} notify {{ 'b': }}"
    done = applied(code, MemoryHost())
    assert (
        "Error: /Stage[main]/Main/Package[a]: Could not evaluate: Provider dnf is not functional on this host"
        in done.lines
    )
    assert "Notice: b" in done.lines


def test_a_deferred_name_is_not_part_of_a_reference() -> None:
    code = f"sshkey {{ 'a': name => {text('web')}, type => 'ssh-rsa', key => 'AAAA', target => '/srv/keys' }}"
    done = applied(code, MemoryHost({"/srv/x": ""}))
    assert done.changes == ["Sshkey[a@ssh-rsa]/ensure: created"]
