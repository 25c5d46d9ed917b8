"""The resource types that end a run or act after it: reboot, puppet_agent_end_run and reboot_notify."""

from __future__ import annotations

import json

from bunraku.catalog.catalog import Catalog
from support.applying import Applied, apply, declared
from support.host import Expected, MemoryHost

SHUTDOWN = '/usr/bin/shutdown -r +{} "{}" </dev/null >/dev/null 2>&1 &'
NOTES = "/var/reboot_notifications.json"


def after_change(host: MemoryHost, type_: str, title: str, **parameters: object) -> Applied:
    """Apply a changed file, a resource that it notifies, and another file."""
    rows = [
        {"type": "File", "title": "/a", "parameters": {"content": "a"}},
        {"type": type_, "title": title, "parameters": {**parameters, "subscribe": "File[/a]"}},
        {"type": "File", "title": "/b", "parameters": {"content": "b"}},
    ]
    rows[2]["parameters"]["require"] = f"{type_}[{title}]"  # type: ignore[index]
    settings = {"vardir": "/var"}
    return apply(host, Catalog({"name": "host", "resources": rows}), settings=settings)


def test_reboot_skips_the_rest_of_the_run() -> None:
    line = SHUTDOWN.format(1, "Puppet is rebooting the computer")
    host = MemoryHost(commands=[Expected(line)], installed=["shutdown"])

    done = after_change(host, "Reboot", "now")

    assert host.expected == []
    assert done.report.statuses["File[/b]"].skipped
    assert host.status("/b") is None


def test_reboot_after_the_run_waits_for_the_rest() -> None:
    host = MemoryHost(commands=[Expected(SHUTDOWN.format(2, "x"))], installed=["shutdown"])

    done = after_change(host, "Reboot", "later", apply="finished", timeout=61, message="x")

    assert host.expected == []
    assert host.text("/b") == "b"
    assert "rounding 61 seconds up to 2 minutes" in "".join(done.lines)


def test_reboot_without_a_change_does_nothing() -> None:
    host = MemoryHost({"/a": "a"}, installed=["shutdown"])

    after_change(host, "Reboot", "now")

    assert host.ran == []


def test_another_version_of_the_agent_ends_the_run() -> None:
    host = MemoryHost({"/opt/puppetlabs/puppet/VERSION": "8.10.0\n"})

    done = after_change(host, "Puppet_agent_end_run", "8.11.0")

    assert done.report.statuses["File[/b]"].skipped
    assert after_change(host, "Puppet_agent_end_run", "8.10.0").changes
    assert host.text("/b") == "b"


def test_reasons_are_logged_until_the_next_boot() -> None:
    old = {"old": {"reason": "x", "updated": 1}}
    host = MemoryHost({NOTES: json.dumps(old), "/proc/uptime": "1000.5 1.0\n"})

    done = after_change(host, "Reboot_notify", "kernel", reason="new")

    assert "Notice: System Reboot Required Because:\n  kernel => new" in done.lines
    assert list(json.loads(host.text(NOTES))) == ["reboot_control_metadata", "kernel"]


def test_noop_does_not_write_the_reasons() -> None:
    host = MemoryHost({NOTES: "{}", "/proc/uptime": "1.0 1.0\n"})

    apply(
        host,
        declared("reboot_notify", {"a": {}}),
        settings={"vardir": "/var", "noop": True},
    )

    assert host.text(NOTES) == "{}"
