"""Git repositories to deploy from: local remotes with branches and tags."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

VARIABLES = {
    **{
        f"GIT_{who}_{what}": f"{what.lower()}@example.com"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    },
    "GIT_AUTHOR_DATE": "2024-01-01T00:00:00+0000",
    "GIT_COMMITTER_DATE": "2024-01-01T00:00:00+0000",
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "safe.directory",
    "GIT_CONFIG_VALUE_0": "*",
    "GIT_CONFIG_KEY_1": "protocol.file.allow",
    "GIT_CONFIG_VALUE_1": "always",
}


class Remote:
    """A repository with a working tree, of which ``url`` is a bare copy."""

    def __init__(self, top: Path, name: str, files: dict[str, str], branch: str = "main") -> None:
        self.work = top / "work" / name
        self.bare = top / "remotes" / f"{name}.git"
        self.work.mkdir(parents=True)
        self.bare.mkdir(parents=True)
        self.git("init", "-q", "-b", branch)
        self.git("init", "-q", "--bare", "-b", branch, str(self.bare))
        self.git("remote", "add", "origin", str(self.bare))
        self.commit(files)

    @property
    def url(self) -> str:
        return str(self.bare)

    def git(self, *arguments: str) -> str:
        command = ["git", "-C", str(self.work), *arguments]
        done = subprocess.run(
            command, env={**os.environ, **VARIABLES}, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self, files: dict[str, str | None]) -> str:
        """Write files (None removes one), commit and push; return the commit."""
        for name, text in files.items():
            path = self.work / name
            if text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change")
        self.git("push", "-q", "-f", "origin", "HEAD")
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str, files: dict[str, str | None]) -> str:
        """Make a branch with files and push it; return its commit."""
        here = self.git("rev-parse", "--abbrev-ref", "HEAD")
        self.git("checkout", "-q", "-b", name)
        commit = self.commit(files)
        self.git("checkout", "-q", here)
        return commit

    def tag(self, name: str, *options: str) -> None:
        """Tag the current commit and push the tag."""
        self.git("tag", *options, name)
        self.git("push", "-q", "-f", "origin", name)

    def delete(self, branch: str) -> None:
        """Delete a branch of the remote."""
        self.git("push", "-q", "origin", "--delete", branch)
