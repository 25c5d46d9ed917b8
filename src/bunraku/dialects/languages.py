"""The values of ``--language``; every command imports them for its options."""

from __future__ import annotations

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
