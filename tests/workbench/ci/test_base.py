"""Which revision ``bunraku ci`` compares with."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bunraku.base.errors import PuppetError
from bunraku.workbench.ci.base import base_state


def git(root, *arguments):
    who = ("-c", "user.name=t", "-c", "user.email=t@example.com")
    done = subprocess.run(
        ["git", *who, *arguments], cwd=root, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def commits(tmp_path, monkeypatch):
    """A repository: main has a second commit that the branch under test does not have."""
    monkeypatch.chdir(tmp_path)
    found = {}
    git(tmp_path, "init", "-q", "-b", "main")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "first")
    found["first"] = git(tmp_path, "rev-parse", "HEAD")
    git(tmp_path, "branch", "work")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "on main")
    git(tmp_path, "checkout", "-q", "work")
    git(tmp_path, "commit", "-q", "--allow-empty", "-m", "on work")
    found["work"] = git(tmp_path, "rev-parse", "HEAD")
    return found


def test_is_the_common_commit_with_the_main_branch(commits):
    base = base_state(".", None, {})
    assert (base.commit, base.name) == (commits["first"], "merge base with main")


def test_is_the_given_revision(commits):
    assert base_state(".", "HEAD", {"GITHUB_BASE_REF": "main"}).commit == commits["work"]


def test_is_the_commit_that_gitlab_names(commits):
    variables = {"CI_MERGE_REQUEST_DIFF_BASE_SHA": commits["work"]}
    assert base_state(".", None, variables).commit == commits["work"]


def test_is_the_common_commit_with_the_target_branch_of_github(commits):
    git(".", "branch", "-D", "main")
    git(".", "update-ref", "refs/remotes/origin/release", commits["first"])
    base = base_state(".", None, {"GITHUB_BASE_REF": "release"})
    assert (base.commit, base.name) == (commits["first"], "merge base with origin/release")


def test_on_the_main_branch_it_is_the_commit_before_or_head(commits):
    git(".", "checkout", "-q", "main")
    assert base_state(".", None, {}).commit == commits["first"]
    Path("new").touch()
    base = base_state(".", None, {})
    assert (base.name, base.commit) == ("HEAD", git(".", "rev-parse", "HEAD"))


@pytest.mark.parametrize(
    ("variables", "code"), [({"GITHUB_BASE_REF": "absent"}, "UNKNOWN_REVISION"), ({}, "NO_BASE")]
)
def test_a_base_that_is_not_there_is_an_error(commits, variables, code):
    git(".", "branch", "-D", "main")
    git(".", "remote", "add", "origin", "/nowhere")
    with pytest.raises(PuppetError) as caught:
        base_state(".", None, variables)
    assert caught.value.code == code


def test_a_shallow_clone_is_an_error(commits, tmp_path, monkeypatch):
    git(".", "checkout", "-q", "main")
    git(".", "clone", "-q", "--depth=1", f"file://{tmp_path}", "shallow")
    monkeypatch.chdir("shallow")
    with pytest.raises(PuppetError, match="this is a shallow clone"):
        base_state(".", None, {})


def test_is_the_common_commit_with_the_only_other_branch(commits):
    git(".", "branch", "-m", "main", "trunk")
    base = base_state(".", None, {})
    assert (base.commit, base.name) == (commits["first"], "merge base with trunk")


def test_an_only_branch_of_any_name_is_the_usual_one(commits):
    git(".", "branch", "-D", "main")
    assert base_state(".", None, {}).commit == commits["first"]
    git(".", "checkout", "-q", "--detach")
    with pytest.raises(PuppetError, match="no branch is production, main or master"):
        base_state(".", None, {})


def test_several_branches_of_other_names_are_no_base(commits):
    git(".", "branch", "-m", "main", "trunk")
    git(".", "branch", "other")
    with pytest.raises(PuppetError, match="no branch is production, main or master"):
        base_state(".", None, {})


def test_a_repository_without_a_commit(tmp_path):
    git(tmp_path, "init", "-q")
    with pytest.raises(PuppetError, match="The repository has no commit"):
        base_state(str(tmp_path), None, {})


def test_a_directory_without_a_repository(tmp_path, monkeypatch):
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(PuppetError, match=f"{tmp_path} is not in a git repository"):
        base_state(str(tmp_path), None, {})


def test_a_machine_without_git(commits, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(PuppetError, match="Cannot run git: No such file or directory"):
        base_state(".", None, {})
