"""The metadata of resource types that ``puppet generate types`` writes into an environment."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress

from bunraku.base.records import record
from bunraku.deployment import issues
from bunraku.deployment.environments import DeclaredEnvironment
from bunraku.deployment.r10k_settings import DeploySettings
from bunraku.deployment.site_contents import Log
from bunraku.world import linked_files, processes

DIRECTORY = ".resource_types"
"""The directory of an environment that has the metadata."""


@record(frozen=True)
class TypesGenerator:
    """Runs the Puppet of the settings, as r10k does."""

    settings: DeploySettings
    log: Log

    def generate(self, environment: DeclaredEnvironment, basedir: str) -> None:
        """Generate the metadata of the environment that has its name in ``basedir``. Raise TYPES_FAILED."""
        name, path = environment.directory_name, environment.path
        command = [self.settings.puppet_path, "generate", "types", "--environment", name]
        command += ["--environmentpath", basedir, "--config", self.settings.puppet_conf]
        try:
            done = processes.run(command)
        except OSError as error:
            raise issues.TYPES_FAILED(path=path, reason=error.strerror) from None
        errors = done.stderr.decode("utf-8", "replace").strip().replace(f"{basedir}/{name}", path)
        if done.returncode:
            raise issues.TYPES_FAILED(path=path, reason=errors or f"exit code {done.returncode}")
        if errors:
            text = f"There were problems generating types for environment {name}"
            self.log("warn", f"{text}: {errors}")

    def generate_in(
        self, environment: DeclaredEnvironment, tree: str, carried: Iterable[str]
    ) -> None:
        """Generate the metadata in a tree that is to replace an environment. Raise OSError, TYPES_FAILED.

        Puppet finds the tree by the name of the environment in a directory of its own.
        """
        separate(tree, carried)
        basedir = f"{tree}.types"
        os.mkdir(basedir, 0o700)
        try:
            os.symlink(tree, f"{basedir}/{environment.directory_name}")
            self.generate(environment, basedir)
        finally:
            linked_files.remove_tree(basedir)


def separate(tree: str, carried: Iterable[str]) -> None:
    """Make the metadata in a tree files of their own: the live environment has them, too.

    Files that are ``carried`` from there get a time before that of all files of the store, because
    Puppet generates the metadata again of types that are newer. Raise OSError.
    """
    old = {f"{tree}/{path}" for path in carried}
    with suppress(FileNotFoundError):
        for entry in list(os.scandir(f"{tree}/{DIRECTORY}")):
            if entry.is_file(follow_symlinks=False):
                mode = entry.stat(follow_symlinks=False).st_mode
                linked_files.copy_file(entry.path, f"{tree}.copy", mode & 0o777)
                if entry.path in old:
                    os.utime(f"{tree}.copy", (0, 0))
                os.rename(f"{tree}.copy", entry.path)
