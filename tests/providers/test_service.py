"""Services: the queries and commands of systemd, init scripts and command attributes."""

from __future__ import annotations

import pytest

from bunraku import PuppetError
from bunraku.providers.registry import BUILTIN_TYPES, resource_type
from bunraku.providers.run import Run
from bunraku.providers.service.debian import Debian
from support.applying import apply
from support.host import Entry, Expected, MemoryHost, file, link

PROPERTIES = "--property=Id,LoadState,ActiveState,UnitFileState,FragmentPath"
SHOW = ("/usr/bin/systemctl", "show", PROPERTIES, "--")
NEEDS_RELOAD = ("/usr/bin/systemctl", "show", "--property=NeedDaemonReload", "--")
SYSTEMD = {"/proc/1/comm": "systemd\n", "/etc/os-release": "ID=debian\n"}


def unit(active: str, enabled: str = "enabled", load: str = "loaded", name: str = "a") -> str:
    """Return the output of ``systemctl show`` for a unit."""
    path = f"/lib/systemd/system/{name}.service" if load == "loaded" else ""
    states = f"LoadState={load}\nActiveState={active}\nUnitFileState={enabled}\n"
    return f"Id={name}.service\n{states}FragmentPath={path}\n"


def systemctl(*words: str, output: str = "", code: int = 0) -> Expected:
    """Return a call of systemctl."""
    return Expected(("/usr/bin/systemctl", *words), output, code)


def machine(*commands: Expected) -> MemoryHost:
    """Return a Debian with systemd."""
    return MemoryHost(SYSTEMD, commands=commands, installed=["systemctl", "kill", "journalctl"])


WANTS = "/etc/systemd/system/multi-user.target.wants"


def test_one_query_reads_fifty_services() -> None:
    names = [f"s{number}" for number in range(50)]
    states = ["enabled" if number % 2 else "disabled" for number in range(50)]
    shown = [unit("active", state, name=name) for name, state in zip(names, states, strict=True)]
    links = {
        f"{WANTS}/{name}.service": link(f"/lib/systemd/system/{name}.service")
        for name in names[1::2]
    }
    host = MemoryHost(
        SYSTEMD | links,
        commands=[Expected((*SHOW, *names), "\n".join(shown))],
        installed=["systemctl"],
    )
    manifest = "".join(
        f"service {{ '{name}': ensure => running, enable => {str(state == 'enabled').lower()} }}"
        for name, state in zip(names, states, strict=True)
    )
    assert apply(host, manifest).changes == []
    assert len(host.ran) == 1


def test_one_query_reads_all_services() -> None:
    host = machine(
        Expected((*SHOW, "a", "c", "b"), "\n".join([unit("active")] * 3)),
        systemctl("is-enabled", "--", "b", output="enabled\n"),
    )
    done = apply(
        host,
        "service { ['a', 'c']: ensure => running } service { 'b': enable => true }",
    )
    assert done.changes == []
    assert host.expected == []


@pytest.mark.parametrize(
    ("kept", "entries", "fresh"),
    [
        ("enabled", {}, "disabled"),
        ("disabled", {f"{WANTS}/a.service": link("/lib/systemd/system/a.service")}, "enabled"),
        (
            "static",
            {"/etc/systemd/system/x.service": link("/lib/systemd/system/a.service")},
            "alias",
        ),
        ("enabled", {"/etc/systemd/system/a.service": link("/dev/null")}, "masked"),
        ("disabled", {"/run/systemd/system/a.service": "[Service]"}, "static"),
        ("linked", {}, "linked"),
        ("generated", {}, "disabled"),
    ],
)
def test_links_made_by_hand_are_read(
    kept: str, entries: dict[str, Entry | str], fresh: str
) -> None:
    host = MemoryHost(
        SYSTEMD | entries,
        commands=[
            Expected((*SHOW, "a"), unit("active", kept)),
            systemctl("is-enabled", "--", "a", output=fresh + "\n"),
        ],
        installed=["systemctl"],
    )
    wanted = "true" if fresh in ("enabled", "alias") else "false"
    assert apply(host, f"service {{ 'a': enable => {wanted} }}").changes == []
    assert host.expected == []


def test_start_reads_changed_unit_files_again() -> None:
    host = machine(
        Expected((*SHOW, "a"), unit("inactive")),
        Expected((*NEEDS_RELOAD, "a"), "NeedDaemonReload=yes\n"),
        systemctl("daemon-reload"),
        systemctl("unmask", "--", "a"),
        systemctl("start", "--", "a"),
    )
    done = apply(host, "service { 'a': ensure => running }")
    assert done.changes == ["Service[a]/ensure: ensure changed 'stopped' to 'running'"]
    assert [event.name for event in done.report.events()] == ["service_started"]
    assert host.expected == []


def test_services_are_read_again_after_a_change() -> None:
    host = machine(
        Expected((*SHOW, "a", "b"), "\n".join([unit("active"), unit("inactive")])),
        systemctl("stop", "--", "a"),
        Expected((*SHOW, "b"), unit("active")),
    )
    done = apply(
        host,
        "service { 'a': ensure => stopped } -> service { 'b': ensure => running }",
    )
    assert done.changes == ["Service[a]/ensure: ensure changed 'running' to 'stopped'"]
    assert host.expected == []


@pytest.mark.parametrize("word", ["static", "indirect"])
def test_units_that_cannot_be_enabled_are_left_alone(word: str) -> None:
    host = machine(
        Expected((*SHOW, "a"), unit("active", word)),
    )
    assert apply(host, "service { 'a': enable => false }").changes == []


def test_mask_disables_first() -> None:
    host = machine(
        Expected((*SHOW, "a"), unit("active", "enabled")),
        systemctl("is-enabled", "--", "a", output="enabled\n"),
        systemctl("cat", "--", "a"),
        systemctl("disable", "--", "a"),
        systemctl("mask", "--", "a"),
    )
    done = apply(host, "service { 'a': enable => mask }")
    assert done.changes == ["Service[a]/enable: enable changed 'true' to 'mask'"]
    assert [event.name for event in done.report.events()] == ["service_disabled"]


def test_missing_unit_is_stopped_and_asked_of_init_scripts() -> None:
    host = machine(
        Expected((*SHOW, "a"), unit("inactive", "", "not-found")),
        systemctl("is-enabled", "--", "a", code=1),
        Expected(("/usr/sbin/invoke-rc.d", "--quiet", "--query", "a", "start"), code=100),
    )
    assert apply(host, "service { 'a': ensure => stopped, enable => false }").changes == []


def test_names_that_cannot_be_shown_are_asked_one_by_one() -> None:
    host = machine(
        Expected((*SHOW, "a*"), "", 0, effect=None),
        systemctl("is-active", "--", "a*", code=3),
    )
    assert apply(host, "service { 'a*': ensure => stopped }").changes == []


def test_refresh_restarts_only_what_runs() -> None:
    host = MemoryHost(
        {"/bin/true": file(mode=0o755), "/proc/1/comm": "sh\n"},
        installed=["kill"],
        commands=[
            Expected("/bin/true"),
            Expected("/opt/up status"),
            Expected("/opt/up again"),
            Expected("/opt/down status", code=3),
        ],
    )
    manifest = """
      exec { '/bin/true': }
      ~> service { 'up': provider => base, status => '/opt/up status', restart => '/opt/up again' }
      -> service { 'down': provider => base, status => '/opt/down status', start => '/opt/no' }
      Exec['/bin/true'] ~> Service['down']
    """
    done = apply(host, manifest)
    assert "Exec[/bin/true]/returns: executed successfully" in done.changes
    assert host.expected == []


def test_service_that_was_just_started_is_not_restarted() -> None:
    host = MemoryHost(
        {"/bin/true": file(mode=0o755)},
        installed=["kill"],
        commands=[
            Expected("/bin/true"),
            Expected("/opt/up status", code=3),
            Expected("/opt/up start"),
        ],
    )
    manifest = """
      exec { '/bin/true': } ~> service { 'up': provider => base, ensure => running,
        status => '/opt/up status', start => '/opt/up start', restart => '/opt/up restart' }
    """
    done = apply(host, manifest)
    text = "Info: /Stage[main]/Main/Service[up]: Unscheduling refresh on Service[up]"
    assert text in done.lines
    assert host.expected == []


def test_base_looks_for_the_process() -> None:
    table = "UID PID PPID C\nroot 7 1 0 00:00 ? 00:00:00 /opt/daemon -d\n"
    host = MemoryHost(
        installed=["kill"],
        commands=[Expected("ps -ef", table), Expected("ps -ef", table), Expected(("kill", "7"))],
    )
    done = apply(
        host, "service { 'x': provider => base, ensure => stopped, pattern => '/opt/d\\w+' }"
    )
    assert done.changes == ["Service[x]/ensure: ensure changed 'running' to 'stopped'"]


def test_failed_start_says_why() -> None:
    host = MemoryHost(
        installed=["kill"],
        commands=[Expected("/opt/status", code=1), Expected("/opt/start", "no\n", 5)],
    )
    done = apply(
        host,
        "service { 'x': provider => base, ensure => running,"
        " status => '/opt/status', start => '/opt/start' }",
    )
    reason = "Could not start Service[x]: Execution of '/opt/start' returned 5: no"
    assert done.changes == [
        f"Service[x]/ensure: change from 'stopped' to 'running' failed: {reason}"
    ]


def test_init_scripts_are_found_in_the_path() -> None:
    host = MemoryHost(
        {"/etc/os-release": "ID=alpine\n", "/etc/init.d/x.sh": file(mode=0o755)},
        installed=["kill"],
        commands=[
            Expected(("/etc/init.d/x.sh", "status"), code=3),
            Expected(("/etc/init.d/x.sh", "start")),
        ],
    )
    done = apply(host, "service { 'x': ensure => running } service { 'y': ensure => running }")
    assert done.changes[0] == "Service[x]/ensure: ensure changed 'stopped' to 'running'"
    assert done.report.events()[1].message == "Could not find init script for 'y'"


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ("ensure => 'runing'", 'Invalid value "runing". Valid values are stopped, running.'),
        (
            "enable => delayed",
            "Provider systemd must have features 'delayed_startable' to set 'enable' to 'delayed'",
        ),
        ("provider => nosuch", "Invalid service provider 'nosuch'"),
    ],
)
def test_invalid_values(parameters: str, reason: str) -> None:
    with pytest.raises(PuppetError) as caught:
        apply(machine(), f"service {{ 'a': {parameters} }}")
    assert reason in caught.value.message


def test_provider_that_does_not_enable_ignores_enable() -> None:
    host = MemoryHost(installed=["kill"], commands=[Expected("/opt/status")])
    manifest = "service { 'x': provider => base, enable => true, ensure => running, status => '/opt/status' }"
    assert apply(host, manifest).changes == []


def test_systemd_lists_units_and_templates_without_init_scripts() -> None:
    listing = ("/usr/bin/systemctl", "list-unit-files", "--type", "service", "--full", "--all")
    units = "a.service enabled enabled\nb@.service static -\nc.service generated -\n"
    host = MemoryHost(
        {**SYSTEMD, "/etc/init.d/old": file(mode=0o755)},
        commands=[
            Expected((*listing, "--no-pager"), units),
            Expected((*SHOW, "a.service"), unit("active")),
        ],
        installed=["systemctl", "kill", *Debian.programs],
    )
    kind = resource_type(
        "service", Run(host, lambda *_, **__: None, {"noop": False}, BUILTIN_TYPES)
    )
    assert kind is not None
    assert list(kind.instances()) == [
        ("a.service", "systemd", {"ensure": "running", "enable": "true"}),
        ("b@.service", "systemd", {"ensure": "stopped", "enable": "true"}),
    ]


# -- other systems -----------------------------------------------------------------------------------


def test_the_default_of_gentoo_is_openrc() -> None:
    shown = (
        "Runlevel: default\n cron   [  started  ]\nDynamic Runlevel: manual\n web  [  started  ]\n"
    )
    status = Expected(("/bin/rc-status", "-C", "-a"), shown)
    host = MemoryHost(
        {"/etc/os-release": "ID=gentoo\n"},
        commands=[status, status, Expected(("/sbin/rc-update", "-C", "add", "web"))],
        installed=["kill", "/bin/rc-status", "/sbin/rc-service", "/sbin/rc-update"],
    )
    done = apply(host, "service { ['cron', 'web']: enable => true }")
    assert done.changes == ["Service[web]/enable: enable changed 'false' to 'true'"]
    assert host.expected == []


def test_variables_of_freebsd_are_changed_where_they_are_set() -> None:
    rcvar = Expected(("/etc/rc.d/web", "rcvar"), '# web\n#\nweb_enable="NO"\n')
    host = MemoryHost(
        {
            "/etc/os-release": "ID=freebsd\n",
            "/etc/rc.d/web": file(mode=0o755),
            "/etc/rc.conf": file('a="b"\nweb_enable=NO\n', mode=0o600),
        },
        commands=[rcvar, rcvar],
    )
    assert len(apply(host, "service { 'web': enable => true }").changes) == 1
    assert host.text("/etc/rc.conf") == 'a="b"\nweb_enable="YES"\n'
    assert host.entry("/etc/rc.conf").mode == 0o600
