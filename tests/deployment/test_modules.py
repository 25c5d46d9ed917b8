"""Modules are installed where people work: each in one step, and edits stay."""

import json

import pytest

from bunraku.base.errors import PuppetError
from support.forge_server import serving_forge


@pytest.fixture
def forge(project):
    with serving_forge() as server:
        project.forge_url = server.url
        yield server


def state(project):
    """The inode and the time of all files of a project."""
    return {
        str(path): (path.lstat().st_ino, path.lstat().st_mtime_ns)
        for path in project.root.rglob("*")
        if path.is_file() and path.name != "lock"
    }


def with_alpha(project, tag="v1"):
    alpha = project.remote("alpha", "v1", "v2")
    project.puppetfile(f"mod 'alpha', :git => '{alpha.url}', :tag => '{tag}'")
    return alpha


def test_modules_of_a_puppetfile_are_installed(project, forge):
    forge.add("acme-beta", "1.0.0", files={"README.md": "b"})
    alpha = project.remote("alpha", "v1")
    project.puppetfile(
        f"mod 'alpha', :git => '{alpha.url}', :tag => 'v1'",
        "mod 'acme/beta', '1.0.0'",
        "mod 'own', :local => true",
    )
    assert project.outcomes() == {"alpha": "installed", "beta": "installed"}
    assert project.installed() == [
        *("alpha/CHANGELOG", "alpha/manifests/init.pp"),
        *("beta/README.md", "beta/metadata.json"),
    ]


def test_nothing_is_written_if_nothing_changes(project):
    with_alpha(project)
    project.install()
    before = state(project)
    assert project.outcomes() == {"alpha": "unchanged"}
    assert state(project) == before


@pytest.mark.parametrize("link", [False, True])
def test_edits_in_place_reach_the_store_only_through_links(project, link):
    with_alpha(project)
    project.install(link=link)
    [path] = (project.root / "modules/alpha").glob("CHANGELOG")
    assert (path.stat().st_nlink > 1) is link
    with path.open("a") as file:
        file.write("mine")
    assert project.outcomes(link=link) == {"alpha": "kept"}


def test_a_new_version_replaces_the_module_in_one_step(project):
    alpha = with_alpha(project)
    project.install()
    project.write("modules/alpha/notes", "mine")
    project.puppetfile(f"mod 'alpha', :git => '{alpha.url}', :tag => 'v2'")
    (result,) = project.install().modules
    assert (result.before.version, result.layer.version) == ("v1", "v2")
    assert (project.root / "modules/alpha/CHANGELOG").read_text() == "v2\n"
    assert (project.root / "modules/alpha/notes").read_text() == "mine"


def edit(project, text="mine"):
    path = project.root / "modules/alpha/CHANGELOG"
    path.unlink()
    path.write_text(text)
    return path


def test_edited_modules_stay_unless_forced(project):
    alpha = with_alpha(project)
    project.install()
    path = edit(project)
    result = project.install()
    assert (result.modules[0].outcome, result.modules[0].edited) == ("kept", ["CHANGELOG"])
    assert result.is_whole
    project.puppetfile(f"mod 'alpha', :git => '{alpha.url}', :tag => 'v2'")
    assert not project.install().is_whole
    assert path.read_text() == "mine"
    assert project.install(force=True).is_whole
    assert path.read_text() == "v2\n"


@pytest.mark.parametrize("kind", ["files", "repository", "link"])
def test_directories_of_others_stay_unless_forced(project, kind):
    with_alpha(project)
    directory = project.root / "modules/alpha"
    if kind == "link":
        (project.root / "elsewhere").mkdir()
        directory.parent.mkdir()
        directory.symlink_to("../elsewhere")
    else:
        project.write("modules/alpha/.git/HEAD" if kind == "repository" else "modules/alpha/x", "x")
    result = project.install()
    assert (result.modules[0].outcome, result.is_whole) == ("kept", False)
    assert project.outcomes(force=True) == {"alpha": "installed" if kind == "none" else "updated"}
    assert project.installed() == ["alpha/CHANGELOG", "alpha/manifests/init.pp"]
    assert not directory.is_symlink()


def test_the_same_files_of_another_tool_are_taken_over(project):
    with_alpha(project)
    project.write("modules/alpha/CHANGELOG", "v1\n")
    project.write("modules/alpha/manifests/init.pp", "class alpha { }\n")
    assert project.outcomes() == {"alpha": "updated"}
    assert project.outcomes() == {"alpha": "unchanged"}


def test_all_errors_are_reported_and_old_modules_stay(project):
    alpha = with_alpha(project)
    project.install()
    project.puppetfile(
        f"mod 'alpha', :git => '{alpha.url}', :tag => 'v9'",
        f"mod 'beta', :git => '{alpha.url}', :tag => 'v2'",
        "mod 'gamma', :git => '/nosuch', :tag => 'v2'",
    )
    result = project.install()
    assert [(one.module.name, one.outcome) for one in result.modules] == [
        *(("alpha", "failed"), ("beta", "installed"), ("gamma", "failed")),
    ]
    assert [(error.code, error.place.line) for error in result.errors] == [
        *(("UNKNOWN_REF", 1), ("REMOTE_FAILED", 3)),
    ]
    assert (project.root / "modules/alpha/CHANGELOG").read_text() == "v1\n"


def test_what_nothing_declares_stays_unless_purged(project):
    with_alpha(project)
    project.write("modules/own/manifests/init.pp", "class own { }")
    project.write("modules/stray/x", "x")
    for words in (("init", "-q"), ("add", "modules/own")):
        with_git(project, *words)
    assert project.install().strays == [f"{project.root}/modules/stray"]
    result = project.install(purge=True)
    assert result.removed == [f"{project.root}/modules/stray"]
    assert "own/manifests/init.pp" in project.installed()


def with_git(project, *words):
    from bunraku.engine.git_program import git

    git(str(project.root), *words)


def test_only_named_modules_are_installed(project, forge):
    forge.add("acme-beta", "1.0.0")
    forge.add("acme-gamma", "1.0.0")
    project.puppetfile("mod 'acme/beta', '1.0.0'", "mod 'acme/gamma', '1.0.0'")
    assert project.outcomes("acme-beta") == {"beta": "installed"}
    with pytest.raises(
        PuppetError, match=r"does not declare the module 'gama' \(did you mean 'gamma'"
    ):
        project.install("gama")


def test_git_ignores_the_records(project):
    with_alpha(project)
    with_git(project, "init", "-q")
    project.install()
    from bunraku.engine.git_program import git

    listed = git(str(project.root), "status", "--porcelain", "--untracked-files=all")
    assert ".bunraku" not in listed
    assert (project.root / ".bunraku").stat().st_mode & 0o777 == 0o700


def test_a_release_comes_from_the_first_forge_that_has_it(project, forge):
    with serving_forge() as other:
        other.add("acme-beta", "2.0.0")
        other.add("acme-gamma", "1.0.0")
        forge.add("acme-beta", "2.0.0", files={"first": "1"})
        project.puppetfile("mod 'acme/beta', '2.0.0'", "mod 'acme/gamma', '1.0.0'")
        result = project.install(forges=(forge.url, other.url))
    assert result.is_whole
    assert "beta/first" in project.installed()


def test_the_forge_of_a_puppetfile_counts_if_the_settings_allow_it(project, forge):
    forge.add("acme-beta", "1.0.0")
    project.forge_url = ""
    project.puppetfile(f"forge '{forge.url}'", "mod 'acme/beta', '1.0.0'")
    project.write(
        "r10k.yaml",
        "forge: {baseurl: 'http://127.0.0.1:1', authorization_token: 'Bearer secret', "
        "allow_puppetfile_override: true}",
    )
    assert project.install().is_whole
    assert not any("authorization" in headers for headers in forge.headers)


def test_the_branch_of_the_repository_is_the_control_branch(project):
    alpha = project.remote("alpha")
    alpha.branch("feature", {"x": "1"})
    with_git(project, "init", "-q", "-b", "feature")
    project.puppetfile(f"mod 'alpha', :git => '{alpha.url}', :branch => :control_branch")
    assert project.install().is_whole
    assert "alpha/x" in project.installed()


def test_fixtures_of_a_module_are_installed_and_linked(project, forge):
    forge.add("acme-beta", "1.0.0")
    alpha = project.remote("alpha", "v1")
    project.write("metadata.json", json.dumps({"name": "acme-own", "version": "1.0.0"}))
    project.write("manifests/init.pp", "class own { }\n")
    (project.top / "side").mkdir()
    project.write(
        ".fixtures.yml",
        json.dumps(
            {
                "fixtures": {
                    "repositories": {"alpha": alpha.url},
                    "forge_modules": {"beta": "acme/beta"},
                    "symlinks": {"side": f"{project.top}/side"},
                }
            }
        ),
    )
    (project.root / "manifests").resolve()
    result = project.install(directory=str(project.root / "manifests"))
    assert result.is_whole
    folder = project.root / "spec/fixtures/modules"
    assert sorted(path.name for path in folder.iterdir()) == ["alpha", "beta", "own", "side"]
    assert (folder / "own").resolve() == project.root
    assert (folder / "alpha/spec/x_spec.rb").exists()
    assert project.outcomes() == {"alpha": "unchanged", "beta": "unchanged"}


def test_no_puppetfile_is_an_error(project):
    with pytest.raises(PuppetError, match=r"Cannot read .*/Puppetfile: No such file"):
        project.install()


def with_needs(project, versions):
    needs = [{"name": "acme/beta", "version_requirement": versions}]
    metadata = {"name": "acme-own", "version": "1.0.0", "dependencies": needs}
    project.write("metadata.json", json.dumps(metadata))
    project.write("manifests/init.pp", "class own { }\n")


def test_a_module_without_fixtures_gets_what_its_metadata_needs(project, forge):
    for version in ("1.0.0", "1.5.0", "2.0.0"):
        needs = [{"name": "acme/base", "version_requirement": ">= 1.0.0"}]
        metadata = json.dumps({"name": "acme-beta", "version": version, "dependencies": needs})
        files = {"metadata.json": metadata}
        forge.add("acme-beta", version, {"acme-base": ">= 1.0.0"}, files)
    forge.add("acme-base", "1.0.0")
    with_needs(project, ">= 1.0.0 < 2.0.0")
    result = project.install()
    assert result.is_whole
    assert {one.module.name: one.layer.version for one in result.modules} == {
        "base": "1.0.0",
        "beta": "1.5.0",
    }
    forge.add("acme-beta", "1.6.0")
    forge.take_requests()
    assert project.outcomes() == {"beta": "unchanged", "base": "unchanged"}
    assert forge.take_requests() == []
    with_needs(project, ">= 2.0.0")
    assert project.outcomes()["beta"] == "updated"


def test_fixtures_go_before_the_metadata(project, forge):
    forge.add("acme-beta", "1.0.0")
    forge.add("acme-beta", "1.5.0")
    with_needs(project, ">= 1.0.0")
    fixtures = {"forge_modules": {"beta": {"repo": "acme/beta", "ref": "1.0.0"}}}
    project.write(".fixtures.yml", json.dumps({"fixtures": fixtures}))
    (result,) = project.install().modules
    assert result.layer.version == "1.0.0"


def test_a_puppetfile_above_counts_and_messages_have_short_paths(project, monkeypatch):
    with_alpha(project)
    project.write("Puppetfile", (project.root / "Puppetfile").read_text() + "mod 'x'\n")
    (project.root / "sub").mkdir()
    with pytest.raises(PuppetError) as caught:
        project.install(directory=str(project.root / "sub"))
    assert (caught.value.place.file, caught.value.place.line) == ("Puppetfile", 2)
