"""Fixtures of deployments: a site to deploy, a project to install modules into."""

from __future__ import annotations

import pytest

from support.deployment_site import Site
from support.git_remotes import VARIABLES
from support.module_project import ModuleProject


@pytest.fixture
def private_directory(tmp_path, monkeypatch):
    """A directory of this user alone, and an environment in which git commits."""
    tmp_path.chmod(0o700)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    return tmp_path


@pytest.fixture
def site(private_directory, monkeypatch):
    """A control repository with an r10k.yaml, whose directory is the working directory."""
    monkeypatch.chdir(private_directory)
    return Site(private_directory)


@pytest.fixture
def project(private_directory, monkeypatch):
    """A project to install modules into, which is the working directory."""
    found = ModuleProject(private_directory)
    monkeypatch.chdir(found.root)
    return found
