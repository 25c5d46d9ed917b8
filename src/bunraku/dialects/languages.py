"""The values of ``--language``, and the versions of Puppet by name.

Every command imports this file for its options.
"""

from __future__ import annotations

from importlib import import_module

from bunraku.base.lazy_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunraku.dialects.dialect import Dialect

LANGUAGES = {
    "9": "bunraku.dialects.puppet_9",
    "8": "bunraku.dialects.puppet_8",
    "3.8": "bunraku.dialects.puppet_3_8",
    "3.8-future": "bunraku.dialects.future_parser",
    "3.0": "bunraku.dialects.puppet_3_0",
}
"""``--language`` → the module whose ``DIALECTS`` has the version for each value of ``--follow``."""
DEFAULT = "8"
"""The language if neither options nor the environment set one."""
PARSERS = {"current": "3.8", "future": "3.8-future"}
"""The value of the setting ``parser`` of Puppet 3 → ``--language``."""


class UnknownDialect(Exception):
    """Raised for a ``--language`` or ``--follow`` that does not exist; the message names it."""


def dialect_named(language: str | None, follow: str = "puppet") -> Dialect:
    """Return the dialect of a ``--language`` and a ``--follow``; raise UnknownDialect.

    >>> dialect_named("8").syntax.tasks
    False
    """
    module = LANGUAGES.get(language or DEFAULT)
    if follow not in {"puppet", "documents"}:
        raise UnknownDialect(f"follow must be puppet or documents, not {follow!r}")
    if module is None:
        known = ", ".join(LANGUAGES)
        raise UnknownDialect(f"language {language} is not supported (supported: {known})")
    found: Dialect = import_module(module).DIALECTS[follow]
    return found
