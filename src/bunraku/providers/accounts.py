"""Users and groups: the databases of a machine, and the programs that change them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from bunraku.base.records import record
from bunraku.providers.attributes import ABSENT, Parameter, Property
from bunraku.providers.errors import ResourceFailure, execution_failure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import Provider
from bunraku.providers.reading import Truth, membership, switch
from bunraku.world.file_signatures import Signature
from bunraku.world.host import Account, AccountGroup, Command, CommandTimeout, Finished, Host

Value = Any
LIBUSER = ("/usr/sbin/lgroupadd", "/usr/sbin/luseradd")
"""Programs that manage local accounts on machines that also use a directory service."""
LIBUSER_CONFIGURATION = b"""[import]
login_defs = /etc/login.defs
default_useradd = /etc/default/useradd
[defaults]
crypt_style = sha512
modules = files shadow
create_modules = files shadow
[userdefaults]
LU_USERNAME = %n
LU_GIDNUMBER = %u
[groupdefaults]
LU_GROUPNAME = %n
"""
NEVER = -1
"""A limit of the shadow database that is not set."""


@record(frozen=True)
class Shadow:
    """The password of a user and its limits in days; NEVER marks limits that are not set."""

    password: str
    minimum: int
    maximum: int
    warning: int
    expiry: int
    """Days since 1970-01-01."""


class Database:
    """The users and groups of a machine; its files are read again only after a change."""

    def __init__(self, host: Host) -> None:
        self.host = host
        self.kept: dict[str, tuple[Signature, Value]] = {}

    def user(self, name: str, *, local: bool = False) -> Account | None:
        """Return a user; with ``local``, search only ``/etc/passwd``."""
        return self.local_users().get(name) if local else self.host.user(name)

    def group(self, name: str, *, local: bool = False) -> AccountGroup | None:
        """Return a group; with ``local``, search only ``/etc/group``."""
        return self.local_groups().get(name) if local else self.host.group(name)

    def group_number(self, name: str | int) -> int | None:
        """Return the ID of a group, given its name or ID; None if the group does not exist."""
        if isinstance(name, str) and name.isdigit():
            name = int(name)
        found = self.host.group(name)
        return None if found is None else found.gid

    def groups_of(self, name: str, *, local: bool = False) -> list[str]:
        """Return the groups that list a user as member."""
        groups = self.local_groups().values() if local else self.groups()
        return list(dict.fromkeys(group.name for group in groups if name in group.members))

    def groups(self) -> Sequence[AccountGroup]:
        """Return all groups."""
        key = "groups"
        signature = self.host.signature("/etc/group")
        if signature is None:
            return self.host.groups()
        if key not in self.kept or self.kept[key][0] != signature:
            self.kept[key] = signature, self.host.groups()
        found: Sequence[AccountGroup] = self.kept[key][1]
        return found

    def local_users(self) -> Mapping[str, Account]:
        """Return the users of ``/etc/passwd`` by name."""
        found: dict[str, Account] = {}
        for name, _, uid, gid, comment, home, shell in self.rows("/etc/passwd", 7):
            if uid.isdigit() and gid.isdigit():
                found.setdefault(name, Account(name, int(uid), int(gid), home, shell, comment))
        return found

    def local_groups(self) -> Mapping[str, AccountGroup]:
        """Return the groups of ``/etc/group`` by name."""
        found: dict[str, AccountGroup] = {}
        for name, _, gid, members in self.rows("/etc/group", 4):
            if gid.isdigit():
                some = tuple(filter(None, members.split(",")))
                found.setdefault(name, AccountGroup(name, int(gid), some))
        return found

    def shadow(self, name: str) -> Shadow | None:
        """Return the shadow entry of a user; None if it does not exist or cannot be read."""
        try:
            rows = self.rows("/etc/shadow", 9)
        except OSError:
            return None
        for user, password, _, minimum, maximum, warning, _, expiry, _ in rows:
            if user == name:
                limits = [days(field) for field in (minimum, maximum, warning, expiry)]
                return Shadow(password, *limits)
        return None

    def rows(self, path: str, count: int) -> list[list[str]]:
        """Return the entries with ``count`` fields in a file of the databases."""
        signature = self.host.signature(path)
        if signature is not None and path in self.kept and self.kept[path][0] == signature:
            kept: list[list[str]] = self.kept[path][1]
            return kept
        text = self.host.read(path).decode("utf-8", "surrogateescape")
        rows = [line.split(":") for line in text.splitlines()]
        found = [row for row in rows if len(row) == count and row[0]]
        if signature is not None:
            self.kept[path] = signature, found
        return found


def days(field: str) -> int:
    """Return a limit of the shadow database."""
    return int(field) if field.lstrip("-").isdigit() else NEVER


class AccountProvider(Provider):
    """The base class of the providers of users and groups."""

    def __init__(self, run: Any) -> None:
        super().__init__(run)
        key = (Database, "database")
        if key not in run.shared:
            run.shared[key] = Database(run.host)
        self.database: Database = run.shared[key]

    def supports(self, feature: str) -> bool:
        """Return whether the provider has a feature; some features need libuser."""
        return super().supports(feature) or (
            feature in self.libuser_features and self.has_libuser()
        )

    libuser_features: frozenset[str] = frozenset({"manages_local_users_and_groups"})

    def has_libuser(self) -> bool:
        """Return whether the programs for local accounts are installed."""
        return all(map(self.host.is_executable, LIBUSER))

    def get(self, resource: ManagedResource, name: str) -> Value:
        """Return the state of a property, ``absent`` if there is none."""
        state = self.state(resource)
        found = state.get(name)
        return ABSENT if found is None else found

    @contextmanager
    def environment(self, resource: ManagedResource) -> Iterator[dict[str, str | None]]:
        """Provide the variables of the programs that change an account."""
        if not resource.is_true("forcelocal"):
            yield {}
            return
        with self.host.temporary_file(LIBUSER_CONFIGURATION) as path:
            yield {"LIBUSER_CONF": path}

    def change(self, resource: ManagedResource, words: Sequence[str], *, secret: bool) -> None:
        """Run a program that changes an account; raise ResourceFailure unless it exits with 0."""
        program = self.host.find_program(words[0])
        if program is None:
            raise ResourceFailure(f"Command {words[0]} is missing")
        call = (program, *words[1:])
        shown = "[redacted]" if secret else " ".join(call)
        with self.environment(resource) as environment:
            done = self.finished(Command(call, environment=environment, merged=True), shown)
        if done.code != 0:
            reason = done.output.strip()
            raise ResourceFailure(f"Execution of '{shown}' returned {done.code}: {reason}")

    def finished(self, command: Command, shown: str) -> Finished:
        """Run a program and return its result."""
        try:
            return self.host.execute(command)
        except (OSError, CommandTimeout) as error:
            raise execution_failure(shown, error) from None

    def program(self, resource: ManagedResource, name: str) -> str:
        """Return the path of a program, or of its variant for local accounts."""
        return f"l{name}" if resource.is_true("forcelocal") else name


def account_attributes(kind: str) -> tuple[Parameter, ...]:
    """Return the attributes that users and groups have in common."""
    return (
        switch("allowdupe", default=False, about=f"Allow the ID of another {kind}."),
        switch(
            "system",
            default=False,
            about=f"Create a system {kind}, with an ID below those of ordinary {kind}s.",
        ),
        Parameter(
            "ia_load_module",
            feature="manages_aix_lam",
            about=f"The module that manages the {kind} on AIX.",
        ),
        Property(
            "attributes",
            many=True,
            feature="manages_aix_lam",
            about=f"Additional attributes of the {kind} on AIX.",
        ),
        membership("attribute_membership", of="attributes"),
        Truth(
            "forcelocal",
            default=False,
            feature="manages_local_users_and_groups",
            about=f"Manage the {kind} in local files even if another source has it.",
        ),
    )
