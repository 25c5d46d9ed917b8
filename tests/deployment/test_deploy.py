"""Environments are deployed whole or not at all, and what nothing manages stays."""

import json
import os
import stat

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli import exits
from bunraku.cli.main import main
from bunraku.jobs.deploy import rollback, status
from bunraku.jobs.module_locking import lock
from bunraku.jobs.module_site import ModulesOptions


def codes(result):
    return [finding.code for error in result.errors for finding in error]


def test_an_environment_has_its_repository_and_its_modules(site):
    module = site.module()
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    result = site.deploy()
    assert result.is_whole
    assert sorted(site.files()) == [
        "Puppetfile",
        "manifests/site.pp",
        "modules/alpha/manifests/init.pp",
    ]
    info = json.loads((site.env / "production/.r10k-deploy.json").read_text())
    commit = module.git("rev-parse", "HEAD")
    assert info["module_deploys"] == [{"name": "alpha", "version": "main", "sha": commit}]
    assert info["signature"] == site.control.git("rev-parse", "HEAD")


def test_an_unchanged_deployment_writes_nothing(site):
    module = site.module()
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    site.deploy()

    def state():
        return {
            str(path): (path.lstat().st_ino, path.lstat().st_mtime_ns)
            for path in site.env.rglob("*")
        }

    before = state()
    result = site.deploy()
    assert not result.environments[0].changed
    assert state() == before


def test_modes_do_not_depend_on_the_mask(site):
    module = site.module()
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    before = os.umask(0o077)
    try:
        site.deploy()
    finally:
        os.umask(before)
    paths = (site.env / "production").rglob("*")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in paths if path.is_dir()}
    assert modes == {0o755}


def test_all_errors_are_reported_and_nothing_is_switched(site):
    module = site.module()
    site.deploy()
    before = site.files()
    site.puppetfile(
        f"mod 'a', :git => '{module.url}', :ref => 'main'",
        f"mod 'b', :git => '{module.url}', :ref => 'nosuch'",
        f"mod 'c', :git => '{site.top}/absent.git', :ref => 'main'",
        f"mod 'd', :git => '{module.url}'",
    )
    result = site.deploy()
    assert not result.is_whole
    assert sorted(codes(result)) == ["NO_REF", "REMOTE_FAILED", "UNKNOWN_REF"]
    assert site.files() == before
    lines = [error.place.line for error in result.errors]
    assert lines == [2, 3, 4]


def test_errors_name_a_file_that_has_the_line(site):
    site.puppetfile("mod 'a', :git => './nosuch', :ref => 'x'")
    commit = site.control.git("rev-parse", "--short=12", "HEAD")
    place = site.deploy().errors[0].place
    assert place.file == f"{site.control.url}@{commit}:Puppetfile"  # the remote has no working tree
    assert place.code.source.line_text(1).startswith("mod 'a'")
    bare = site.control.bare
    site.control.bare = site.control.work
    assert site.deploy().errors[0].place.file == f"{site.control.work}/Puppetfile"
    site.control.bare = bare
    site.puppetfile("mod 'a', :local => true")
    site.deploy()
    site.puppetfile("mod 'a', :local => true", "mod 'b', :git => './nosuch', :ref => 'x'")
    assert "@" in site.deploy().errors[0].place.file
    text = (site.control.work / "Puppetfile").read_text()
    (site.env / "production/Puppetfile").write_text(text)
    assert site.deploy().errors[0].place.file == f"{site.env}/production/Puppetfile"


def test_a_broken_environment_does_not_stop_the_others(site):
    module = site.module()
    site.puppetfile(f"mod 'a', :git => '{module.url}', :ref => 'main'")
    site.control.branch("broken", {"Puppetfile": "mod 'a', :git => 'ext::sh', :ref => 'x'\n"})
    result = site.deploy()
    assert {one.environment.name: bool(one.errors) for one in result.environments} == {
        "broken": True,
        "production": False,
    }
    assert not (site.env / "broken").exists()
    assert "modules/a/manifests/init.pp" in site.files()


def test_edited_files_are_restored_and_reported(site):
    site.deploy()
    edited = site.env / "production/manifests/site.pp"
    edited.unlink()
    edited.write_text("mine")
    result = site.deploy()
    assert result.is_whole
    assert edited.read_text() == "node default { }\n"
    assert site.warnings() == [f"Overwriting local modifications to {site.env}/production"]


def test_no_force_keeps_edits_and_says_so(site):
    site.deploy()
    edited = site.env / "production/manifests/site.pp"
    edited.unlink()
    edited.write_text("mine")
    site.control.commit({"new": "x"})
    result = site.deploy(force=False)
    assert codes(result) == ["EDITED"]
    assert edited.read_text() == "mine"
    assert not (site.env / "production/new").exists()


def test_files_that_nothing_manages_stay(site):
    site.deploy()
    (site.env / "production/mine").write_text("x")
    (site.env / "production/pipe").symlink_to("mine")
    inode = (site.env / "production/mine").stat().st_ino
    site.control.commit({"new": "x"})
    site.deploy()
    assert (site.env / "production/mine").stat().st_ino == inode
    assert os.readlink(site.env / "production/pipe") == "mine"


def test_modules_that_are_not_declared_go_and_those_of_the_repository_stay(site):
    site.control.commit({"modules/own/manifests/init.pp": "class own { }\n"})
    module = site.module()
    site.puppetfile(
        f"mod 'a', :git => '{module.url}', :ref => 'main'", "mod 'mine', :local => true"
    )
    site.deploy()
    for name in ("stray", "mine"):
        (site.env / f"production/modules/{name}").mkdir()
        (site.env / f"production/modules/{name}/x").write_text("1")
    site.deploy()
    found = {name.split("/")[1] for name in site.files() if name.startswith("modules/")}
    assert found == {"a", "own", "mine"}


def test_the_log_names_what_is_removed_and_changed(site):
    module = site.module()
    site.puppetfile(f"mod 'a', :git => '{module.url}', :ref => 'main'")
    site.control.commit({"gone": "x"})
    site.control.branch("dev", {"x": "1"})
    site.settings = {"deploy": {"purge_levels": ["deployment", "environment", "puppetfile"]}}
    site.deploy()
    root = f"{site.env}/production"
    assert not [text for _level, text in site.log if text.startswith(("Writing", "Removing"))]
    for name in ("mine/deep/x", "modules/stray/x", "manifests/mine.pp"):
        (site.env / "production" / name).parent.mkdir(parents=True, exist_ok=True)
        (site.env / "production" / name).write_text("1")
    (site.env / "production/manifests/site.pp").unlink()
    site.control.commit({"gone": None, "new": "x"})
    site.control.delete("dev")
    site.deploy()
    named = [one for one in site.log if one[1].startswith(("Writing", "Removing", "Found"))]
    assert sorted(named) == [
        ("debug", f"Found local modifications in {root}/manifests/site.pp"),
        ("debug", f"Removing {root}/gone"),
        ("debug", f"Writing {root}/manifests/site.pp"),
        ("debug", f"Writing {root}/new"),
        ("info", f"Removing unmanaged path {site.env}/dev"),
        ("info", f"Removing unmanaged path {root}/manifests/mine.pp"),
        ("info", f"Removing unmanaged path {root}/mine"),
        ("info", f"Removing unmanaged path {root}/modules/stray"),
    ]
    assert ("info", f"Deploying module to {root}/modules/a") in site.log


def test_only_the_named_module_is_deployed(site):
    module = site.module()
    lines = [f"mod '{name}', :git => '{module.url}', :branch => 'main'" for name in "ab"]
    site.puppetfile(*lines)
    site.deploy()
    module.commit({"new": "x"})
    site.control.commit({"other": "x"})
    inode = (site.env / "production").stat().st_ino
    result = site.deploy(only_modules=["a"])
    assert result.is_whole
    assert "modules/a/new" in site.files()
    assert "modules/b/new" not in site.files()
    assert "other" not in site.files()
    assert (site.env / "production").stat().st_ino == inode  # only the module was switched
    assert not site.deploy(only_modules=["a"]).environments[0].changed


def test_unknown_names_are_errors_with_the_nearest_name(site):
    module = site.module()
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :ref => 'main'")
    site.deploy()
    wrong = site.deploy(only_modules=["alpa"])
    assert codes(wrong) == ["UNKNOWN_MODULE"]
    assert "did you mean 'alpha'?" in str(wrong.errors[0])
    assert codes(site.deploy("prodction")) == ["UNKNOWN_ENVIRONMENT"]


def test_an_environment_without_a_branch_is_removed(site):
    site.control.branch("dev", {"x": "1"})
    site.deploy()
    site.control.delete("dev")
    result = site.deploy()
    assert result.removed == [f"{site.env}/dev"]
    assert [one.name for one in site.env.iterdir()] == ["production"]


def test_a_rollback_restores_what_was_deployed_before(site):
    site.deploy()
    before = site.files()
    site.control.commit({"manifests/site.pp": None, "new": "x"})
    site.deploy()
    (site.env / "production/mine").write_text("x")
    assert rollback(site.options("production")).is_whole
    assert site.files() == {**before, "mine": "x"}
    assert rollback(site.options("production"), 2).is_whole
    assert sorted(site.files()) == ["mine", "new"]
    with pytest.raises(PuppetError) as caught:
        rollback(site.options("production"), 17)
    assert caught.value.code == "NO_DEPLOYMENT"


def test_the_status_shows_edits_and_older_deployments(site):
    site.deploy()
    site.control.commit({"new": "x"})
    site.deploy()
    (site.env / "production/new").unlink()
    [found] = status(site.options())
    assert found.live.number == 2
    assert [one.number for one in found.deployments] == [1, 2]
    assert found.missing == ("new",)


def test_what_r10k_has_deployed_is_taken_over(site):
    target = site.env / "production"
    (target / ".git").mkdir(parents=True)
    (target / ".git/HEAD").write_text("ref")
    (target / "manifests").mkdir()
    (target / "manifests/site.pp").write_text("node default { }\n")
    (target / "mine").write_text("x")
    result = site.deploy()
    assert result.is_whole
    assert sorted(site.files()) == ["manifests/site.pp", "mine"]
    assert site.warnings() == []


def test_a_module_from_a_subdirectory_and_submodules(site):
    inner = site.module("inner")
    outer = site.module("outer")
    outer.git("submodule", "--quiet", "add", inner.url, "lib/inner")
    outer.commit({"modules/deep/manifests/init.pp": "class deep { }\n"})
    site.puppetfile(
        f"mod 'outer', :git => '{outer.url}', :branch => 'main'",
        f"mod 'deep', :git => '{outer.url}', :branch => 'main', :path => 'modules/deep'",
    )
    assert site.deploy().is_whole
    assert "modules/outer/lib/inner/manifests/init.pp" in site.files()
    assert site.files()["modules/deep/manifests/init.pp"] == "class deep { }\n"


def test_a_link_that_was_edited_through_is_repaired_everywhere(site):
    site.control.branch("dev", {"x": "1"})
    site.deploy()
    with open(site.env / "dev/manifests/site.pp", "w") as file:
        file.write("edited in place")
    site.deploy()
    assert site.files("dev")["manifests/site.pp"] == "node default { }\n"
    assert site.files()["manifests/site.pp"] == "node default { }\n"


def test_a_failing_hook_is_an_error_and_the_environment_is_deployed(site):
    site.settings = {"postrun": ["/bin/false"]}
    result = site.deploy()
    assert codes(result) == ["POSTRUN_FAILED"]
    assert site.files()


def test_the_write_lock_stops_everything(site):
    site.settings = {"deploy": {"write_lock": "closed"}}
    with pytest.raises(PuppetError) as caught:
        site.deploy()
    assert caught.value.code == "WRITE_LOCK"
    assert not site.env.exists()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"deploy": {"purge_level": []}}, "Unknown setting deploy.purge_level (did you mean"),
        ({"cachdir": "x"}, "Unknown setting cachdir (did you mean 'cachedir'?)"),
        ({"git": {"repositories": [{"remot": "x"}]}}, "Unknown setting git.repositories.0.remot ("),
    ],
)
def test_mistyped_settings_are_errors(site, settings, message):
    site.settings = settings
    with pytest.raises(PuppetError) as caught:
        site.deploy()
    assert caught.value.message.startswith(message)
    assert caught.value.place.line is not None


def test_other_unknown_settings_are_warnings(site):
    site.settings = {"deploy": {"comment_of_ours": "x"}}
    assert site.deploy().is_whole
    assert site.warnings()[0].startswith("Unknown setting deploy.comment_of_ours: it is ignored")


def test_five_environments_take_little_more_space_than_one(site):
    site.control.commit({f"data/{number}": str(number) * 5000 for number in range(20)})
    for number in range(4):
        site.control.branch(f"b{number}", {"marker": str(number)})
    site.deploy()
    inodes = {
        path.stat().st_ino: path.stat().st_size for path in site.env.rglob("*") if path.is_file()
    }
    one = sum(
        path.stat().st_size for path in (site.env / "production").rglob("*") if path.is_file()
    )
    assert sum(inodes.values()) < 1.3 * one


def test_records_are_outside_of_the_environments(site):
    site.deploy()
    assert os.listdir(site.env) == ["production"]
    state = site.top / ".env.bunraku"
    assert state.stat().st_mode & 0o077 == 0
    assert not os.listdir(state / "staging")


# -- the lock file -------------------------------------------------------------------------------------


@pytest.fixture
def locked(site):
    """A site whose lock file has an older commit of the module than its branch."""
    module = site.module()
    site.puppetfile(f"mod 'alpha', :git => '{module.url}', :branch => 'main'")
    lock(ModulesOptions(directory=str(site.control.work), config=site.configure()))
    site.control.commit({"Puppetfile.lock": (site.control.work / "Puppetfile.lock").read_text()})
    module.commit({"new": "x"})
    return site


def test_a_deployment_follows_the_lock_file(locked):
    assert locked.deploy().is_whole
    assert "modules/alpha/manifests/init.pp" in locked.files()
    assert "modules/alpha/new" not in locked.files()
    assert locked.deploy(only_modules=["alpha"]).is_whole
    assert "modules/alpha/new" not in locked.files()
    assert locked.deploy(locked=False).is_whole
    assert "modules/alpha/new" in locked.files()


def test_a_stale_lock_file_is_an_error_and_nothing_is_switched(locked):
    locked.deploy()
    before = locked.files()
    locked.puppetfile("mod 'beta', :git => '/nowhere', :branch => 'main'")
    result = locked.deploy()
    assert codes(result) == ["LOCK_STALE"]
    assert "beta is declared" in str(result.errors[0])
    assert locked.files() == before


def test_a_deployment_ignores_the_lock_file_of_another_tool(locked):
    locked.control.commit({"Puppetfile.lock": "FORGE\n  remote: https://forge\n"})
    assert locked.deploy().is_whole
    assert "modules/alpha/new" in locked.files()
    path = f"{locked.env}/production/Puppetfile.lock"
    assert locked.warnings() == [f"{path} is ignored: librarian-puppet has written it"]


def test_the_command_has_an_option_against_the_lock_file_and_r10k_does_not_read_it(locked, capfd):
    config = locked.configure()
    assert main(["deploy", "environment", "-c", config]) == exits.OK
    assert "modules/alpha/new" not in locked.files()
    assert main(["deploy", "environment", "-c", config, "--no-lock"]) == exits.OK
    assert "modules/alpha/new" in locked.files()
    assert main(["deploy", "environment", "-c", config]) == exits.OK
    assert main(["r10k", "deploy", "environment", "-m", "-c", config]) == exits.OK
    assert "modules/alpha/new" in locked.files()


# -- names and rollbacks -------------------------------------------------------------------------------


def deploy_versions(site, *texts):
    for text in texts:
        site.control.commit({"version": text})
        site.deploy()


def version(site):
    return site.files()["version"]


def test_a_second_rollback_goes_one_further_back(site):
    deploy_versions(site, "1", "2", "3")
    for expected in ("2", "1"):
        assert rollback(site.options("production")).is_whole
        assert version(site) == expected
    with pytest.raises(PuppetError) as caught:
        rollback(site.options("production"))
    assert caught.value.code == "NO_OLDER_DEPLOYMENT"
    deploy_versions(site, "4")
    rollback(site.options("production"))
    assert version(site) == "1"
    rollback(site.options("production"), 3)
    rollback(site.options("production"))
    assert version(site) == "2"


def test_a_rollback_restores_content_that_was_deployed_twice(site):
    deploy_versions(site, "1", "2", "1")
    rollback(site.options("production"))
    assert version(site) == "2"


def test_a_rollback_of_several_environments_is_whole_or_not_at_all(site):
    deploy_versions(site, "1", "2")
    site.control.branch("dev", {"x": "1"})
    site.deploy()
    with pytest.raises(PuppetError) as caught:
        rollback(site.options("production", "dev"))
    assert caught.value.code == "NO_OLDER_DEPLOYMENT"
    assert version(site) == "2"


@pytest.mark.parametrize("action", ["status", "display"])
def test_an_unknown_environment_is_not_shown_but_named(site, capfd, action):
    site.deploy()
    words = ["deploy", action, "prodution", "-c", site.configure()]
    assert main(words) == exits.FINDINGS
    out, err = capfd.readouterr()
    assert out == ""
    assert "did you mean 'production'?" in err


def test_display_shows_environments_and_their_modules(site, capfd):
    site.puppetfile(
        "mod 'acme/alpha', '1.0.0'", "mod 'beta', :git => 'x', :ref => 'v1'", "mod 'acme/any'"
    )
    site.control.branch("dev", {"Puppetfile": "mod 'own', :local => true\n"})
    words = ["-c", site.configure()]
    assert main(["deploy", "display", "production", *words]) == exits.OK
    assert capfd.readouterr()[0].splitlines()[1:] == ["  production"]
    assert main(["deploy", "display", "--modules", *words]) == exits.OK
    assert capfd.readouterr()[0].splitlines()[1:] == [
        "  dev",
        "    own  local",
        "  production",
        "    acme/alpha  forge 1.0.0",
        "    beta  git v1",
        "    acme/any  forge any",
    ]
    assert main(["deploy", "display", "dev", "--modules", "--format", "json", *words]) == exits.OK
    [source] = json.loads(capfd.readouterr()[0])["sources"]
    [dev] = source["environments"]
    assert dev["modules"] == [{"name": "own", "kind": "local", "asked": "local"}]


def test_a_module_of_an_unknown_environment_is_one_error(site):
    module = site.module()
    site.puppetfile(f"mod 'acme/alpha', :git => '{module.url}', :branch => 'main'")
    site.deploy()
    assert codes(site.deploy("prod", only_modules=["alpha"])) == ["UNKNOWN_ENVIRONMENT"]


@pytest.mark.parametrize("name", ["acme/alpha", "acme-alpha"])
def test_a_module_is_named_with_its_owner(site, name):
    module = site.module()
    site.puppetfile(f"mod 'acme/alpha', :git => '{module.url}', :branch => 'main'")
    site.deploy()
    module.commit({"new": "x"})
    assert site.deploy(only_modules=[name]).is_whole
    assert "modules/alpha/new" in site.files()
    assert codes(site.deploy(only_modules=["other/alpha"])) == ["UNKNOWN_MODULE"]


def test_a_module_is_deployed_without_reading_the_rest_of_the_environment(site):
    module = site.module()
    lines = [f"mod '{name}', :git => '{module.url}', :branch => 'main'" for name in "abc"]
    site.puppetfile(*lines)
    site.deploy()
    for name in ("stray", "modules/a/mine"):
        (site.env / "production" / name).write_text("x")
    module.commit({"new": "x"})
    assert site.deploy(modules_only=True, only_modules=["a"]).is_whole
    assert site.deploy(modules_only=True, only_modules=["b", "c"]).is_whole  # several: all is read
    assert {"stray", "modules/a/mine", *(f"modules/{name}/new" for name in "abc")} <= set(
        site.files()
    )
