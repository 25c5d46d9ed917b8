"""Catalogs of two revisions of a control repository, side by side."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack

from bunraku.engine import Request
from bunraku.fleet import Outcome, Task, compile_tasks
from bunraku.fleet_issues import GIT_FAILED
from bunraku.modules.node import agent_facts
from bunraku.records import record, replace


@record(frozen=True)
class Revisions:
    """Two revisions of a repository; each is checked out as an environment of the same name."""

    repository: str
    old: str
    new: str
    environment: str = "production"


def git(repository: str, *arguments: str, index: str | None = None) -> str:
    """What a git command prints."""
    environment = {**os.environ, **({"GIT_INDEX_FILE": index} if index else {})}
    command = ["git", "-C", repository, *arguments]
    try:
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
    except OSError as error:
        raise GIT_FAILED(command=arguments[0], reason=error.strerror) from None
    except subprocess.CalledProcessError as error:
        reason = " ".join(error.stderr.decode("utf-8", "replace").split())
        raise GIT_FAILED(command=arguments[0], reason=reason) from None
    return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")


def check_out(repository: str, revision: str, folder: str) -> None:
    """The files of a revision in a folder; neither work tree nor index of the repository change."""
    top = git(repository, "rev-parse", "--show-toplevel")
    commit = git(top, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    with tempfile.TemporaryDirectory() as scratch:
        index = os.path.join(scratch, "index")
        git(top, "read-tree", commit, index=index)
        git(top, "checkout-index", "--all", f"--prefix={folder}/", index=index)


def compile_revisions(
    revisions: Revisions,
    base: Request,
    files: Mapping[str, str],
    *,
    jobs: int | None = None,
    done: Callable[[Outcome], None] = lambda _: None,
) -> tuple[list[Outcome], list[Outcome]]:
    """The outcomes of the nodes (facts files by name) in the old and in the new revision.

    Paths in catalogs are those of the repository, so that they are the same on both sides.
    """
    part = git(revisions.repository, "rev-parse", "--show-prefix").rstrip("/")
    with ExitStack() as stack:
        tasks: list[Task] = []
        folders = []
        for revision in (revisions.old, revisions.new):
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="bunraku-"))
            tree = os.path.join(folder, "tree")
            check_out(revisions.repository, revision, tree)
            os.mkdir(os.path.join(folder, "environments"))
            link = os.path.join(folder, "environments", revisions.environment)
            os.symlink(os.path.join(tree, part) if part else tree, link)
            folders.append(link)
            tasks += node_tasks(base, revisions.environment, files, os.path.dirname(link))
        outcomes = compile_tasks(tasks, jobs=jobs, done=done)
        half = len(files)
        sides = outcomes[:half], outcomes[half:]
        repository = os.path.abspath(revisions.repository)
        for side, folder in zip(sides, folders, strict=True):
            for outcome in side:
                if outcome.text is not None:
                    outcome.text = outcome.text.replace(folder, repository)
    return sides


def node_tasks(
    base: Request, environment: str, files: Mapping[str, str], environmentpath: str
) -> list[Task]:
    """The tasks for one revision."""
    settings = {**base.settings, "environment": environment, "environmentpath": environmentpath}
    return [
        Task(
            replace(
                base,
                code=None,
                path=None,
                node=node,
                facts={**base.facts, **agent_facts(node, environment)},
                settings=settings,
                run_config_version=False,
            ),
            files[node],
        )
        for node in sorted(files)
    ]
