"""Environments that change while the server runs."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from bunraku.modules.environment import load_environment
from bunraku.server.files.environment import ServedEnvironments
from support.server_files import MACHINE, files_of


@pytest.fixture
def site(tmp_path):
    environment = tmp_path / "code/environments/production"
    (environment / "modules/one/files").mkdir(parents=True)
    return environment, files_of(tmp_path / "code/environments").environment


def test_modules_that_come_and_go_are_noticed(site):
    environment, find = site
    assert list(find("production").modules) == ["one"]
    (environment / "modules/two").mkdir()
    assert list(find("production").modules) == ["one", "two"]
    (environment / "modules/one").rename(environment / "modules/three")
    assert list(find("production").modules) == ["three", "two"]


def test_another_modulepath_is_noticed(site):
    environment, find = site
    (environment / "site/own").mkdir(parents=True)
    assert list(find("production").modules) == ["one"]
    for folder, module in (("site", "own"), ("modules", "one")):
        (environment / "environment.conf").write_text(f"modulepath = {folder}\n")
        found = find("production")
        assert list(found.modules) == [module]
        assert found.modulepath == (str(environment / folder),)
    (environment / "environment.conf").unlink()
    assert list(find("production").modules) == ["one"]


def test_environments_that_come_and_go_are_noticed(site):
    environment, find = site
    assert find("testing") is None
    (environment.parent / "testing").mkdir()
    assert find("testing").modules == {}
    (environment.parent / "testing").rmdir()
    assert find("testing") is None


@pytest.mark.parametrize("name", ["..", "production/..", "", "a b", "production\n"])
def test_other_names_are_not_environments(site, name):
    assert site[1](name) is None


def test_modules_with_invalid_names_or_metadata_are_not_served(site):
    environment, find = site
    for name in ("Upper", "a-b", ".git"):
        (environment / "modules" / name).mkdir()
    (environment / "modules/one/metadata.json").write_text("{")
    assert find("production").modules == {}


def test_an_environment_that_stays_is_loaded_once(site, tmp_path):
    environment, _ = site
    old = 1_700_000_000
    for path in (environment, environment / "modules", environment / "modules/one"):
        os.utime(path, (old, old))
    loaded = []

    def load(name):
        loaded.append(name)
        return load_environment(name, [str(environment.parent)], MACHINE)

    find = ServedEnvironments(load)
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(find, ["production"] * 50))
    assert len({id(one) for one in found}) == 1
    assert len(loaded) == 2  # the second time its state is known
    find.forget()
    assert find("production") == found[0]
    assert len(loaded) == 4
