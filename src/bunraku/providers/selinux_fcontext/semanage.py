"""Labels of files: read from the files of the policy, changed by semanage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.providers.selinux import Semanage, policy_lines

KINDS = {
    "-d": "d",
    "-c": "c",
    "-b": "b",
    "-l": "l",
    "-p": "p",
    "--": "f",
    "-s": "s",
}
"""The kinds of files in the files of the policy, and their letters."""
WITH_KIND = 3
"""The number of words of a line with a kind of files."""


class FileContexts(Semanage):
    """Prefers the local rules to those of the policy."""

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return the local rules; for resources, also those of the policy."""
        files: tuple[str, ...] = ("file_contexts.local",)
        if wanted is not None:
            files = ("file_contexts", *files)
        found = (rule for name in files for rule in self.rules(name))
        if wanted is None:
            return dict(found)
        names = {resource.name for resource in wanted}
        return {name: state for name, state in found if name in names}

    def rules(self, name: str) -> Iterator[tuple[str, State]]:
        """Yield the rules of a file with their names."""
        for words in policy_lines(self.host, name):
            if words[1:]:
                kind = KINDS.get(words[1]) if len(words) >= WITH_KIND else "a"
                context = words[2] if len(words) >= WITH_KIND else words[1]
                yield (
                    f"{words[0]}_{kind or ''}",
                    {
                        "ensure": "present",
                        "pathspec": words[0],
                        "file_type": kind,
                        **labels(context),
                    },
                )

    def create(self, resource: ManagedResource) -> None:
        """Add a local rule."""
        words = ("-t", resource["seltype"], "-f", resource["file_type"])
        self.semanage("fcontext", "-a", *words, *user(resource["seluser"]), resource["pathspec"])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the local rule."""
        found = self.state(resource)
        words = ("-t", found["seltype"], "-f", found["file_type"])
        self.semanage("fcontext", "-d", *words, *user(found.get("seluser")), found["pathspec"])

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the type or the user of the label; nothing else can be changed."""
        found = self.state(resource)
        kind = ("-f", found["file_type"], found["pathspec"])
        if name == "seltype":
            self.semanage("fcontext", "-m", "-t", value, *kind)
        elif name == "seluser":
            self.semanage("fcontext", "-m", "-s", value, "-t", found["seltype"], *kind)


def user(name: str | None) -> tuple[str, ...]:
    """Return the option for the user of a label, if there is one."""
    return () if name is None else ("-s", name)


def labels(context: str) -> State:
    """Return the parts of a label.

    >>> labels("system_u:object_r:etc_t:s0")
    {'seluser': 'system_u', 'selrole': 'object_r', 'seltype': 'etc_t', 'selrange': 's0'}
    >>> labels("<<none>>")
    {'seltype': '<<none>>'}
    """
    if context == "<<none>>":
        return {"seltype": context}
    return dict(
        zip(("seluser", "selrole", "seltype", "selrange"), context.split(":"), strict=False)
    )


provider = FileContexts
