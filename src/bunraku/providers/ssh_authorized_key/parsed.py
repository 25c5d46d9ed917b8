"""Keys as lines of ``authorized_keys``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import FilePart, ParsedFile, wanted_state
from bunraku.providers.provider import State
from bunraku.providers.ssh_keys import KEY_LINE
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Account, Command, CommandTimeout

OPTION = re.compile(r'[-a-z0-9A-Z_]+=".*?[^\\]"|[-a-z0-9A-Z_]+')
SEPARATOR = re.compile(r"[ \t]*,?[ \t]*")
WRITE = """umask 077
[ -d "$1" ] || mkdir "$1" || exit
new="$2.$$"
if [ ! -L "$2" ] && (: > "$new") 2>/dev/null
then
  if [ ! -e "$2" ] || { [ -O "$2" ] && chgrp "$(stat -c %g "$2")" "$new"; } 2>/dev/null
  then cat > "$new" && chmod 600 "$new" && mv -f "$new" "$2"; exit
  fi
  rm -f "$new"
fi
cat > "$2" && chmod 600 "$2"
"""
"""Replaces a file atomically if the user may create a file with its owner and group beside it;
otherwise overwrites it."""


class AuthorizedKeys(ParsedFile):
    """Reads files of keys, and writes them as their user."""

    name = "parsed"
    default_target = ""
    properties = frozenset({"options", "type", "key", "name"})

    # -- format ----------------------------------------------------------------------------------

    def parse(self, line: str) -> State | None:
        """Return the options, type, key and comment of a line."""
        if line.lstrip().startswith("#"):
            return None
        match = KEY_LINE.search(line)
        if match is None:
            return None
        options, kind, key, name = match.groups()
        return {
            "name": name,
            "type": kind,
            "key": key,
            "options": [ABSENT] if options is None else read_options(options),
        }

    def gather(self, entries: list[FilePart]) -> list[FilePart]:
        """Give names to keys without a comment."""
        number = 0
        for entry in entries:
            if entry.text is None and not entry.name:
                number += 1
                entry.name, entry.generated = f"{entry.target}:unnamed-{number}", True
        return entries

    def line(self, entry: FilePart) -> str:
        """Format a key as a line."""
        state = entry.state
        for name in ("type", "key"):
            if state.get(name, ABSENT) == ABSENT:
                raise ResourceFailure(f"Field '{name}' is required")
        options = [option for option in state.get("options") or () if option != ABSENT]
        words = [",".join(options), state["type"], state["key"]]
        return " ".join([*words, "" if entry.generated else entry.name]).lstrip()

    # -- files -----------------------------------------------------------------------------------

    def targets(self, resources: Iterable[ManagedResource]) -> list[str]:
        """Return the files of the resources whose users exist."""
        wanted = (wanted_state(resource, "target") for resource in resources)
        return list(dict.fromkeys(filter(None, wanted)))

    def flush(self, resource: ManagedResource) -> None:
        """Write the file of a key; its user must exist."""
        self.account(resource)
        super().flush(resource)

    def account(self, resource: ManagedResource) -> Account:
        """Return the user of a key."""
        user = resource["user"]
        if user is None:
            raise ResourceFailure("Cannot write SSH authorized keys without user")
        found = self.host.user(str(user))
        if found is None:
            raise ResourceFailure(f"User '{to_s(user)}' does not exist")
        return found

    def write_target(self, target: str, text: str, resource: ManagedResource) -> None:
        """Write a file as its user; as root only if root owns each directory above it."""
        account = self.account(resource)
        content = text.encode("utf-8", "surrogateescape")
        directory = target.rpartition("/")[0]
        if resource.is_true("drop_privileges"):
            # The user owns the directories and could redirect root's writes with links.
            words = ("/bin/sh", "-c", WRITE, "sh", directory, target)
            command = Command(words, user=account.name, content=content, merged=True)
            try:
                done = self.host.execute(command)
            except (OSError, CommandTimeout) as error:
                raise ResourceFailure(f"Cannot write {target}: {error}") from None
            if done.code != 0:
                raise ResourceFailure(f"Cannot write {target}: {done.output.strip()}")
            return
        if not self.is_trusted(directory):
            raise ResourceFailure("drop_privileges is false but the target path is not trusted")
        owner = (account.uid, account.gid)
        self.host.replace_file(target, [content], mode=0o600, owner=owner)

    def is_trusted(self, directory: str) -> bool:
        """Return whether only the user of this process can change the directories of a path."""
        while directory:
            status = self.host.status(directory, follow=True)
            if status is None or status.uid != self.host.effective_user() or status.mode & 0o022:
                return False
            directory = directory.rpartition("/")[0]
        return True


def read_options(text: str) -> list[str]:
    r"""Split the options of a line.

    >>> read_options('no-pty,command="a, b",from="x"')
    ['no-pty', 'command="a, b"', 'from="x"']
    """
    found: list[str] = []
    position = len(text) - len(text.lstrip(" \t"))
    while match := OPTION.match(text, position):
        found.append(match[0])
        separator = SEPARATOR.match(text, match.end())
        position = separator.end() if separator else match.end()
    return found


provider = AuthorizedKeys
