"""The resource type ``user``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.accounts import AccountProvider, Database, account_attributes
from bunraku.providers.attributes import (
    ABSENT,
    Ensure,
    Parameter,
    Property,
    SecretProperty,
)
from bunraku.providers.errors import InvalidSecret, InvalidValue, ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.reading import Truth, all_inherited, check_text, membership
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.providers.ssh_keys import KEY_LINE
from bunraku.types.ruby_semantics.values import inspect, to_s
from bunraku.types.text.display import literal

NUMBER = re.compile(r"-?\d+")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
AT_HOME = re.compile(r"(?:~|%h)/")


# -- values ----------------------------------------------------------------------------------------


def read_number(value: Any) -> Any:
    """Convert a numeric text to a number; return other text unchanged."""
    return int(value) if isinstance(value, str) and NUMBER.fullmatch(value) else value


def read_password(value: Any) -> Any:
    """Check the hash of a password."""
    if isinstance(value, str) and ":" in value:
        raise InvalidSecret("Passwords cannot include ':'")
    return value


def read_days(what: str, value: Any) -> int:
    """Check a number of days."""
    if not NUMBER.fullmatch(to_s(value)):
        raise InvalidValue(f"Password {what} must be provided as a number.")
    return int(value)


def read_group(value: Any) -> str:
    """Check the name of a group."""
    check_text("groups", value, "include?")
    name: str = value
    if name.isdigit():
        raise InvalidValue("Group names must be provided, not GID numbers.")
    if "," in name:
        text = "Group names must be provided as an array, not a comma-separated list."
        raise InvalidValue(text)
    if not name:
        raise InvalidValue(
            'Group names must not be empty. If you want to specify "no groups" pass an empty array'
        )
    return name


def read_expiry(value: Any) -> str:
    """Check a date or ``absent``."""
    if value != ABSENT and not DATE.fullmatch(to_s(value)):
        raise InvalidValue('Expiry dates must be YYYY-MM-DD or the string "absent"')
    return to_s(value)


def read_purged(value: Any, resource: ManagedResource) -> list[str]:
    """Return the files from which unmanaged keys are removed."""
    if value in (False, "false"):
        return []
    given = value if isinstance(value, list) else [value]
    if value in (True, "true"):
        given = ["~/.ssh/authorized_keys"]
    elif not isinstance(value, str | list):
        words = "purge_ssh_keys must be true, false, or an array of file names"
        raise InvalidValue(f"{words}, not {inspect(value)}")
    found = []
    for entry in given:
        if not isinstance(entry, str):
            kind = ruby_class(entry)
            raise InvalidValue(f"Each entry for purge_ssh_keys must be a string, not a {kind}")
        if AT_HOME.match(entry):
            home = home_of(resource)
            if home:
                found.append(f"{home}/{AT_HOME.sub('', entry, count=1)}")
        elif entry.startswith("/"):
            found.append(entry)
        else:
            raise InvalidValue(f"Paths to keyfiles must be absolute, not {entry}")
    return found


def home_of(resource: ManagedResource) -> str | None:
    """Return the home of a user: the wanted one, or that of the existing user."""
    if resource["home"]:
        return to_s(resource["home"])
    account = resource.run.host.user(resource.name)
    return None if account is None else account.home


# -- properties ------------------------------------------------------------------------------------


class UserEnsure(Ensure):
    """Whether a user exists; a role of Solaris needs a provider that has roles."""

    def __init__(self, *, default: Any, about: str) -> None:
        super().__init__(("present", ABSENT, "role"), default=default, about=about)

    def feature_of(self, value: Any) -> str | None:
        """Return the ability that roles need."""
        return "manages_solaris_rbac" if value == "role" else None


class PrimaryGroup(Property):
    """The primary group, by name or ID."""

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the user has one of the wanted groups."""
        wanted = map(database_of(resource).group_number, resource.accepted("gid"))
        return any(number is not None and number == current for number in wanted)

    def change(self, resource: ManagedResource, wanted: Any) -> None:
        """Set the first wanted group that exists."""
        for group in resource.accepted("gid"):
            number = database_of(resource).group_number(group)
            if number is not None:
                resource.provider.set(resource, "gid", number)
                return
        names = ",".join(map(to_s, resource.accepted("gid")))
        raise ResourceFailure(f"Could not find group(s) {names}")


def database_of(resource: ManagedResource) -> Database:
    """Return the users and groups of the machine."""
    provider = resource.provider
    assert isinstance(provider, AccountProvider)
    return provider.database


def wanted_groups(resource: ManagedResource, current: Any) -> str:
    """Return the sorted wanted groups of a user, separated by commas."""
    kept = current if resource["membership"] == "minimum" and isinstance(current, list) else []
    return ",".join(sorted({*map(to_s, resource["groups"]), *kept}))


class Groups(Property):
    """The supplementary groups of a user: the whole list or a part of it."""

    def wanted(self, resource: ManagedResource, current: Any) -> Any:
        """Return the sorted names, separated by commas."""
        return None if resource["groups"] is None else wanted_groups(resource, current)

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether the user has the wanted groups."""
        found = ",".join(sorted(current)) if isinstance(current, list) else ""
        return bool(found == self.wanted(resource, current))

    def shown(self, resource: ManagedResource, value: Any) -> str:
        """Return the groups, separated by commas."""
        return ",".join(value) if isinstance(value, list) else literal(value)

    def described(self, resource: ManagedResource, current: Any, wanted: Any) -> str:
        """Return the message of a change, with the new groups as an array."""
        new = literal(wanted.split(",") if wanted else [])
        if current in (None, ABSENT):
            return f"defined 'groups' as {new}"
        return f"groups changed {self.shown(resource, current)} to {new}"


class User(ResourceType):
    """Users, managed with the programs of the system."""

    name = "user"
    providers = ("useradd",)
    attributes = (
        UserEnsure(default=present_if_managed, about="Whether the user exists."),
        Property("home", about="The home directory. `managehome` decides whether it is created."),
        Property("uid", read=read_number, about="The ID of the user. Default: the next free ID."),
        PrimaryGroup("gid", read=read_number, about="The primary group, by name or ID."),
        Property("comment", about="The full name of the user, or other information."),
        Property("shell", feature="manages_shell", about="The login shell; it must exist."),
        SecretProperty(
            "password",
            read=read_password,
            feature="manages_passwords",
            about="The hash of the password, as the machine stores it. Use a `Sensitive` value.",
        ),
        Property(
            "password_min_age",
            read=lambda value: read_days("minimum age", value),
            feature="manages_password_age",
            about="The minimum number of days between changes of the password.",
        ),
        Property(
            "password_max_age",
            read=lambda value: read_days("maximum age", value),
            feature="manages_password_age",
            about="The number of days after which the password must be changed.",
        ),
        Property(
            "password_warn_days",
            read=lambda value: read_days("warning days", value),
            feature="manages_password_age",
            about="The number of days before the password expires on which the user is warned.",
        ),
        Groups(
            "groups",
            many=True,
            read=read_group,
            about="The supplementary groups of the user.",
        ),
        Parameter("name", about="The name of the user."),
        membership("membership", of="groups"),
        Truth(
            "managehome",
            default=False,
            about="Create the home directory with the user and remove it with the user.",
        ),
        Property(
            "expiry",
            read=read_expiry,
            feature="manages_expiry",
            about="The day on which the account expires, or `absent`.",
        ),
        Property(
            "roles", many=True, feature="manages_roles", about="The roles of the user, on Solaris."
        ),
        membership("role_membership", of="roles"),
        Property(
            "auths",
            many=True,
            feature="manages_solaris_rbac",
            about="The authorisations of the user, on Solaris.",
        ),
        membership("auth_membership", of="auths"),
        Property(
            "profiles",
            many=True,
            feature="manages_solaris_rbac",
            about="The profiles of the user, on Solaris.",
        ),
        membership("profile_membership", of="profiles"),
        Property(
            "keys",
            many=True,
            feature="manages_solaris_rbac",
            about="Additional attributes of the user, on Solaris.",
        ),
        membership("key_membership", of="keys"),
        Property(
            "project", feature="manages_solaris_rbac", about="The project of the user, on Solaris."
        ),
        SecretProperty(
            "salt", feature="manages_password_salt", about="The salt of the password, on macOS."
        ),
        Property(
            "iterations",
            feature="manages_password_salt",
            about="The iterations of the password's hash, on macOS.",
        ),
        Parameter(
            "purge_ssh_keys",
            read_for=read_purged,
            about="Remove keys that no resource manages: `true`, or the files to search.",
        ),
        Property(
            "loginclass", feature="manages_loginclass", about="The login class of the user, on BSD."
        ),
        *account_attributes("user"),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the groups of the user that are in the catalog."""
        for group in resource.accepted("gid"):
            if not isinstance(group, int):
                yield "group", to_s(group)
                continue
            for other in self.run.of_type("group"):
                if other["gid"] == group:
                    yield "group", other.title
                    break
        if resource["groups"] is not None:
            # Groups that the user keeps count too.
            kept = resource.provider.get(resource, "groups") if resource.has_provider else ABSENT
            for name in wanted_groups(resource, kept).split(","):
                yield "group", name

    def generate(self, resource: ManagedResource) -> list[ManagedResource]:
        """Return the unmanaged keys of the user, to be removed."""
        resource.resolve_deferred(["purge_ssh_keys"])
        if not resource["purge_ssh_keys"]:
            return []
        resource.resolve_deferred(["name", "home"])
        kind = self.run.resource_type("ssh_authorized_key")
        assert kind is not None
        self.run.compute_names(kind.name)
        found: list[ManagedResource] = []
        for path in resource["purge_ssh_keys"]:
            for name in self.key_names(path):
                if self.run.find(kind.name, name) is None:
                    values = {"ensure": ABSENT, "user": resource.name, "target": path}
                    values |= all_inherited(resource)
                    found.append(ManagedResource(kind, name, values, path=resource.containers))
        return found

    def key_names(self, path: str) -> list[str]:
        """Return the names of the keys in a file; keys without a comment are numbered."""
        try:
            text = self.host.read(path).decode("utf-8", "surrogateescape")
        except OSError:
            return []
        names: list[str] = []
        unnamed = 0
        for line in text.splitlines():
            match = KEY_LINE.search(line)
            if match is None:
                continue
            name = match[4]
            if not name:
                unnamed += 1
                name = f"{path}:unnamed-{unnamed}"
            names.append(name)
        return names


resource_type = User
