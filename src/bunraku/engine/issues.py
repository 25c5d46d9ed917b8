"""Errors of compiling many nodes, of git, and of recording coverage."""

from __future__ import annotations

from bunraku.base.errors import Issue

WORKER_ENDED = Issue(
    "WORKER_ENDED",
    "The process that compiled {node} ended before it finished",
    hint="it may have run out of memory, or was killed",
)
WORKER_FAILED = Issue("WORKER_FAILED", "internal error: {reason}", hint="please report it")
GIT_FAILED = Issue("GIT_FAILED", "git {command}: {reason}")
NO_GIT = Issue(
    "NO_GIT",
    "Cannot run git: {reason}",
    hint="install git; bunraku reads revisions with it",
)
NO_REPOSITORY = Issue(
    "NO_REPOSITORY",
    "{directory} is not in a git repository",
    hint="run the command in a clone of the repository, or 'git init' and commit first",
)
NO_COMMIT = Issue(
    "NO_COMMIT",
    "The repository has no commit",
    hint="commit something: revisions are compared",
)
BAD_RANGE = Issue(
    "BAD_RANGE",
    "'{name}' is not a git revision",
    hint="compare two revisions with A B, A..B, or A...B (from their last common commit to B)",
)
UNKNOWN_REVISION = Issue(
    "UNKNOWN_REVISION",
    "'{name}' is not a revision of this repository{near}",
    hint="git log and git branch list the revisions; a shallow clone has only the last ones",
)
COVERAGE_NOT_RECORDED = Issue(
    "COVERAGE_NOT_RECORDED",
    "cannot record coverage in {folder}: {reason}",
    hint="BUNRAKU_COVERAGE names a folder that 'bunraku cover' made, for as long as its command runs",
)
