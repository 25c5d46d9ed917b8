"""How the types of PostgreSQL run ``psql``: no statement with a secret is an argument of a program."""

from __future__ import annotations

import re
from hashlib import sha256
from types import NoneType
from typing import Any

from bunraku.base.records import record
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.ruby_classes import ruby_class
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Finished

PASSWORD = re.compile(r"password|passwd|identified", re.IGNORECASE)
"""What statements with passwords contain, even if a resource does not say that they are secret."""
PLACE = re.compile(r"^psql:<stdin>:\d+: ", re.MULTILINE)
FAILED_SCRIPT = 3
"""The exit code of psql after a statement of its standard input failed."""


@record(frozen=True)
class Statement:
    """A statement as options of psql, or as its standard input."""

    options: tuple[str, ...]
    content: bytes = b""

    def result(self, done: Finished) -> Finished:
        """Return what psql would have said about an argument."""
        if not self.content:
            return done
        code = 1 if done.code == FAILED_SCRIPT else done.code
        return Finished(code, PLACE.sub("", done.output), done.errors)


def statement(sql: str, *, secret: bool, option: str = "-c") -> Statement:
    """Return how psql gets SQL: a secret comes from standard input.

    psql would read variables and its own commands there. ``\\gexec`` passes SQL to the server as it
    is, with several statements in one transaction, as the option does (psql 9.6 and later).
    """
    if not secret and PASSWORD.search(sql) is None:
        return Statement((option, sql))
    content = sql.encode("utf-8", "surrogateescape")
    quote = f"$bunraku{sha256(content).hexdigest()[:16]}$".encode()  # text that the SQL cannot have
    script = b"SELECT %b%b%b\n\\gexec\n" % (quote, content, quote)
    return Statement(("-v", "ON_ERROR_STOP=1"), script)


def is_secret(resource: ManagedResource, *names: str) -> bool:
    """Return whether one of a resource's attributes is secret."""
    return not resource.sensitive.isdisjoint(names)


def settings(value: Any) -> dict[str, str | None]:
    """Return the variables of ``connect_settings``; ResourceFailure for anything but a hash."""
    if not isinstance(value, dict | NoneType):
        raise ResourceFailure(f"connect_settings must be a Hash, got {ruby_class(value)}")
    return {to_s(name): to_s(one) for name, one in (value or {}).items()}
