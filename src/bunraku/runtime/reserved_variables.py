"""Variables with names of their own in the language."""

from __future__ import annotations

RESERVED = frozenset({"$facts", "$server_facts", "$trusted"})
RESERVED_WHEN_ASKED = RESERVED - {"$server_facts"}
"""Those of Puppet 3, with ``trusted_node_data``."""
NEVER_UNKNOWN = frozenset({"module_name", "caller_module_name"})
