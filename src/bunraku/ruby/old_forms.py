"""The functions of Puppet itself that exist in the form of Puppet 3: ``scope.function_x([…])``."""

from __future__ import annotations

# fmt: off
ONLY_NEW = frozenset((
    "assert_type", "binary_file", "break", "defined", "dig", "each", "epp", "filter", "find_file",
    "hiera", "hiera_array", "hiera_hash", "hiera_include", "inline_epp", "lest", "lookup", "map",
    "match", "new", "next", "reduce", "regsubst", "return", "reverse_each", "slice", "split",
    "step", "strftime", "then", "type", "with",
))
"""Functions whose old form exists in Puppet, but is always refused."""
LOGGING = frozenset(("debug", "info", "notice", "warning", "err", "alert", "crit", "emerg"))
"""Functions that look at no variables. They are always loaded."""
ARITIES = {
    "assert_type": -3, "binary_file": 1, "break": 0, "contain": -2, "create_resources": -3,
    "defined": -2, "digest": 1, "each": -3, "epp": -2, "file": -2, "filter": -3, "find_file": -2,
    "fqdn_rand": -2, "generate": -2, "hiera": -2, "hiera_array": -2, "hiera_hash": -2,
    "hiera_include": -2, "include": -2, "inline_epp": -2, "inline_template": -2, "lest": -2,
    "lookup": -2, "map": -3, "match": 2, "md5": 1, "next": -2, "realize": -2, "reduce": -3,
    "regsubst": -4, "require": -2, "return": -2, "scanf": 2, "sha1": 1, "sha256": 1, "slice": -3,
    "split": 2, "sprintf": -2, "strftime": -3, "tag": -2, "tagged": -2, "template": -2, "then": -2,
    "versioncmp": 2,
}
"""The numbers of arguments, as Ruby counts them: -2 means one or more. Others take any number."""
STATEMENTS = LOGGING | frozenset((
    "break", "contain", "create_resources", "ensure_packages", "ensure_resource",
    "ensure_resources", "fail", "hiera_include", "include", "match", "next", "realize", "require",
    "return", "tag",
))
"""Functions without a value, those of the standard library included."""
# fmt: on
WITH_OLD_FORM = ONLY_NEW | LOGGING | ARITIES.keys() | {"fail", "shellquote"}
