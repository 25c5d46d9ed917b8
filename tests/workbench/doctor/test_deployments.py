"""Deployed environments that are behind their branch, or that somebody has changed."""

from __future__ import annotations

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
