"""A site in one directory: it runs, its backup restores it, and nothing is done by halves."""

from __future__ import annotations

import re
import sqlite3
import stat
import subprocess

import pytest

from bunraku.administration.site import SiteDirectory
from bunraku.jobs.site_init import NewSite, next_steps
from support.own_server import wait_for
from support.run_site import (
    BUNRAKU,
    agent,
    call,
    init_words,
    nodes_in,
    ports_of,
    printed_commands,
    running,
)

NODES = ("web1.example.com",)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A site that has run with an agent, its commands, and a backup that was written meanwhile."""
    folder = tmp_path_factory.mktemp("administration")
    root = folder / "site"
    done = subprocess.run(
        [*BUNRAKU, *init_words(root)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    commands = printed_commands(done.stdout)
    port, dashboards = ports_of(root)
    with running(commands, folder / "log"):
        first = [agent(folder / "nodes", node, port).returncode for node in NODES]
        signed = [
            call("ca", "sign", "--confdir", root / "etc/puppet", "--certname", node)
            for node in NODES
        ]
        runs = [agent(folder / "nodes", node, port) for node in NODES]
        assert call("site", "backup", folder / "backup.tar.gz", "--site", root) == 0
        known = nodes_in(dashboards)
    return folder, commands, first, signed, runs, known


def test_agents_of_a_new_site_run_once_they_are_signed(made):
    _folder, _commands, first, signed, runs, known = made
    assert first == [1]
    assert signed == [0]
    assert [one.returncode for one in runs] == [0], runs[0].stdout + runs[0].stderr
    assert known == set(NODES)


def test_a_restored_site_serves_its_agents(made, tmp_path):
    folder, commands, *_ = made
    root = tmp_path / "restored"
    assert call("site", "restore", folder / "backup.tar.gz", root) == 0
    moved = [
        [word.replace(str(folder / "site"), str(root)) for word in words] for words in commands
    ]
    port, dashboards = ports_of(root)
    with running(moved, tmp_path / "log"):
        run = agent(folder / "nodes", NODES[0], port)
        assert run.returncode == 0, run.stdout + run.stderr
        assert nodes_in(dashboards) == set(NODES)
        purge = ("puppet", "node", "purge", NODES[0], "--confdir", root / "etc/puppet")
        assert call(*purge) == 0
        wait_for(lambda: nodes_in(dashboards) == set(), "the deactivation")
        refused = agent(folder / "nodes", NODES[0], port)
        assert "certificate revoked" in refused.stdout + refused.stderr
    assert str(folder / "site") not in (root / "etc/puppet/puppet.conf").read_text()
    status = subprocess.run(
        [*BUNRAKU, "deploy", "environment", "--config", str(root / "etc/r10k/r10k.yaml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "production  unchanged" in status.stdout


def test_private_files_of_a_restored_site_are_private(made, tmp_path):
    folder, *_ = made
    root = tmp_path / "restored"
    assert call("site", "restore", folder / "backup.tar.gz", root) == 0
    assert stat.S_IMODE((folder / "backup.tar.gz").stat().st_mode) == 0o600
    for path in (folder / "site").rglob("*"):
        other = root / path.relative_to(folder / "site")
        if path.is_file() and other.exists():
            assert other.stat().st_mode == path.stat().st_mode, path
    assert (root / "etc/puppet/ssl/ca").resolve() == (root / "etc/puppetserver/ca").resolve()


def test_a_backup_has_one_state_of_a_database_that_is_written(made, tmp_path):
    folder, *_ = made
    root = tmp_path / "restored"
    assert call("site", "restore", folder / "backup.tar.gz", root) == 0
    with sqlite3.connect(root / "data/puppetdb/puppetdb.sqlite") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


# The last eight bytes are the checksum and the size. Only they show a changed time or mode of a file.
@pytest.mark.parametrize("at", [10, 500, 0.2, 0.5, 0.8, 0.95, -8, -1])
def test_a_damaged_backup_is_refused_and_nothing_is_restored(made, tmp_path, capsys, at):
    folder, *_ = made
    content = bytearray((folder / "backup.tar.gz").read_bytes())
    place = int(len(content) * at) if 0 < at < 1 else at
    content[place] ^= 0x55
    damaged = tmp_path / "damaged.tar.gz"
    damaged.write_bytes(content)
    assert call("site", "restore", damaged, tmp_path / "new") == 1
    assert re.search(r"SITE_BACKUP_(DAMAGED|FOREIGN)", capsys.readouterr().err)
    assert [one.name for one in tmp_path.iterdir()] == ["damaged.tar.gz"]


@pytest.mark.parametrize("part", [0, 0.3, 0.9, 0.999])
def test_a_backup_that_ends_too_early_is_refused(made, tmp_path, capsys, part):
    folder, *_ = made
    content = (folder / "backup.tar.gz").read_bytes()
    short = tmp_path / "short.tar.gz"
    short.write_bytes(content[: int(len(content) * part)])
    assert call("site", "restore", short, tmp_path / "new") == 1
    assert "SITE_BACKUP_" in capsys.readouterr().err
    assert [one.name for one in tmp_path.iterdir()] == ["short.tar.gz"]


def test_commands_for_another_user_are_printed_with_that_user(tmp_path):
    places = ("127.0.0.1:8140", "127.0.0.1:8081", "127.0.0.1:8080")
    site = SiteDirectory(str(tmp_path), "localhost", "sqlite", *places)
    made = NewSite(site, "someone", ["puppetdb"], ["server"], ["deploy"], ["a.service"], True)
    assert "  runuser -u someone -- bunraku deploy\n" in next_steps(made)


def test_a_directory_with_files_is_left_alone(made, tmp_path, capsys):
    folder, *_ = made
    (tmp_path / "here").mkdir()
    (tmp_path / "here/note").write_text("mine")
    assert call("site", "restore", folder / "backup.tar.gz", tmp_path / "here") == 1
    assert call("site", "init", tmp_path / "here", "--certname", "localhost") == 1
    assert capsys.readouterr().err.count("SITE_OCCUPIED") == 2
    assert [one.name for one in (tmp_path / "here").iterdir()] == ["note"]
