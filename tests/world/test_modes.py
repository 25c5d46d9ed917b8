"""Files that may hold secrets are private, also if the umask takes no rights."""

from __future__ import annotations

import os
import stat
from contextlib import closing

import pytest

from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.puppetdb.databases.opening import open_database
from bunraku.world.whole_files import make_folders

EVERYBODY = stat.S_IRWXO


@pytest.fixture(autouse=True)
def no_umask(tmp_path, monkeypatch):
    before = os.umask(0)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    tmp_path.chmod(0o700)
    yield
    os.umask(before)


def open_to_others(folder):
    """The files and directories below a folder that other users can read or change."""
    found = {}
    for top, folders, names in os.walk(folder):
        for name in (*folders, *names):
            path = os.path.join(top, name)
            mode = os.lstat(path).st_mode
            if not stat.S_ISLNK(mode) and mode & (EVERYBODY | stat.S_IWGRP):
                found[os.path.relpath(path, folder)] = oct(stat.S_IMODE(mode))
    return found


@pytest.mark.parametrize("mode", [0o700, 0o750, 0o755])
def test_missing_directories_have_the_mode_from_the_start(mode, tmp_path):
    (tmp_path / "there").mkdir(mode=0o711)
    make_folders(str(tmp_path / "there/a/b/c"), mode)
    make_folders(str(tmp_path / "there/a/b/c"), 0o777)
    make_folders("relative/d/", mode)
    made = ("there/a", "there/a/b", "there/a/b/c", "relative", "relative/d")
    assert {stat.S_IMODE((tmp_path / one).stat().st_mode) for one in made} == {mode}
    assert stat.S_IMODE((tmp_path / "there").stat().st_mode) == 0o711
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        make_folders(str(tmp_path / "file"), mode)
    with pytest.raises(NotADirectoryError):
        make_folders(str(tmp_path / "file/below"), mode)


def test_catalogs_of_many_nodes(tmp_path):
    (tmp_path / "facts").mkdir()
    (tmp_path / "facts/n.yaml").write_text("os: {}\n")
    (tmp_path / "site.pp").write_text("notify { 'x': }\n")
    words = ["site.pp", "--all", "--facts-folder", "facts", "--output-folder", "out/of/all"]
    assert main(["compile", *words]) == exits.OK
    assert (tmp_path / "out/of/all/n.json").exists()
    assert open_to_others(tmp_path / "out") == {}
    assert stat.S_IMODE((tmp_path / "out").stat().st_mode) == 0o750
    assert open_to_others(tmp_path / "cache") == {}


def test_a_run_and_a_plan(tmp_path):
    (tmp_path / "a.pp").write_text("notify { 'x': }\n")
    folders = ["--vardir", str(tmp_path / "deep/of/vardir")]
    log = ["--logdest", str(tmp_path / "logs/of/run.log")]
    assert main(["apply", "a.pp", *folders, *log]) == exits.OK
    assert main(["plan", "a.pp", *folders, "--out", "saved.plan"]) in (exits.OK, exits.FINDINGS, 2)
    assert stat.S_IMODE((tmp_path / "saved.plan").stat().st_mode) == 0o600
    for folder in ("deep", "logs"):
        assert not [
            path
            for path, mode in open_to_others(tmp_path / folder).items()
            if int(mode, 8) & (stat.S_IWOTH | stat.S_IWGRP)
        ]
    found = open_to_others(tmp_path / "deep/of/vardir")
    assert all("summary" in path or "lock" in path for path in found), found
    assert stat.S_IMODE((tmp_path / "logs/of/run.log").stat().st_mode) == 0o640


def test_an_export_of_puppetdb(tmp_path):
    with closing(open_database("site.db")):
        pass
    (tmp_path / "site.tgz").touch(0o644)
    assert main(["puppetdb", "export", "--database", "site.db", "site.tgz"]) == exits.OK
    assert (tmp_path / "site.tgz").stat().st_size > 0
    assert open_to_others(tmp_path) == {}
