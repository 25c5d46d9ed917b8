"""Environments and modules come from Subversion repositories, too; the program ``svn`` reads them."""

import json
import shutil
import subprocess

import pytest

from bunraku.jobs.deploy import DeployOptions, deploy

pytestmark = pytest.mark.skipif(
    not (shutil.which("svn") and shutil.which("svnadmin")), reason="Subversion is not installed"
)


@pytest.fixture
def repository(tmp_path):
    """The URL of a repository with a trunk, a branch and the directory of a module."""
    tmp_path.chmod(0o700)
    path = tmp_path / "repository"
    subprocess.run(["svnadmin", "create", path], check=True)
    files = {
        "trunk/manifests/site.pp": "node default { }\n",
        "trunk/Puppetfile": f"mod 'alpha', :svn => 'file://{path}/modules/alpha', :rev => '1'\n",
        "branches/dev/manifests/site.pp": "node default { notice('dev') }\n",
        "modules/alpha/manifests/init.pp": "class alpha { }\n",
    }
    for name, text in files.items():
        target = tmp_path / "work" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    command = ["svn", "import", "-q", "-m", "start", str(tmp_path / "work"), f"file://{path}"]
    subprocess.run(command, check=True)
    return f"file://{path}"


def deployed(top, repository):
    source = {"type": "svn", "remote": repository, "basedir": str(top / "env")}
    settings = {"cachedir": str(top / "cache"), "sources": {"main": source}}
    path = top / "r10k.yaml"
    path.write_text(json.dumps(settings))
    return deploy(DeployOptions(modules=True, config=str(path)))


def test_the_trunk_is_production_and_branches_are_environments(repository, tmp_path):
    result = deployed(tmp_path, repository)
    assert result.errors == []
    assert (tmp_path / "env/production/manifests/site.pp").read_text() == "node default { }\n"
    assert "dev" in (tmp_path / "env/dev/manifests/site.pp").read_text()
    assert (tmp_path / "env/production/modules/alpha/manifests/init.pp").exists()
    assert not list(tmp_path.glob("env/**/.svn"))
    assert not any(one.changed for one in deployed(tmp_path, repository).environments)


def test_a_commit_is_deployed_and_a_pinned_module_stays(repository, tmp_path):
    deployed(tmp_path, repository)
    copy = tmp_path / "copy"
    subprocess.run(["svn", "checkout", "-q", repository, copy], check=True)
    (copy / "trunk/manifests/site.pp").write_text("node default { notice(2) }\n")
    (copy / "modules/alpha/manifests/init.pp").write_text("class alpha { notice(2) }\n")
    subprocess.run(["svn", "commit", "-q", "-m", "change", copy], check=True)
    result = deployed(tmp_path, repository)
    changed = [one.environment.directory_name for one in result.environments if one.changed]
    assert changed == ["production"]
    top = tmp_path / "env/production"
    assert "notice(2)" in (top / "manifests/site.pp").read_text()
    assert (top / "modules/alpha/manifests/init.pp").read_text() == "class alpha { }\n"


def test_a_revision_that_does_not_exist_leaves_everything_as_it_was(repository, tmp_path):
    deployed(tmp_path, repository)
    copy = tmp_path / "copy"
    subprocess.run(["svn", "checkout", "-q", f"{repository}/trunk", copy], check=True)
    text = (copy / "Puppetfile").read_text()
    (copy / "Puppetfile").write_text(text.replace("'1'", "'99'"))
    subprocess.run(["svn", "commit", "-q", "-m", "wrong", copy], check=True)
    result = deployed(tmp_path, repository)
    assert [error.code for error in result.errors] == ["SVN_FAILED"]
    assert (tmp_path / "env/production/modules/alpha/manifests/init.pp").exists()
