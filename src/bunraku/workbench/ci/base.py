"""The revision that a change is compared with."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.errors import PuppetError
from bunraku.engine.git_program import git
from bunraku.engine.revisions import State, revision
from bunraku.workbench.ci.issues import NO_BASE

COMMITS = ("CI_MERGE_REQUEST_DIFF_BASE_SHA",)
"""Environment variables of CI systems with the commit that a change began at."""
BRANCHES = (
    "GITHUB_BASE_REF",
    "CI_MERGE_REQUEST_TARGET_BRANCH_NAME",
    "CHANGE_TARGET",
    "BITBUCKET_PR_DESTINATION_BRANCH",
    "SYSTEM_PULLREQUEST_TARGETBRANCH",
    "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
    "DRONE_TARGET_BRANCH",
)
"""Environment variables with the branch that a change is for: GitHub, GitLab, Jenkins, Bitbucket, Azure, Buildkite, Drone."""
USUAL = ("production", "main", "master")
"""Branches of control repositories, in the order in which they are tried."""


def base_state(repository: str, given: str | None, variables: Mapping[str, str]) -> State:
    """Return the state before a change.

    This is the last common commit of HEAD with ``given``, or with the revision that the variables of
    a CI system name, or with the usual branch of the repository, or with its only other one. On that branch it is HEAD if the
    working tree has changes or HEAD is the first commit, otherwise the commit before HEAD. Raise PuppetError for an unknown
    revision, a shallow clone, and a repository without such a branch.
    """
    head = str(revision(repository, "HEAD").commit)
    chosen = given or named_by(repository, variables)
    name = chosen or usual_branch(repository) or only_branch(repository)
    if name is None:
        raise NO_BASE(reason="no branch is production, main or master, or the only other one")
    commit = str(revision(repository, name).commit)
    try:
        base = git(repository, "merge-base", commit, head)
    except PuppetError:
        raise NO_BASE(reason=f"HEAD and {name} have no common commit here") from None
    if base != head:
        return State(f"merge base with {name}", base)
    is_changed = git(repository, "status", "--porcelain", "--ignore-submodules=all", "--", ".")
    if chosen or is_changed:
        return State(chosen or "HEAD", base)
    if revision_exists(repository, "HEAD~1"):
        return revision(repository, "HEAD~1")
    if git(repository, "rev-parse", "--is-shallow-repository") == "true":
        raise NO_BASE(reason="this is a shallow clone")
    return State("HEAD", base)


def named_by(repository: str, variables: Mapping[str, str]) -> str | None:
    """Return the revision that the variables of a CI system name."""
    for name in COMMITS:
        if variables.get(name):
            return variables[name]
    for name in BRANCHES:
        if variables.get(name):
            branch = variables[name].removeprefix("refs/heads/")
            return next(
                (one for one in (f"origin/{branch}", branch) if revision_exists(repository, one)),
                f"origin/{branch}",
            )
    return None


def usual_branch(repository: str) -> str | None:
    """Return the branch that changes go to: the default one of ``origin``, or one with a usual name."""
    try:
        return git(repository, "rev-parse", "--abbrev-ref", "origin/HEAD")
    except PuppetError:
        names = [*(f"origin/{name}" for name in USUAL), *USUAL]
        return next((one for one in names if revision_exists(repository, one)), None)


def only_branch(repository: str) -> str | None:
    """Return the name of the one branch beside that of HEAD; HEAD without another branch.

    A clone has the branches of its origin; which of them is the base is not known here.
    """
    own = git(repository, "rev-parse", "--abbrev-ref", "HEAD")
    if own == "HEAD" or git(repository, "remote"):
        return None
    form = "--format=%(refname:short)"
    branches = git(repository, "for-each-ref", form, "refs/heads").split("\n")
    others = [one for one in branches if one != own]
    if not others:
        return "HEAD"
    return others[0] if len(others) == 1 else None


def revision_exists(repository: str, name: str) -> bool:
    """Return whether a revision exists."""
    try:
        revision(repository, name)
    except PuppetError:
        return False
    return True
