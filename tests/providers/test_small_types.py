"""The resource types loginctl_user, grafana_plugin and rvm_system_ruby."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from support.applying import apply, declared
from support.host import Expected, MemoryHost, file

LOGINCTL, GRAFANA, RVM = "/usr/bin/loginctl", "/usr/bin/grafana-cli", "/usr/local/rvm/bin/rvm"
PROXY = "http://user:s3cret-w0rd@proxy:3128"


def test_user_without_a_session_does_not_linger() -> None:
    asked = (LOGINCTL, "show-user", "anna", "--property=Linger", "--value")
    commands = [Expected(asked, code=1), Expected((LOGINCTL, "enable-linger", "anna"))]
    host = MemoryHost(commands=commands, installed=["loginctl"])

    done = apply(host, declared("loginctl_user", {"anna": {"linger": "enabled"}}))

    assert done.changes == ["Loginctl_user[anna]/linger: linger changed 'disabled' to 'enabled'"]


def test_plugins_are_listed_once_for_all() -> None:
    commands = [
        Expected((GRAFANA, "plugins", "ls"), "installed plugins:\na @ 1.0.0 \nb @ 2.0.0\n"),
        Expected((GRAFANA, "plugins", "install", "b", "2.1.0")),
    ]
    host = MemoryHost(commands=commands, installed=["grafana-cli"])

    wanted = {"a": {}, "b": {"ensure": "2.1.0"}}
    done = apply(host, declared("grafana_plugin", wanted))

    assert done.changes == ["Grafana_plugin[b]/ensure: ensure changed '2.0.0' to '2.1.0'"]


def test_password_of_a_proxy_is_only_in_the_environment() -> None:
    commands = [
        Expected((RVM, "list", "strings"), "ruby-2.7\n"),
        Expected((RVM, "install", "ruby-3.2", "")),
    ]
    host = MemoryHost({RVM: file("", 0o755)}, commands=commands)

    apply(
        host, declared("rvm_system_ruby", {"ruby-3.2": {"ensure": "present", "proxy_url": PROXY}})
    )

    assert host.ran[1].environment["https_proxy"] == PROXY


@pytest.mark.parametrize(
    ("type_", "attributes"),
    [
        ("loginctl_user", {"linger": "yes"}),
        ("grafana_plugin", {"ensure": "newest"}),
        ("grafana_plugin", {"repo": "ftp://x"}),
        ("rvm_system_ruby", {"autolib_mode": "never"}),
    ],
)
def test_wrong_values(type_: str, attributes: dict[str, object]) -> None:
    with pytest.raises(PuppetError):
        apply(MemoryHost(), declared(type_, {"x": attributes}))
