"""Plans: the planned changes of a run as text, as data, and saved for later."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from bunraku.apply.plan import Plan, plan_data, plan_of
from bunraku.apply.plan_file import read_plan, saved_text
from bunraku.apply.plan_start import START, is_saved_plan
from bunraku.base.errors import PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.cli.apply.plan_text import plan_text
from bunraku.cli.output.output import Paint
from bunraku.world.augeas import is_installed
from bunraku.world.linux import LinuxHost
from support.applying import SETTINGS, apply, declared
from support.host import MemoryHost, file

EXTRACTED = {"extract": True, "extract_path": "/no"}
CLONED = {"ensure": "present", "provider": "git", "source": "http://web/r"}


def plan(manifest: str | Catalog) -> Plan:
    programs = ("useradd", "usermod", "userdel", "chpasswd", "chage", "groupadd", "groupmod")
    host = MemoryHost(
        {"/bin/true": file(mode=0o755), "/etc/hosts": "", "/etc/passwd": "", "/etc/group": ""},
        installed=(*programs, "groupdel", "git"),
    )
    return plan_of(apply(host, manifest, settings={**SETTINGS, "noop": True}).report)


def test_lists_what_would_change_and_what_would_be_refreshed() -> None:
    found = plan(
        "notify { 'a': message => 'hello', notify => Exec['/bin/b'] }\n"
        "exec { '/bin/b': refreshonly => true }"
    )
    assert found.exit_code() == 2
    lines = plan_text(found, Paint(enabled=False)).splitlines()
    assert [line.partition("  (")[0] if line[0] == "~" else line for line in lines] == [
        "~ Notify[a]",
        "    message: absent => hello",
        "~ Exec[/bin/b]",
        "    refreshed by Notify[a]",
        "Plan: 0 to create, 1 to change, 0 to remove, 1 to refresh.",
    ]


def test_nothing_to_do_is_exit_code_0() -> None:
    found = plan("")
    assert found.exit_code() == 0
    assert plan_text(found, Paint(enabled=False)).startswith("Nothing to do")


def test_what_would_fail_is_exit_code_1() -> None:
    found = plan("exec { '/bin/true': provider => Deferred('upcase', ['windows']) }")
    assert found.exit_code() == 1
    assert found.steps[0].action == "fail"


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("file { '/no/a': ensure => file }", "No such file or directory - /no/a"),
        (
            "file { '/no/a': ensure => directory }",
            "Cannot create /no/a; parent directory /no does not exist",
        ),
        ("file { '/a': ensure => file } -> file { '/a/b': ensure => file }", "/a/b"),
        ("file { '/a': owner => 'nobody2', ensure => file }", "Could not find user nobody2"),
        ("file { '/a': group => 'nobody2', ensure => file }", "Could not find group nobody2"),
        ("exec { '/bin/true': cwd => '/no' }", "Working directory /no does not exist!"),
        ("exec { '/bin/true': user => 'no' }", "Invalid user: no"),
        ("exec { '/bin/missing': }", "Could not find command '/bin/missing'"),
        ("user { 'u': ensure => present, gid => 'no' }", "Could not find group no"),
        ("user { 'u': ensure => present, groups => ['no'] }", "Could not find group no"),
        (declared("Archive", {"/a.tgz": {"source": "/no/y.tgz"}}), "Source file: /no/y.tgz"),
        (declared("Archive", {"/a.tgz": {"source": "file:///no/y.tgz"}}), "/no/y.tgz does not"),
        (
            declared("Archive", {"/a": {"source": "/bin/true", **EXTRACTED}}),
            "Working directory /no does not exist!",
        ),
        (declared("Vcsrepo", {"/r": {**CLONED, "user": "no"}}), "can't find user for no"),
        (declared("Vcsrepo", {"/r": {**CLONED, "group": "no"}}), "can't find group for no"),
        (declared("Vcsrepo", {"/r": {**CLONED, "source": "/no"}}), "repository '/no' does not"),
        (declared("File_line", {"a": {"path": "/no/a", "line": "b"}}), "No such file"),
        (declared("Ini_setting", {"a": {"path": "/no/a", "setting": "b"}}), "No such file"),
    ],
)
def test_a_change_without_what_it_needs_would_fail(manifest: str | Catalog, message: str) -> None:
    found = plan(manifest)
    assert found.exit_code() == 1
    assert message in found.steps[-1].differences[0].message


@pytest.mark.parametrize(
    "manifest",
    [
        "file { ['/no', '/no/a']: ensure => directory }",
        "group { 'g': ensure => present } -> file { '/a': ensure => file, group => 'g' }",
        "user { 'u': ensure => present } -> file { '/a': ensure => file, owner => 'u' }",
        "exec { '/bin/true': } -> file { '/no/a': ensure => file, owner => 'u' }",
        "file { '/a': ensure => file, owner => '4711' }",
        "file { '/no/a': ensure => absent }",
    ],
)
def test_earlier_steps_provide_what_later_ones_need(manifest: str) -> None:
    assert plan(manifest).exit_code() != 1


def test_data_has_a_version_and_no_secrets() -> None:
    data = plan_data(plan("notify { 'a': message => Sensitive('hunter2') }"))
    assert (data["format"], data["version"]) == ("bunraku-plan", 1)
    assert data["summary"]["change"] == 1
    assert "hunter2" not in repr(data)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"format":"bunraku-plan"', "cannot be read"),
        ('{"format":"bunraku-plan"}', "version: expected an Integer, got nothing"),
        ('{"format":"bunraku-plan","version":1}', "steps: expected an Array, got nothing"),
        ('{"format":"bunraku-plan","version":9}', "has version 9"),
    ],
)
def test_damaged_plans_are_refused(tmp_path: Any, text: str, reason: str) -> None:
    path = tmp_path / "a.plan"
    path.write_text(text)
    with pytest.raises(PuppetError, match=reason):
        read_plan(str(path))


CHOICES = {
    "tags": ["a"],
    "skip_tags": [],
    "ignoreschedules": False,
    "ruby_providers": False,
    "preprocess_deferred": True,
}


def test_a_saved_plan_has_its_catalog_and_choices(tmp_path: Any) -> None:
    path = tmp_path / "a.plan"
    catalog = Catalog({"name": "web01", "resources": []})
    path.write_text(saved_text(plan(""), catalog, CHOICES, ["/modules"]))
    saved = read_plan(str(path))
    assert (saved.catalog, saved.choices, saved.modules) == (catalog, CHOICES, ["/modules"])


def test_values_that_are_no_data_are_saved_as_text(tmp_path: Any) -> None:
    path = tmp_path / "a.plan"
    found = plan(
        "notify { 'a': message => Timestamp('2020-01-01') } notify { 'b': message => /x/ }"
    )
    path.write_text(saved_text(found, Catalog({"name": "a", "resources": []}), CHOICES, []))
    saved = read_plan(str(path))
    after = [step["changes"][0]["after"] for step in saved.steps]
    assert after == ["2020-01-01T00:00:00.000000000 UTC", "/x/"]


WRONG_PARTS = {
    "steps": [5, {}, [5], [{"resource": "a"}]],
    "choices": [5, {"tags": "a"}, {**CHOICES, "tags": [5]}, {**CHOICES, "ruby_providers": None}],
    "modules": [5, "a", [5]],
    "catalog": [5, {}, {"resources": [5]}],
}


@pytest.mark.parametrize(
    ("part", "value"), [(part, value) for part, some in WRONG_PARTS.items() for value in some]
)
def test_a_part_of_another_shape_is_named(tmp_path: Any, part: str, value: object) -> None:
    path = tmp_path / "a.plan"
    data = json.loads(saved_text(plan(""), Catalog({"name": "a", "resources": []}), CHOICES, []))
    path.write_text(json.dumps({**data, part: value}, separators=(",", ":")))
    with pytest.raises(PuppetError, match=f"{part}.*: expected "):
        read_plan(str(path))


def test_manifests_are_no_plans(tmp_path: Any) -> None:
    (tmp_path / "site.pp").write_text("notice(1)")
    assert not is_saved_plan(str(tmp_path / "site.pp"))
    assert not is_saved_plan(str(tmp_path))


def test_a_stream_is_no_plan_and_keeps_its_text() -> None:
    reader, writer = os.pipe()
    os.write(writer, START)
    os.close(writer)
    assert not is_saved_plan(f"/dev/fd/{reader}")
    assert os.read(reader, 100) == START
    os.close(reader)


@pytest.mark.skipif(not is_installed(), reason="libaugeas.so.0 is not installed")
@pytest.mark.parametrize(("folder", "action"), [("absent", "fail"), ("", "create")])
def test_a_value_of_a_lens_needs_the_directory_of_its_file(
    tmp_path: Path, folder: str, action: str
) -> None:
    path = str(tmp_path / folder / "file")
    resources = [
        {"type": "Shellvar", "title": "A", "parameters": {"value": "1", "target": path}},
        {"type": "File_line", "title": "b", "parameters": {"path": path, "line": "B=1"}},
    ]
    wanted = Catalog({"name": "host", "resources": resources})
    found = plan_of(apply(LinuxHost(), wanted, settings={**SETTINGS, "noop": True}).report)
    assert [step.action for step in found.steps] == [action, action]
