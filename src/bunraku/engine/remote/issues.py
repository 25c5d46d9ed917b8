"""Errors of workers on other machines."""

from __future__ import annotations

from bunraku.base.errors import Issue

FILES_DIFFER = Issue(
    "FILES_DIFFER",
    "The worker on {host} has other files than this machine: {difference}",
    hint="workers read manifests, modules, data and facts under the same paths as this machine; use a "
    "file system that all machines share",
)
VERSIONS_DIFFER = Issue(
    "VERSIONS_DIFFER",
    "The worker on {host} runs {theirs}; this machine runs {ours}",
    hint="install the same versions of bunraku and Python on all machines",
)
EXECUTOR_FAILED = Issue("EXECUTOR_FAILED", "The executor failed: {reason}")
WORKER_UNUSABLE = Issue(
    "WORKER_UNUSABLE",
    "The worker on {host} cannot compile: {reason}",
)
NO_WORKERS = Issue(
    "NO_WORKERS",
    "No worker is connected to the Dask scheduler at {address}",
    hint="start workers: dask worker {address}",
)
WORKER_SILENT = Issue(
    "WORKER_SILENT",
    "No worker answered within the time limit, in {attempts} attempts",
    hint="end the workers that hang; --timeout sets the time limit",
)
