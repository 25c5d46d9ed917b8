"""The types for the policy of SELinux."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.providers.selinux import LISTS
from support.applying import apply, declared
from support.host import Entry, Expected, MemoryHost, file

GET, SET = "/usr/sbin/getsebool", "/usr/sbin/setsebool"


def test_booleans_are_listed_once_until_something_changes() -> None:
    programs = {GET: file("", 0o755), SET: file("", 0o755)}
    commands = [
        Expected((GET, "-a"), "a --> on\nb --> off\nc --> off pending: on\n"),
        Expected((SET, "-P", "b", "on")),
        Expected((GET, "c"), "c --> off pending: on\n"),
    ]
    wanted = {
        "a": {"value": "on"},
        "b": {"value": True, "persistent": True},
        "c": {"value": "true"},
    }

    done = apply(MemoryHost(programs, commands=commands), declared("selboolean", wanted))

    assert done.changes == ["Selboolean[b]/value: value changed 'off' to 'on'"]


SELINUX = {
    "/proc/self/mounts": file("selinuxfs /sys/fs/selinux selinuxfs rw 0 0\n"),
    "/etc/selinux/config": file("SELINUX=enforcing\nSELINUXTYPE=mls\n"),
}
SEMANAGE, PYTHON = "/usr/bin/semanage", "/usr/bin/python3"
IMPORT = Expected((PYTHON, "-c", "import semanage"))


def with_selinux(*commands: Expected, more: dict[str, Entry] | None = None) -> MemoryHost:
    return MemoryHost(
        {**SELINUX, **(more or {})}, commands=list(commands), installed=["semanage", "python3"]
    )


def test_contexts_are_read_from_the_files_of_the_policy() -> None:
    where = "/etc/selinux/mls/contexts/files"
    files = {
        f"{where}/file_contexts": file("/a\t--\tsystem_u:object_r:a_t:s0\n/b <<none>>\n"),
        f"{where}/file_contexts.local": file("# local\n\n/a  --  staff_u:object_r:b_t:s0\n"),
    }
    change = (SEMANAGE, "fcontext", "-m", "-t", "c_t", "-f", "f", "/a")
    host = with_selinux(Expected(change), more=files)
    wanted = {
        "/a_f": {"ensure": "present", "pathspec": "/a", "file_type": "f", "seltype": "c_t"},
        "/b_a": {"ensure": "present", "pathspec": "/b", "seltype": "<<none>>"},
    }

    done = apply(host, declared("selinux_fcontext", wanted))

    assert done.changes == ["Selinux_fcontext[/a_f]/seltype: seltype changed 'b_t' to 'c_t'"]


def test_ports_of_the_policy_stay() -> None:
    label = "system_u:object_r:a_t:s0"
    listed = f"port_list {label} 80 80 tcp\nport_list_local {label} 90 91 udp\n"
    asked = (PYTHON, "-c", LISTS, "port_list", "port_list_local")
    removal = (SEMANAGE, "port", "-d", "-p", "udp", "90-91")
    host = with_selinux(IMPORT, Expected(asked, listed), Expected(removal))
    wanted = {
        "tcp_80-80": {"ensure": "absent", "low_port": 80, "high_port": 80, "protocol": "tcp"},
        "udp_90-91": {"ensure": "absent", "low_port": 90, "high_port": 91, "protocol": "udp"},
    }

    done = apply(host, declared("selinux_port", wanted))

    assert done.changes == ["Selinux_port[udp_90-91]/ensure: removed"]


def test_range_of_an_existing_login_is_that_of_the_user() -> None:
    users = Expected((PYTHON, "-c", LISTS, "user_list"), "user_list user_u s0\n")
    logins = (PYTHON, "-c", LISTS, "seuser_list", "seuser_list_local")
    change = (SEMANAGE, "login", "-m", "-s", "user_u", "-r", "s0", "anna")
    listed = Expected(logins, "seuser_list_local anna user_u s0-s1\n")
    values = {"selinux_login_name": "anna", "selinux_user": "user_u", "ensure": "present"}

    host = with_selinux(IMPORT, users, listed, Expected(change))
    done = apply(host, declared("selinux_login", {"anna": values}))

    text = "selinux_mlsrange changed 's0-s1' to 's0'"
    assert done.changes == [f"Selinux_login[anna]/selinux_mlsrange: {text}"]


@pytest.mark.parametrize(
    ("type_", "attributes"),
    [
        ("selboolean", {"value": "enabled"}),
        ("selboolean", {"persistent": "yes"}),
        ("selmodule", {"ensure": "loaded"}),
        ("selmodule", {"syncversion": "yes"}),
        ("selinux_fcontext", {"file_type": "x"}),
        ("selinux_fcontext_equivalence", {"target": "usr"}),
        ("selinux_port", {"low_port": 65536}),
        ("selinux_port", {"high_port": "http"}),
        ("selinux_port", {"source": "policy"}),
        ("selinux_login", {"source": "local"}),
    ],
)
def test_wrong_values(type_: str, attributes: dict[str, object]) -> None:
    with pytest.raises(PuppetError):
        apply(MemoryHost(), declared(type_, {"x": attributes}))
