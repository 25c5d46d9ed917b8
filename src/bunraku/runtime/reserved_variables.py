"""Variables with names of their own in the language."""

from __future__ import annotations

RESERVED = frozenset({"$facts", "$trusted"})
NEVER_UNKNOWN = frozenset({"module_name", "caller_module_name"})
