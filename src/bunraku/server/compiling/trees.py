"""Which trees the environments of a job are: a job that saw a switch in the middle is done again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from bunraku.deployment.live_trees import Identity, tree_identity
from bunraku.limits.limits import Limited
from bunraku.modules.environment import environment_directories, names_in
from bunraku.modules.names import ENVIRONMENT_NAME
from bunraku.modules.settings import resolve_one
from bunraku.server.compiling.jobs import Job
from bunraku.world.machine import Machine

Made = TypeVar("Made")
MACHINE = Machine()


def folders_of(job: Job) -> list[str]:
    """Return the directories of environments."""
    path = str(resolve_one("environmentpath", job.settings, job.node))
    return [folder.rstrip("/") for folder in path.split(":") if folder]


def tree_of(folders: Iterable[str], name: str) -> Identity:
    """Return which tree an environment is now; none if it has no directory."""
    return next(filter(None, map(tree_identity, environment_directories(folders, name))), ())


def names_of(job: Job, folders: list[str]) -> list[str]:
    """Return the environments that a job can read: a classifier may choose any."""
    if str(resolve_one("node_terminus", job.settings, job.node)) == "plain":
        return [job.environment]
    found = set(names_in(folders, MACHINE))
    return [job.environment, *sorted(name for name in found if ENVIRONMENT_NAME.fullmatch(name))]


def from_one_tree(job: Job, limited: Limited, work: Callable[[], Made]) -> Made:
    """Return the result of ``work``, done again until no environment is switched in the meantime.

    An error counts only if the environment was one tree, too. The time limit is that of all attempts.
    """
    folders = folders_of(job)

    def trees() -> list[Identity]:
        return [tree_of(folders, name) for name in names_of(job, folders)]

    while True:
        before = trees()
        try:
            found = work()
        except Exception:
            if limited.over or trees() == before:
                raise
        else:
            if limited.over or trees() == before:
                return found
