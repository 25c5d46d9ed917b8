"""The lock file is made by the resolver, and installations follow it exactly."""

import json
from contextlib import suppress

import pytest

from bunraku.base.errors import PuppetError
from bunraku.jobs.module_graph import chains, named_module, read_graph
from bunraku.jobs.module_locking import lock, update
from bunraku.jobs.module_versions import module_ages
from support.forge_server import serving_forge


@pytest.fixture
def forge(project):
    with serving_forge() as server:
        project.forge_url = server.url
        for version in ("1.0.0", "1.5.0", "2.0.0"):
            server.add("acme-base", version)
        server.add("acme-alpha", "1.0.0", {"acme-base": ">= 1.0.0 < 2.0.0"})
        server.add("acme-alpha", "2.0.0", {"acme-base": ">= 2.0.0"})
        yield server


def locked(project, **parts):
    data = json.loads((project.root / "Puppetfile.lock").read_text())
    return {one["name"]: one for one in data["modules"]}


def versions(project):
    return {name: one["version"] for name, one in locked(project).items()}


def test_floating_versions_are_chosen_to_fit(project, forge):
    project.puppetfile("mod 'acme/alpha', '1.0.0'", "mod 'acme/base', :latest")
    result = lock(project.options())
    assert result.is_written
    assert versions(project) == {"alpha": "1.0.0", "base": "1.5.0"}
    base = locked(project)["base"]
    assert base["digest"].startswith("sha256:")
    assert (base["forge"], base["needed_by"]) == (forge.url, ["alpha"])
    assert not lock(project.options()).is_written


def test_what_is_locked_stays_until_it_is_updated(project, forge):
    project.puppetfile("mod 'acme/base'", "mod 'acme/gamma'")
    forge.add("acme-gamma", "1.0.0")
    lock(project.options())
    forge.add("acme-base", "3.0.0")
    forge.add("acme-gamma", "1.1.0")
    assert lock(project.options()).changes == []
    result = update(project.options("base"))
    assert [(one.name, one.before, one.after) for one in result.changes] == [
        ("base", "2.0.0", "3.0.0")
    ]
    assert versions(project) == {"base": "3.0.0", "gamma": "1.0.0"}


def test_pinned_versions_win_over_ranges_and_are_noted(project, forge):
    project.puppetfile("mod 'acme/alpha', '1.0.0'", "mod 'acme/base', '2.0.0'")
    result = lock(project.options())
    assert [(need.module, need.slug, version) for need, version in result.unmet] == [
        ("acme-alpha", "acme-base", "2.0.0")
    ]
    assert [one.title for one in update(project.options("base")).pinned] == ["acme/base"]


def test_a_conflict_of_floating_versions_is_explained(project, forge):
    forge.add("acme-other", "1.0.0", {"acme-base": "< 1.0.0"})
    project.puppetfile("mod 'acme/other', '1.0.0'", "mod 'acme/base'")
    with pytest.raises(PuppetError, match="acme-base"):
        lock(project.options())
    assert not (project.root / "Puppetfile.lock").exists()


def test_undeclared_dependencies_are_reported_and_can_be_added(project, forge):
    project.puppetfile("mod 'acme/alpha', '2.0.0'")
    result = lock(project.options())
    assert [(one.module, one.slug) for one in result.missing] == [("acme-alpha", "acme-base")]
    lock(project.options(), add_dependencies=True)
    assert locked(project)["base"]["declared"] is False
    assert project.outcomes() == {"alpha": "installed", "base": "installed"}
    forge.add("acme-base", "2.1.0")
    update(project.options())
    assert versions(project)["base"] == "2.1.0"


def test_a_declared_module_of_another_owner_meets_a_dependency(project, forge):
    forge.add("fork-base", "7.0.0")
    project.puppetfile("mod 'acme/alpha', '1.0.0'", "mod 'fork/base'")
    result = lock(project.options(), add_dependencies=True)
    assert versions(project) == {"alpha": "1.0.0", "base": "7.0.0"}
    assert (result.missing, result.unmet) == ([], [])


def test_git_modules_are_locked_by_commit(project, forge):
    metadata = {"name": "acme-tool", "version": "0.1.0"}
    needs = [{"name": "acme/base", "version_requirement": "< 2.0.0"}]
    tool = project.remote("tool", "v1", metadata=json.dumps({**metadata, "dependencies": needs}))
    project.puppetfile(f"mod 'tool', :git => '{tool.url}', :branch => 'main'", "mod 'acme/base'")
    lock(project.options())
    first = tool.git("rev-parse", "HEAD")
    assert versions(project)["base"] == "1.5.0"
    second = tool.commit({"x": "1"})
    project.install()
    assert "tool/x" not in project.installed()
    assert lock(project.options()).changes == []
    assert locked(project)["tool"]["commit"] == first
    update(project.options("tool"))
    assert locked(project)["tool"]["commit"] == second
    project.install()
    assert "tool/x" in project.installed()


def test_a_lock_file_does_not_change_what_is_installed_already(project, forge):
    tool = project.remote("tool", "v1")
    project.puppetfile(
        f"mod 'tool', :git => '{tool.url}', :tag => 'v1'", "mod 'acme/base', '1.0.0'"
    )
    project.install()
    lock(project.options())
    assert project.outcomes() == {"tool": "unchanged", "base": "unchanged"}


def test_a_stale_lock_file_is_refused(project, forge):
    project.puppetfile("mod 'acme/base', '1.0.0'")
    lock(project.options())
    project.puppetfile("mod 'acme/base', '2.0.0'")
    with pytest.raises(PuppetError, match=r"acme/base is declared as 2.0.0 \(Puppetfile:1\)"):
        project.install()
    assert project.install(locked=False).is_whole
    lock(project.options())
    assert project.install().is_whole


def test_a_release_that_was_replaced_is_refused(project, forge):
    project.puppetfile("mod 'acme/base', '1.0.0'")
    lock(project.options())
    path = project.root / "Puppetfile.lock"
    digest = locked(project)["base"]["digest"]
    path.write_text(path.read_text().replace(digest, f"sha256:{'0' * 64}"))
    (error,) = project.install().errors
    assert error.code == "LOCK_DIGEST"
    assert not (project.root / "modules/base").exists()


def test_the_lock_file_names_the_forge_that_installs_a_module(project, forge):
    with serving_forge() as other:
        other.add("acme-own", "1.0.0")
        project.puppetfile("mod 'acme/own'")
        lock(project.options(forges=(forge.url, other.url)))
        assert locked(project)["own"]["forge"] == other.url
        assert project.install().is_whole


def test_outdated_modules_are_found(project, forge):
    tool = project.remote("tool", "v1.0.0", "v1.9.0", "v1.10.0")
    project.puppetfile(
        "mod 'acme/alpha', '1.0.0'",
        "mod 'acme/base'",
        f"mod 'tool', :git => '{tool.url}', :tag => 'v1.9.0'",
    )
    lock(project.options())
    ages = {one.module.name: one for one in module_ages(project.options())}
    assert (ages["alpha"].permitted, ages["alpha"].newest) == ("1.0.0", "2.0.0")
    assert (ages["base"].current, ages["base"].newest) == ("1.5.0", "2.0.0")
    assert (ages["tool"].newest, ages["tool"].is_moved) == ("v1.10.0", False)
    forge.add("acme-base", "1.6.0")
    tool.git("tag", "-f", "v1.9.0", "HEAD~2")
    tool.git("push", "-q", "-f", "origin", "v1.9.0")
    ages = {one.module.name: one for one in module_ages(project.options())}
    assert (ages["base"].current, ages["base"].permitted) == ("1.5.0", "1.6.0")
    assert ages["tool"].is_moved


@pytest.mark.parametrize("is_locked", [True, False])
def test_chains_lead_to_a_module(project, forge, is_locked):
    forge.add("acme-alpha", "3.0.0", {"acme-base": ">= 1.0.0", "acme-absent": ">= 1.0.0"})
    content = json.dumps(
        {
            "name": "acme-alpha",
            "version": "3.0.0",
            "dependencies": [{"name": "acme/base"}, {"name": "acme/absent"}],
        }
    )
    forge.archives["acme-alpha", "3.0.0"] = forge.archives["acme-alpha", "1.0.0"]
    forge.add(
        "acme-alpha", "3.0.0", {"acme-base": "", "acme-absent": ""}, {"metadata.json": content}
    )
    project.puppetfile("mod 'acme/alpha', '3.0.0'", "mod 'acme/base', '1.0.0'")
    if is_locked:
        lock(project.options())
    else:
        project.install()
    graph = read_graph(project.options())
    found = [[one.slug for one in chain] for chain in chains(graph, "base")]
    assert found == [["acme-alpha", "acme-base"], ["acme-base"]]
    assert named_module(graph, "acme/absent").version == ""
    with pytest.raises(PuppetError, match=r"did you mean 'absent'\?"):
        named_module(graph, "absnt")


def test_fixtures_have_no_lock_file(project):
    project.write("metadata.json", json.dumps({"name": "acme-own", "version": "1.0.0"}))
    project.write("manifests/init.pp", "class own { }\n")
    with pytest.raises(PuppetError, match="only a Puppetfile has a lock file"), suppress(KeyError):
        lock(project.options())
