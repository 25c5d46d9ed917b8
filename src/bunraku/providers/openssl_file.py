"""What the types of the module openssl share: a file that ``openssl`` makes, with an owner, a group and a mode."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.providers.attributes import ABSENT, Ensure, Parameter, Property, Read
from bunraku.providers.errors import InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.provider import Provider, successful
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.rewriting import rewrite
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import FileStatus, Finished

NEW_MODE = 0o644
UNCHANGED = -1
FOR_OPENSSL = "PASSPHRASE"
"""The environment variable that gives ``openssl`` a password."""
WORD = lazy_pattern(r"^\w+$", re.MULTILINE | re.ASCII)
MODE = lazy_pattern(r"^0\d\d\d$", re.MULTILINE | re.ASCII)


# -- attributes ------------------------------------------------------------------------------------


def read_path(value: Any) -> Any:
    """Return an absolute path."""
    if not to_s(value).startswith("/"):
        raise InvalidValue(f"Path must be absolute: {to_s(value)}")
    return value


def name_of_form(pattern: re.Pattern[str], what: str) -> Read:
    """Return the check of a text."""

    def check(value: Any) -> Any:
        if not isinstance(value, str) or pattern.search(value) is None:
            raise InvalidValue(f"{to_s(value)} is not a valid {what}")
        return value

    return check


PATH = (
    Ensure(default=present_if_managed, about="Whether the file exists."),
    Parameter("provider"),
    Parameter("path", read=read_path, about="The path of the file."),
)
"""The first attributes of each type."""
PERMISSIONS = (
    Property("owner", read=name_of_form(WORD, "user name"), about="The user that owns the file."),
    Property("group", read=name_of_form(WORD, "group name"), about="The group of the file."),
    Property(
        "mode",
        read=name_of_form(MODE, "file mode"),
        about="The permissions of the file: `0` and three digits.",
    ),
)
"""The last attributes of each type."""
FORCE = "Replaces a file of another key. As in the module, that is so for both values."


def beside(ending: str, resource: ManagedResource) -> str | None:
    """Return the path of a resource with another ending; None if the path is wrong."""
    path = resource["path"]
    return None if path is None else f"{without_ending(to_s(path))}{ending}"


def without_ending(path: str) -> str:
    """Return a path without the ending of its name."""
    return posixpath.splitext(path)[0]


def leading_number(value: Any) -> int:
    """Return the number at the start of a value, as Ruby's ``to_i``.

    >>> leading_number("2048 bits"), leading_number(1024), leading_number("big 1")
    (2048, 1024, 0)
    """
    found = re.match(r"\s*([-+]?\d+)", to_s(value), re.ASCII)
    return int(found[1]) if found else 0


class OpensslFileType(ResourceType):
    """A file that ``openssl`` makes."""

    namevar = "path"
    providers = ("openssl",)

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the directory of the file."""
        yield "file", posixpath.dirname(to_s(resource["path"]))


class MadeOfKey(OpensslFileType):
    """A file that belongs to a private key and is made again by a refresh."""

    refreshable = True

    def refresh(self, resource: ManagedResource) -> None:
        """Make the file again, as in the module also one that is to be absent."""
        resource.provider.create(resource)


# -- the provider ----------------------------------------------------------------------------------


def mode_of_new(resource: ManagedResource) -> int:
    """Return the mode of a new file: at no moment may others read a key that its resource hides from them."""
    try:
        return NEW_MODE if resource["mode"] is None else int(resource["mode"], 8)
    except ValueError:  # Setting the mode reports it.
        return NEW_MODE


class OpensslFile(Provider):
    """Makes the files; a file is written when all of its content is known."""

    name = "openssl"
    programs = ("openssl",)

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Do nothing: each file is looked at when it is compared."""

    def content(self, resource: ManagedResource) -> str:
        """Return the content of a new file."""
        raise ResourceFailure(f"the provider {self.name} cannot create resources")

    # -- reading -----------------------------------------------------------------------------------

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

    # -- changing ----------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Write the file, with its owner, group and mode; those of an existing file stay otherwise."""
        content = self.content(resource).encode()
        rewrite(self.host, to_s(resource["path"]), content, new_mode=mode_of_new(resource))
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

    # -- programs ----------------------------------------------------------------------------------

    def openssl(
        self, *words: str, password: Any = None, new_password: Any = None, content: str = ""
    ) -> str:
        """Return the standard output of ``openssl``; ResourceFailure with all of its output if it fails.

        ``password`` is that of the key to read, ``new_password`` that of the key to write; others do not
        see them.
        """
        command = (self.host.find_program("openssl") or "openssl", *words)
        environment: dict[str, str | None] = {}
        for option, secret in (("-passin", password), ("-passout", new_password)):
            if secret is not None:
                command += option, f"env:{FOR_OPENSSL}"
                environment = {FOR_OPENSSL: to_s(secret)}
        done = self.attempt(
            command, merged=False, content=content.encode(), environment=environment
        )
        if done.code != 0:
            successful(command, Finished(done.code, done.output + done.errors, ""))
        return done.output


class OfKey(OpensslFile):
    """Makes files that belong to a private key; with ``force``, that of another key counts as absent.

    In the module both values of ``force`` are symbols, which are true; only without a value it is off.
    """

    kind = ""
    """The command of ``openssl`` that reads such a file."""

    def exists(self, resource: ManagedResource) -> bool:
        """Return whether the file exists, and belongs to the key if that matters."""
        if not super().exists(resource):
            return False
        return resource["force"] is None or self.fits_key(resource)

    def fits_key(self, resource: ManagedResource) -> bool:
        """Return whether the public key in the file is that of the private key."""
        words = ("pkey", "-in", to_s(resource["private_key"]), "-pubout")
        public = self.openssl(*words, password=resource["password"])
        return public == self.read(resource, "-pubkey")

    def read(self, resource: ManagedResource, *words: str) -> str:
        """Return what ``openssl`` reads from the file; ResourceFailure for other content."""
        return self.openssl(self.kind, "-in", to_s(resource["path"]), "-noout", *words)
