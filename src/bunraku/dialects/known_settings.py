"""The names of Puppet's settings, for messages about unknown ones."""

from __future__ import annotations

from bunraku.base.suggestions import suggestion
from bunraku.dialects.puppet_3 import settings as settings_of_3
from bunraku.modules import settings

OTHERS = frozenset({"code", "name", "run_mode", "trusted_server_facts", "storeconfigs_backend"})
"""Settings without a default of their own."""
KNOWN = frozenset({*settings.DEFAULTS, *settings_of_3.DEFAULTS, *OTHERS})


def check_setting(name: str) -> str:
    """Return what is wrong with the name of a setting; empty when Puppet has such a setting.

    >>> check_setting("strikt")
    "unknown setting 'strikt' (did you mean 'strict'?)"
    >>> check_setting("serverport")
    ''
    """
    return "" if name in KNOWN else f"unknown setting '{name}'{suggestion(name, KNOWN)}"
