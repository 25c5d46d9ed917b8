"""The project of a file in an editor is that of a search from its directory, also where it is known from the one above."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bunraku.jobs.editor import Projects

FILES = {
    "environment.conf": "modulepath = site:modules\n",
    "manifests/site.pp": "",
    "data/nodes/web.yaml": "",
    "modules/ntp/metadata.json": '{"name": "me-ntp"}',
    "modules/ntp/manifests/init.pp": "class ntp {}",
    "modules/ntp/manifests/deep/er/a.pp": "",
    "modules/ntp/spec/fixtures/modules/web/manifests/init.pp": "class web {}",
    "site/role/manifests/web.pp": "",
    "other/metadata.json": '{"name": "me-other"}',
    "other/manifests/init.pp": "class other {}",
    "other/lib/puppet/functions/f.rb": "",
    "set/bunraku.toml": 'language = "7"\n',
    "set/deep/a.pp": "",
    "inner/.git/config": "",
    "inner/deep/a.pp": "",
    "plain/pyproject.toml": "",
    "plain/deep/a.pp": "",
    "old/puppet.conf": "[main]\nparser = current\n",
    "old/modules/a/manifests/init.pp": "class a {}",
}


@pytest.fixture
def root(tmp_path):
    """A repository with projects in it."""
    for name, text in FILES.items():
        path = tmp_path / "repository" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "repository/.git").mkdir()
    return tmp_path / "repository"


def directories(root: Path) -> list[str]:
    """Return all directories, those below first."""
    return [directory for directory, _names, _files in os.walk(root, topdown=False)]


def compared(root: Path) -> dict[str, str]:
    """Return the root of the project of each directory; it must be that of a search."""
    projects, found = Projects([].append), {}
    for directory in directories(root):
        known, searched = projects(directory), Projects([].append).found_project(directory)
        for name in ("root", "is_project", "modulepath", "settings", "dialect_key"):
            assert getattr(known, name) == getattr(searched, name), (directory, name)
        found[os.path.relpath(directory, root)] = os.path.relpath(known.root, root)
    return found


def test_projects_are_those_of_a_search(root):
    found = compared(root)
    assert found["modules/ntp/manifests/deep/er"] == "."
    assert found["other/lib/puppet/functions"] == "other"
    assert found["inner/deep"] == "inner/deep"
    assert found["old/modules/a"] == "old"


def test_a_directory_that_is_known_from_the_one_above_is_the_same_object(root):
    projects = Projects([].append)
    assert projects(f"{root}/other/lib/puppet") is projects(f"{root}/other")


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o1777, 0o700])
@pytest.mark.parametrize("name", ["", "other", "other/lib", "set"])
def test_directories_that_others_may_write_are_searched(root, name, mode):
    (root / name).chmod(mode)
    compared(root)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to give a directory to another user")
@pytest.mark.parametrize("name", ["", "other", "other/lib", "set"])
def test_directories_of_another_user_are_searched(root, name):
    os.chown(root / name, 65534, 65534)
    compared(root)
