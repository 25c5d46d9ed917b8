"""Backups in a directory: the newest are kept, and nothing else is touched."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bunraku.administration.retention import backups_in, next_file, remove_old
from bunraku.administration.site import SiteDirectory
from bunraku.administration.units import ORDER, site_units
from bunraku.base.errors import PuppetError

PLACES = ("127.0.0.1:8140", "127.0.0.1:8081", "127.0.0.1:8080")
MOMENTS = ("20261127T010000Z", "20261126T010000Z", "20261125T235959Z", "20251231T010000Z")
OTHERS = (
    "puppet.example.com-20261128T010000Z.tar.gz.part",
    "other.example.com-20261128T010000Z.tar.gz",
    "puppetXexample.com-20261128T010000Z.tar.gz",
    "puppet.example.com.tar.gz",
    "note",
)


def site_in(root: Path) -> SiteDirectory:
    """Return a site in a directory."""
    return SiteDirectory(str(root), "puppet.example.com", "sqlite", *PLACES)


@pytest.fixture
def backups(tmp_path):
    """A directory with four backups of a site, and other files."""
    for moment in MOMENTS:
        (tmp_path / f"puppet.example.com-{moment}.tar.gz").write_text(moment)
    for name in OTHERS:
        (tmp_path / name).write_text("mine")
    (tmp_path / "puppet.example.com-20240101T010000Z.tar.gz").mkdir()
    return tmp_path


def test_the_newest_backups_are_kept(backups):
    site = site_in(backups / "site")
    removed = remove_old(site, str(backups), 2)
    assert [Path(one).name.split("-")[1][:16] for one in removed] == list(MOMENTS[2:])
    assert [Path(one).read_text() for one in backups_in(site, str(backups))] == list(MOMENTS[:2])
    assert all((backups / name).read_text() == "mine" for name in OTHERS)
    assert remove_old(site, str(backups), 2) == []


def test_a_backup_that_cannot_be_removed_is_an_error(tmp_path):
    with pytest.raises(PuppetError, match=r"SITE_FAILED|Cannot remove"):
        remove_old(site_in(tmp_path), str(tmp_path / "absent"), 1)


def test_a_missing_directory_is_made_for_its_owner_alone(tmp_path):
    file = Path(next_file(site_in(tmp_path / "site"), str(tmp_path / "new" / "backups")))
    assert re.fullmatch(r"puppet\.example\.com-\d{8}T\d{6}Z\.tar\.gz", file.name)
    assert file.parent.stat().st_mode & 0o777 == 0o700


# -- units ---------------------------------------------------------------------------------------


def unit_of(tmp_path, name, backups="/backups of mine"):
    """Return the lines of a unit of a site."""
    words = ["/opt/bin/bunraku"]
    return site_units(site_in(tmp_path), words, ("puppet", "puppet"), backups)[name].splitlines()


def test_the_unit_backs_up_to_the_directory_and_can_write_there(tmp_path):
    lines = unit_of(tmp_path, "bunraku-backup.service")
    assert "User=puppet" in lines
    assert f'ReadWritePaths={tmp_path} "-/backups of mine"' in lines
    assert (
        f'ExecStart=/opt/bin/bunraku site backup "/backups of mine" --site {tmp_path} --keep 14 $OPTIONS'
        in lines
    )
    (before,) = [line for line in lines if line.startswith("ExecStartPre=")]
    assert before == (
        "ExecStartPre=+/usr/bin/install --directory --mode=0700 --owner=puppet --group=puppet"
        ' "/backups of mine"'
    )
    assert not any(line.startswith("Condition") for line in lines)


def test_a_deployment_takes_options_of_a_drop_in(tmp_path):
    lines = unit_of(tmp_path, "bunraku-deploy.service")
    assert f"Environment=XDG_CACHE_HOME={tmp_path}/data/cache OPTIONS=" in lines
    (start,) = [line for line in lines if line.startswith("ExecStart=")]
    assert start.endswith(" $OPTIONS")


def test_systemd_finds_no_mistake_in_the_units_of_a_site(tmp_path):
    units = site_units(site_in(tmp_path), ["/bin/true"], ("root", "root"), str(tmp_path / "b"))
    assert {*ORDER} <= units.keys()
    for name, text in units.items():
        (tmp_path / name).write_text(text)
    try:
        done = subprocess.run(
            ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in units)],
            capture_output=True,
            text=True,
            check=False,
        )
    except FileNotFoundError:
        pytest.skip("needs systemd-analyze")
    assert [line for line in done.stderr.splitlines() if "bunraku" in line] == []
