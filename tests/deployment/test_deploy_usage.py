"""Settings and words that few deployments have."""

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.jobs.deploy import rollback, status
from support.deployment_site import Site
from support.forge_server import serving_forge
from support.git_remotes import VARIABLES


@pytest.fixture
def site(tmp_path, monkeypatch):
    tmp_path.chmod(0o700)
    for name, value in VARIABLES.items():
        monkeypatch.setenv(name, value)
    monkeypatch.chdir(tmp_path)
    return Site(tmp_path)


def codes(result):
    return [finding.code for error in result.errors for finding in error]


def test_the_forge_of_the_puppetfile_counts_where_the_settings_permit_it(site):
    with serving_forge() as server:
        server.add("acme-alpha", "1.0.0")
        site.puppetfile(f"forge '{server.url}'", "mod 'acme/alpha', '1.0.0'")
        forge = {"baseurl": "http://127.0.0.1:1"}
        site.settings["forge"] = forge
        assert codes(site.deploy()) == ["FORGE_NOT_REACHED"]
        site.settings["forge"] = {**forge, "allow_puppetfile_override": True}
        assert site.deploy().is_whole
    assert "modules/alpha/metadata.json" in site.files()


def test_a_rollback_asks_no_remote(site):
    site.deploy()
    site.control.commit({"new": "x"})
    site.deploy()
    site.control.bare.rename(site.top / "away.git")
    assert rollback(site.options("production")).is_whole
    assert "new" not in site.files()


def test_the_status_of_an_unknown_environment_is_an_error(site):
    site.deploy()
    with pytest.raises(PuppetError, match=r"prodction.*production"):
        status(site.options("prodction"))


@pytest.mark.parametrize("option", ["--git", "--tag", "--branch", "--commit"])
def test_options_of_add_go_with_nothing_else(site, option, capfd):
    assert main(["modules", "install", option, "x"]) == exits.TROUBLE
    assert f"{option} goes with 'modules add' only" in capfd.readouterr().err


def test_keys_of_the_project_are_no_options_of_deployments(site, capfd):
    """The keys are for compiles: 'environment' chooses no modules, 'config' is a puppet.conf."""
    (site.top / "bunraku.toml").write_text('environment = "dev"\nconfig = "puppet.conf"\n')
    (site.top / "puppet.conf").write_text("[main]\n")
    (site.top / "Puppetfile").write_text("")
    module = site.module()
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    config = site.configure()
    for words in (["deploy", "environment"], ["deploy", "module", "alpha"]):
        assert main([*words, "-c", config]) == exits.OK, capfd.readouterr()
    assert main(["modules", "install"]) == exits.OK, capfd.readouterr()
