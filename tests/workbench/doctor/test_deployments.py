"""Deployed environments that are behind their branch, or that somebody has changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.deployment_site import Site as DeploymentSite
from support.doctor_site import Site


@pytest.fixture
def sites(tmp_path):
    deployed = DeploymentSite(tmp_path / "deployed")
    deployed.deploy()
    return deployed, Site(tmp_path / "machine")


def found_in(deployed, site):
    """Return the codes that are found, with the r10k.yaml of the deployments."""
    found = site.examine(deploy_config=str(deployed.options().config))
    assert found.unchecked == ()
    return [one.code for one in found.findings]


def test_a_deployment_is_healthy(sites):
    assert found_in(*sites) == []


def test_an_edited_file_is_found(sites):
    deployed, site = sites
    path = next(iter(deployed.env.glob("production/**/*.pp")))
    path.write_text("# edited\n")
    assert found_in(deployed, site) == ["deployment-changed"]


def test_a_branch_with_more_commits_is_found(sites):
    deployed, site = sites
    deployed.control.commit({"more": "1\n"})
    assert found_in(deployed, site) == ["deployment-behind"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can have the repository of another user")
def test_root_reads_the_branch_of_a_repository_of_another_user(sites):
    deployed, site = sites
    deployed.control.commit({"more": "1\n"})
    remote = Path(deployed.control.url)
    for path in (remote, *remote.rglob("*")):
        os.lchown(path, 1, 1)
    assert found_in(deployed, site) == ["deployment-behind"]
