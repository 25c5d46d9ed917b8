"""The names of Puppet's settings, for messages about unknown ones."""

from __future__ import annotations

from bunraku.base.suggestions import suggestion
from bunraku.dialects.puppet_3 import settings as puppet_3_settings
from bunraku.modules import settings

OTHERS = frozenset({"code", "name", "run_mode", "trusted_server_facts", "storeconfigs_backend"})
"""Settings without a default of their own."""
KNOWN = frozenset({*settings.DEFAULTS, *puppet_3_settings.DEFAULTS, *OTHERS})


def near_setting(name: str) -> str | None:
    """Return a suggestion for the name of an unknown setting, maybe empty; None for a known one.

    >>> near_setting("strikt")
    " (did you mean 'strict'?)"
    >>> near_setting("serverport")
    """
    return None if name in KNOWN else suggestion(name, KNOWN)
