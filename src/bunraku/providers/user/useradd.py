"""Users, with ``useradd``, ``usermod``, ``userdel``, ``chage`` or their variants for local users."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from bunraku.providers.accounts import NEVER, AccountProvider
from bunraku.providers.attributes import ABSENT
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import State
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Account, Command

AGES = {"password_min_age": "-m", "password_max_age": "-M", "password_warn_days": "-W"}
"""The properties that ``chage`` sets, and its options."""
OPTIONS = {
    "comment": "-c",
    "expiry": "-e",
    "gid": "-g",
    "groups": "-G",
    "home": "-d",
    "shell": "-s",
    "uid": "-u",
}
"""The options of ``useradd`` and ``usermod``, in the order of their use for a new user."""


class UserAdd(AccountProvider):
    """Manages users with the programs of the shadow suite."""

    name = "useradd"
    programs = ("useradd", "userdel", "usermod", "chage", "chpasswd")
    features = frozenset(
        {
            "allows_duplicates",
            "manages_expiry",
            "manages_homedir",
            "manages_password_age",
            "manages_passwords",
            "manages_shell",
            "system_users",
        }
    )

    # -- reading ---------------------------------------------------------------------------------

    def instances(self, wanted: Sequence[ManagedResource] | None) -> Mapping[str, State]:
        """Return all users."""
        return {user.name: self.state_of(user, local=False) for user in self.host.users()}

    def prefetch(self, resources: Sequence[ManagedResource]) -> None:
        """Read nothing in advance: earlier resources may create users."""

    def state(self, resource: ManagedResource) -> State:
        """Return the current state of a user."""
        local = resource.is_true("forcelocal")
        found = self.database.user(resource.name, local=local)
        return {} if found is None else self.state_of(found, local=local)

    def state_of(self, user: Account, *, local: bool) -> State:
        """Return the state of a user."""
        state: State = {
            "ensure": "present",
            "uid": user.uid,
            "gid": user.gid,
            "home": user.home,
            "shell": user.shell,
            "comment": user.comment,
            "groups": self.database.groups_of(user.name, local=local),
        }
        shadow = self.database.shadow(user.name)
        if shadow is not None:
            state |= {
                "password": shadow.password,
                "password_min_age": shadow.minimum,
                "password_max_age": shadow.maximum,
                "password_warn_days": shadow.warning,
                "expiry": date_of(shadow.expiry),
            }
        return state

    # -- changing --------------------------------------------------------------------------------

    def create(self, resource: ManagedResource) -> None:
        """Create a user."""
        if resource["shell"] is not None:
            self.check_shell(resource)
        local, secret = resource.is_true("forcelocal"), bool(resource.sensitive)
        try:
            words = [self.program(resource, "useradd"), *self.options(resource), resource.name]
            self.change(resource, words, secret=secret)
            ages = [name for name in AGES if resource[name] is not None]
            if ages:
                limits = [word for name in ages for word in (AGES[name], to_s(resource[name]))]
                self.change(
                    resource,
                    [self.program(resource, "chage"), *limits, resource.name],
                    secret=secret,
                )
        except ResourceFailure as failure:
            raise ResourceFailure(f"Could not create user {resource.name}: {failure}") from None
        if local:
            for name in ("groups", "expiry"):
                if resource[name]:
                    self.set(resource, name, self.wanted(resource, name))
        if resource["password"] is not None:
            self.set_password(resource, resource["password"])

    def options(self, resource: ManagedResource) -> list[str]:
        """Return the options for a new user."""
        local = resource.is_true("forcelocal")
        words: list[str] = []
        if resource["gid"] is None and self.host.group(resource.name) is not None:
            words += ["-g", resource.name]
        for name, option in OPTIONS.items():
            value = self.wanted(resource, name)
            if value in (None, "") or (local and name in ("groups", "expiry")):
                continue
            words += [option, self.argument(name, value)]
        words += self.duplicates(resource)
        if not resource.is_true("managehome"):
            words.append("-M")
        elif not local:
            words.append("-m")
        return [*words, "-r"] if resource.is_true("system") else words

    def wanted(self, resource: ManagedResource, name: str) -> Any:
        """Return the wanted state of a property; groups are joined."""
        value = resource[name]
        if name == "groups" and value is not None:
            kept = self.state(resource).get("groups", [])
            kept = kept if resource["membership"] == "minimum" else []
            return ",".join(sorted({*value, *kept}))
        return value

    def argument(self, name: str, value: Any) -> str:
        """Format a value as an argument of a program."""
        return "" if name == "expiry" and value == ABSENT else to_s(value)

    def duplicates(self, resource: ManagedResource) -> list[str]:
        """Return the option that allows a duplicate ID; libuser never checks IDs."""
        allowed, local = resource.is_true("allowdupe"), resource.is_true("forcelocal")
        if local and not allowed:
            for user in self.database.local_users().values():
                if user.uid == resource["uid"]:
                    raise ResourceFailure(
                        f"UID {user.uid} already exists, use allowdupe to force user creation"
                    )
        return ["-o"] if allowed and not local else []

    def destroy(self, resource: ManagedResource) -> None:
        """Remove a user, and the home directory if it is managed."""
        words = [self.program(resource, "userdel")]
        if resource.is_true("managehome"):
            words.append("-r")
        try:
            self.change(resource, [*words, resource.name], secret=False)
        except ResourceFailure as failure:
            raise ResourceFailure(f"Could not delete user {resource.name}: {failure}") from None

    def set(self, resource: ManagedResource, name: str, value: Any) -> None:
        """Change one property."""
        if name == "password":
            self.set_password(resource, value)
            return
        if name == "shell":
            self.check_shell(resource)
        if name in AGES:
            words = [self.program(resource, "chage"), AGES[name], to_s(value)]
        else:
            plain = name in ("groups", "expiry")
            program = "usermod" if plain else self.program(resource, "usermod")
            words = [program, OPTIONS[name], self.argument(name, value)]
        if name == "uid":
            words += self.duplicates(resource)
        try:
            self.change(resource, [*words, resource.name], secret=name in resource.sensitive)
        except ResourceFailure as failure:
            text = f"Could not set {name} on user[{resource.name}]: {failure}"
            raise ResourceFailure(text) from None

    def set_password(self, resource: ManagedResource, value: str) -> None:
        """Set the hash of the password; the program reads it from its standard input."""
        program = self.host.find_program("chpasswd") or "chpasswd"
        content = f"{resource.name}:{value}\n".encode()
        command = Command((program, "-e"), content=content, merged=True)
        done = self.finished(command, f"{program} -e")
        if done.output:
            raise ResourceFailure(f"chpasswd said {done.output}")

    def check_shell(self, resource: ManagedResource) -> None:
        """Raise ResourceFailure for a shell that cannot be executed."""
        shell = resource["shell"]
        if self.host.status(shell, follow=True) is None:
            raise ResourceFailure(f"Shell {shell} must exist")
        if not self.host.is_executable(shell):
            raise ResourceFailure(f"Shell {shell} must be executable")


def date_of(days: int) -> str:
    """Return the date for a number of days since 1970-01-01.

    >>> date_of(22405), date_of(-1)
    ('2031-05-06', 'absent')
    """
    return ABSENT if days == NEVER else (date(1970, 1, 1) + timedelta(days=days)).isoformat()


provider = UserAdd
