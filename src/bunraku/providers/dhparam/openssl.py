"""The provider of ``dhparam``: parameters that ``openssl`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider, successful
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import FileStatus, Finished

NEW_MODE = 0o644
UNCHANGED = -1


class Openssl(Provider):
    """Makes the files; a file is written when all parameters are known."""

    name = "openssl"
    programs = ("openssl",)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: each file is looked at when it is compared."""

    def status(self, resource: ManagedResource) -> FileStatus | None:
        """Return the status of the file, None if it is absent."""
        return self.host.status(to_s(resource["path"]), follow=True)

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the file exists."""
        return self.status(resource) is not None

    def get(self, resource: ManagedResource, name: str) -> Any:
        """Return the owner, the group or the mode."""
        status = self.status(resource)
        if status is None:
            return ABSENT
        if name == "mode":
            return f"0{status.mode:o}"
        is_owner = name == "owner"
        number = status.uid if is_owner else status.gid
        account = self.host.user(number) if is_owner else self.host.group(number)
        if account is None:
            raise ResourceFailure(f"can't find {'user' if is_owner else 'group'} for {number}")
        return account.name

    def create(self, resource: ManagedResource) -> None:
        """Write the file, with its owner, group and mode."""
        fast = ("-dsaparam",) if resource["fastmode"] else ()
        program = self.host.find_program("openssl") or "openssl"
        words = (program, "dhparam", *fast, to_s(resource["size"]))
        done = self.attempt(words, merged=False)
        if done.code != 0:
            successful(words, Finished(done.code, done.output + done.errors, ""))
        content = done.output.encode()
        self.host.replace_file(to_s(resource["path"]), [content], mode=NEW_MODE)
        for name in ("owner", "group", "mode"):
            if resource[name] is not None:
                self.set(resource, name, resource[name])

    def destroy(self, resource: ManagedResource) -> None:
        """Remove the file."""
        self.host.remove_file(to_s(resource["path"]))

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change the owner, the group or the mode. As in the module, an unknown account changes nothing."""
        path = to_s(resource["path"])
        if name == "mode":
            try:
                self.host.set_mode(path, int(value, 8))
            except ValueError:
                raise ResourceFailure(f'invalid value for Integer(): "0{value}"') from None
            return
        text: str | int = int(value) if value.isdigit() else value
        if name == "owner":
            user = self.host.user(text)
            ids = (UNCHANGED if user is None else user.uid, UNCHANGED)
        else:
            group = self.host.group(text)
            ids = (UNCHANGED, UNCHANGED if group is None else group.gid)
        self.host.set_owner(path, *ids, follow=True)


provider = Openssl
