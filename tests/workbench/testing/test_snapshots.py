"""Snapshots of catalogs in tests that use the plugin."""

from __future__ import annotations

import pytest

from support.plugin_runs import run_tests

TEST = """\
import pytest

@pytest.mark.parametrize("mode", ["0644", "0600"])
def test_motd(compile, snapshot, mode):
    code = "file { '/etc/motd': mode => '%s', content => Sensitive('s3cret') } notify { 'a': }" % mode
    assert snapshot(compile(code=code))
    assert snapshot(compile(code="notify { 'b': message => 'x' }"))
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "bunraku.toml").write_text('modulepath = ["modules"]\n')
    (tmp_path / "modules").mkdir()
    (tmp_path / "test_motd.py").write_text(TEST)
    return tmp_path


def run(folder, *words):
    return run_tests(folder, "-q", *words)


def test_a_missing_snapshot_fails_and_says_how_to_accept(folder):
    done = run(folder)
    assert done.returncode == 1
    assert "there is no snapshot snapshots/test_motd/test_motd[0644].pp" in done.stdout
    assert "accept this catalog with --bunraku-update" in done.stdout
    assert not (folder / "snapshots").exists()


def test_accepted_catalogs_pass_and_hold_no_secret(folder):
    assert run(folder, "--bunraku-update").returncode == 0
    assert run(folder).returncode == 0
    files = sorted(path.name for path in (folder / "snapshots" / "test_motd").iterdir())
    assert files == [
        "test_motd[0600].2.pp",
        "test_motd[0600].pp",
        "test_motd[0644].2.pp",
        "test_motd[0644].pp",
    ]
    text = (folder / "snapshots" / "test_motd" / "test_motd[0644].pp").read_text()
    assert text == (
        "file { '/etc/motd':\n"
        "  mode    => '0644',\n"
        "  content => Sensitive [value redacted],\n"
        "}\n"
        "\n"
        "notify { 'a': }\n"
    )


def test_a_change_is_shown_by_lines(folder):
    run(folder, "--bunraku-update")
    file = folder / "test_motd.py"
    file.write_text(file.read_text().replace("message => 'x'", "message => 'y'"))
    done = run(folder)
    assert done.returncode == 1
    assert "the catalog differs from snapshots/test_motd/test_motd[0644].2.pp" in done.stdout
    assert "-   message => 'x'," in done.stdout
    assert "+   message => 'y'," in done.stdout


def test_places_and_the_order_of_declarations_do_not_count(folder):
    run(folder, "--bunraku-update")
    file = folder / "test_motd.py"
    moved = (
        file.read_text()
        .replace("file {", "notify { 'a': } \\n file {")
        .replace("} notify { 'a': }\" %", '}" %')
    )
    assert moved != file.read_text()
    file.write_text(moved)
    assert run(folder).returncode == 0
