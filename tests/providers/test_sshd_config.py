"""The types of OpenSSH's files: titles, conditions, lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from bunraku import PuppetError
from bunraku.catalog.catalog import Catalog
from bunraku.providers.sshd_config_match.augeas import MatchBlocks
from bunraku.world.augeas import is_installed
from bunraku.world.linux import LinuxHost
from support.applying import Applied, apply, run_on

pytestmark = pytest.mark.skipif(not is_installed(), reason="libaugeas.so.0 is not installed")


def applied(*resources: tuple[str, str, dict[str, object]]) -> Applied:
    """Apply resources: type, title and parameters."""
    data = [{"type": one, "title": title, "parameters": rest} for one, title, rest in resources]
    return apply(LinuxHost(), Catalog({"name": "node", "resources": data, "edges": []}))


def test_a_title_has_conditions_and_a_file(tmp_path: Path) -> None:
    file = tmp_path / "sshd_config"
    file.write_text("UsePAM yes\n")
    setting = {"key": "PermitTTY", "value": "no", "condition": "User eve", "target": str(file)}
    run = applied(
        ("Sshd_config", "tty", setting),
        ("Sshd_config_match", f"User eve in {file}", {"ensure": "present"}),
    )
    assert run.changes == [
        f"Sshd_config_match[User eve in {file}]/ensure: created",
        "Sshd_config[tty]/ensure: created",
    ]
    assert file.read_text() == (
        f'UsePAM yes\nMatch User "eve"\n  # User eve in {file}: created by Puppet\n  PermitTTY no\n'
    )


def test_lists_are_extended(tmp_path: Path) -> None:
    file = tmp_path / "sshd_config"
    file.write_text("AllowUsers a b\n")
    values = {"value": ["c", "a"], "array_append": True, "target": str(file)}
    run = applied(("Sshd_config", "AllowUsers", values))
    assert run.changes == [
        "Sshd_config[AllowUsers]/value: value changed ['a', 'b'] to ['a', 'b', 'c']"
    ]
    assert file.read_text() == "AllowUsers a b c\n"


def test_wrong_conditions_are_refused() -> None:
    with pytest.raises(PuppetError, match="odd number of arguments for Hash"):
        applied(("Sshd_config", "a", {"value": "x", "condition": "User a b"}))


def test_blocks_are_listed_by_their_conditions(tmp_path: Path) -> None:
    class Elsewhere(MatchBlocks):
        default_target = str(tmp_path / "sshd_config")

    (tmp_path / "sshd_config").write_text(
        "Port 22\nMatch User anna Host *.example.net\n  X11Forwarding no\nMatch Group staff\n  PermitTTY no\n"
    )
    found = Elsewhere(run_on(LinuxHost())).instances(None)
    assert list(found) == [
        f"User anna Host *.example.net in {tmp_path}/sshd_config",
        f"Group staff in {tmp_path}/sshd_config",
    ]
