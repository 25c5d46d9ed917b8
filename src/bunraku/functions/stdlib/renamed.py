"""Old names in version 9, which report the new name with the prefix ``stdlib::``."""

from __future__ import annotations

from typing import Any

from bunraku.functions.declaration import About, FunctionTable
from bunraku.functions.stdlib.deprecated import deprecate
from bunraku.runtime.callables import Closure
from bunraku.runtime.state import Scope

Value = Any
function = FunctionTable()
strict_function = FunctionTable()

IN_SCOPE_OF_CALLER = frozenset({"ensure_packages"})
"""Functions that declare resources: in the caller's scope since 9.2.0, before in the top scope."""
NAMES = (
    "batch_escape",
    "ensure_packages",
    "fqdn_rand_string",
    "has_interface_with",
    "os_version_gte",
    "parsehocon",
    "powershell_escape",
    "seeded_rand",
    "seeded_rand_string",
    "shell_escape",
    "to_json",
    "to_json_pretty",
    "to_python",
    "to_ruby",
    "to_toml",
    "to_yaml",
    "type_of",
    "validate_domain_name",
    "validate_email_address",
)
"""Functions renamed in 9.0.0. The setting ``strict`` decided on the warning until 9.1.0."""
RENAMED_LATER = {"fqdn_rotate": "9.4.0", "has_ip_address": "9.8.0", "has_ip_network": "9.8.0"}
STRICT: About = {"since": "9.0.0", "until": "9.1.0"}
CURRENT: About = {"since": "9.2.0"}


def rename(table: FunctionTable, name: str, about: About) -> None:
    """Register a name that warns and calls the new one."""
    new_name = f"stdlib::{name}"
    by_strictness = table is strict_function
    in_scope_of_caller = name in IN_SCOPE_OF_CALLER and not by_strictness

    def called(scope: Scope, *arguments: Value) -> Value:
        text = f"This function is deprecated, please use {new_name} instead."
        deprecate(scope, name, text, by_strictness=by_strictness)
        inner = scope if in_scope_of_caller else scope.compilation.top_scope
        return scope.compilation.call_function(inner, new_name, list(arguments))

    called.__doc__ = f"Do what ``{new_name}`` does; deprecated."
    table(f"{name}(Any *$arguments)", scope=True, **about)(called)


def rename_merge(table: FunctionTable, about: About) -> None:
    """Register ``merge``, which also takes a block."""
    by_strictness = table is strict_function

    def called(scope: Scope, *arguments: Value, block: Closure | None) -> Value:
        text = "This function is deprecated, please use stdlib::merge instead."
        deprecate(scope, "merge", text, by_strictness=by_strictness)
        return scope.compilation.call_function(scope, "stdlib::merge", list(arguments), block)

    called.__doc__ = "Do what ``stdlib::merge`` does; deprecated."
    header = "merge(Any *$arguments, Optional[Variant[Callable[2, 2], Callable[3, 3]]] &$block)"
    table(header, scope=True, **about)(called)


for old_name in NAMES:
    rename(strict_function, old_name, STRICT)
    rename(function, old_name, CURRENT)
rename_merge(strict_function, STRICT)
rename_merge(function, CURRENT)
for old_name, release in RENAMED_LATER.items():
    rename(function, old_name, {"since": release})
