"""Types without a provider of bunraku are managed by an installed Puppet ."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import bunraku
from bunraku.apply.run import apply_catalog
from bunraku.base.errors import PuppetError
from bunraku.providers.installed_puppet import SCRIPT
from bunraku.world.linux import LinuxHost
from support.applying import SETTINGS, apply
from support.host import Expected, MemoryHost

MODULES = "/usr/share/puppet/modules"
RUBY = ("/usr/bin/ruby", str(SCRIPT))
TYPE = "Puppet::Type.newtype(:motd) do\n  ensurable\n  newparam(:name)\n  newproperty(:text)\nend\n"


def installed() -> bool:
    """Return whether the real Puppet and the module sysctl are here."""
    here = shutil.which("puppet") is not None and Path(MODULES, "sysctl").exists()
    return here and subprocess.run(["ruby", "-e", "require 'puppet'"], check=False).returncode == 0


needs_puppet = pytest.mark.skipif(
    not installed(), reason="needs an installed Puppet and Debian's package of the module sysctl"
)


def described(**more: Any) -> str:
    """Return what the script answers to a request to describe one resource."""
    facts = {"name": "a", "refreshable": True, "requires": [], "precedes": []}
    return json.dumps([{**facts, **more}])


def applied(*events: dict[str, Any], failed: bool = False, messages: Any = ()) -> str:
    """Return what the script answers to a request to apply a resource."""
    answer = {"failed": failed, "events": events, "messages": messages, "path": "/Motd[a]"}
    return json.dumps(answer)


def event(status: str = "success") -> dict[str, Any]:
    """Return an event of Puppet."""
    return {
        "property": "text",
        "name": "text_changed",
        "status": status,
        "message": "text changed 'a' to 'b'",
        "audited": False,
        "redacted": False,
        "previous": "a",
        "desired": "b",
    }


def host(*answers: str) -> MemoryHost:
    """Return a machine whose Ruby gives these answers."""
    commands = [Expected(RUBY, answer) for answer in answers]
    return MemoryHost(installed=["ruby", "puppet"], commands=commands)


def catalog(code: str, tmp_path: Path) -> bunraku.Catalog:
    """Return the catalog of code with a type that only Ruby can manage."""
    folder = tmp_path / "motd/lib/puppet/type"
    folder.mkdir(parents=True)
    (folder / "motd.rb").write_text(TYPE, encoding="utf-8")
    return bunraku.compile(code, modulepath=[str(tmp_path)])


def requests(machine: MemoryHost) -> list[dict[str, Any]]:
    """Return what Ruby was asked."""
    return [json.loads(command.content) for command in machine.ran]


def test_events_and_messages_are_those_of_puppet(tmp_path: Path) -> None:
    said = [{"level": "notice", "text": "changed", "source": "/Motd[a]/text"}]
    machine = host(described(), applied(event(), messages=said))

    done = apply(machine, catalog("motd { 'a': text => 'b' }", tmp_path))

    assert done.changes == ["Motd[a]/text: text changed 'a' to 'b'"]
    assert done.lines == ["Notice: /Stage[main]/Main/Motd[a]/text: changed"]
    assert [one["action"] for one in requests(machine)] == ["describe", "apply"]


def test_a_refusal_of_puppet_stops_the_run_before_any_change(tmp_path: Path) -> None:
    machine = host(json.dumps([{"error": "Parameter text failed on Motd[a]: bad"}]))
    with pytest.raises(PuppetError, match="Parameter text failed on") as caught:
        apply(machine, catalog("\nmotd { 'a': text => 'b' }", tmp_path))
    assert caught.value.diagnostic.line == 2


def test_secrets_go_through_standard_input_and_are_named(tmp_path: Path) -> None:
    machine = host(described(), applied())

    apply(
        machine,
        catalog("motd { 'a': text => Sensitive('hidden') }", tmp_path),
    )

    assert all("hidden" not in str(command.words) for command in machine.ran)
    (resource,) = requests(machine)[1]["resources"]
    assert (resource["parameters"]["text"], resource["sensitive"]) == ("hidden", ["text"])


def test_a_noop_run_says_so(tmp_path: Path) -> None:
    machine = host(described(), applied(event("noop")))

    settings = {"noop": True}
    done = apply(machine, catalog("motd { 'a': text => 'b' }", tmp_path), settings=settings)

    assert requests(machine)[1]["resources"][0]["parameters"]["noop"] is True
    assert done.report.exit_code() == 0


def test_a_failure_skips_dependents(tmp_path: Path) -> None:
    code = "motd { 'a': before => Notify['b'] } notify { 'b': }"
    machine = host(described(), applied(failed=True))

    done = apply(machine, catalog(code, tmp_path))

    assert done.report.statuses["Motd[a]"].failed
    assert done.report.statuses["Notify[b]"].skipped


def test_an_event_refreshes_the_resource(tmp_path: Path) -> None:
    code = "notify { 'b': notify => Motd['a'] } motd { 'a': }"
    machine = host(described(), applied(), json.dumps({"messages": [], "path": "/Motd[a]"}))

    done = apply(machine, catalog(code, tmp_path))

    assert requests(machine)[2]["action"] == "refresh"
    assert done.report.statuses["Motd[a]"].restarted


@needs_puppet
def test_a_real_puppet_manages_a_type_of_a_module(tmp_path: Path) -> None:
    target = tmp_path / "sysctl.conf"
    target.write_text("a.b = 1\n", encoding="utf-8")
    code = f"sysctl {{ 'a.b': ensure => present, val => '2', target => '{target}' }}"

    def run(*, noop: bool) -> list[str]:
        report = apply_catalog(
            bunraku.compile(code, modulepath=[MODULES]),
            LinuxHost(),
            {**SETTINGS, "noop": noop},
            modules=[MODULES],
        )
        return [one.message for one in report.events()]

    assert run(noop=True) == ["current_value '1', should be '2' (noop)"]
    assert target.read_text(encoding="utf-8") == "a.b = 1\n"
    assert run(noop=False) == ["val changed '1' to '2'"]
    assert "a.b=2" in target.read_text(encoding="utf-8")
    assert run(noop=False) == []
