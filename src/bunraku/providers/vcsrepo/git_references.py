"""The references of a Git repository: branches and tags with the IDs of their commits."""

from __future__ import annotations

from collections.abc import Mapping

from bunraku.base.records import record

PEELED = "^{}"
HEADS = "refs/heads/"
PLACES = ("", "refs/", "refs/tags/", HEADS, "refs/remotes/")
"""Where Git looks for a name, in this order (gitrevisions(7))."""


@record(frozen=True)
class References:
    """Names of references with IDs of commits; ``branch`` is the current one, None without one."""

    ids: Mapping[str, str]
    branch: str | None

    @classmethod
    def read(cls, text: str, head: bytes) -> References:
        """Return the references in the output of ``git show-ref``; ``head`` is the file HEAD.

        >>> References.read("1 refs/tags/a\\n2 refs/tags/a^{}\\n", b"ref: refs/heads/main\\n").ids
        {'refs/tags/a': '2'}
        """
        ids: dict[str, str] = {}
        for line in text.splitlines():
            number, _, name = line.partition(" ")
            ids[name.removesuffix(PEELED)] = number
        target = head.decode("utf-8", "surrogateescape").strip().removeprefix("ref: ")
        branch = target.removeprefix(HEADS) if target.startswith(HEADS) else None
        return cls(ids, branch)

    def named(self, name: str) -> str | None:
        """Return the ID of the commit that Git finds for a name of a reference."""
        return next((self.ids[one + name] for one in PLACES if one + name in self.ids), None)

    def wanted(self, revision: str, remote: str) -> str | None:
        """Return the ID of the commit of a tag, a local branch or one of the remote."""
        if f"refs/tags/{revision}" in self.ids:
            return self.ids[f"refs/tags/{revision}"]
        if self.is_local_branch(revision):
            return self.named(revision)
        if self.is_remote_branch(revision, remote):
            return self.named(f"{remote}/{revision}")
        return None

    def is_local_branch(self, revision: str) -> bool:
        """Return whether a local branch has a name, which may also be ``remotes/REMOTE/BRANCH``."""
        if revision.startswith("remotes/"):
            return f"refs/{revision}" in self.ids
        return f"{HEADS}{revision}" in self.ids

    def is_remote_branch(self, revision: str, remote: str) -> bool:
        """Return whether the remote has a branch."""
        return f"refs/remotes/{remote}/{revision}" in self.ids
