"""Since when each core function is there, and in which dialects: read from Puppet's releases.

A version is the first release whose sources hold the function, whatever parser it needed then.
"""

from __future__ import annotations

# fmt: off
RELEASES = {
    "0.16.1": "defined include tag tagged",
    "0.18.1": "fail",
    "0.18.2": "template",
    "0.20.0": "alert crit debug emerg err info notice realize warning",
    "0.22.2": "file generate",
    "0.24.5": "fqdn_rand sha1",
    "0.24.6": "search",
    "0.24.7": "inline_template",
    "0.24.8": "regsubst sprintf versioncmp",
    "0.25.0": "require shellquote split",
    "2.6.1": "extlookup md5",
    "2.7.0": "create_resources",
    "3.0.0": "hiera hiera_array hiera_hash hiera_include",
    "3.2.0": "each reduce slice",
    "3.3.0": "lookup",
    "3.4.0": "contain filter map",
    "3.5.0": "epp inline_epp",
    "3.6.0": "assert_type import",
    "3.7.0": "digest match with",
    "3.7.4": "scanf",
    "4.4.0": "puppetdb_query reverse_each step type",
    "4.5.0": "dig lest new then",
    "4.6.1": "unwrap",
    "4.8.0": "binary_file break find_file next return strftime",
    "4.9.0": "hocon_data json_data yaml_data",
    "4.9.3": "eyaml_lookup_key",
    "5.0.0": "annotate call unique",
    "5.1.0": "all any tree_each",
    "5.4.0": "convert_to module_directory sha256",
    "5.5.0": "empty flatten join keys length values",
    "6.0.0": "abs camelcase capitalize ceiling chomp chop compare downcase floor get getvar "
    "lstrip max min round rstrip size sort strip upcase",
    "6.3.0": "group_by index partition",
    "6.12.0": "find_template",
}
# fmt: on
LAST = {"extlookup": "3.8.7", "search": "3.8.7"}
"""Core functions that went away → the last release that had them."""
SINCE = {name: version for version, names in RELEASES.items() for name in names.split()}
"""Core function → version."""

# fmt: off
CALLABLE = {
    "3.0": "alert create_resources crit debug defined emerg err extlookup fail file fqdn_rand generate "
    "hiera hiera_array hiera_hash hiera_include include info inline_template md5 "
    "notice realize regsubst require search sha1 shellquote split sprintf tag tagged template "
    "versioncmp warning",
    "3.8": "alert contain create_resources crit debug defined digest emerg err extlookup fail file "
    "fqdn_rand generate hiera hiera_array hiera_hash hiera_include include info inline_template "
    "md5 notice realize regsubst require scanf search sha1 shellquote split sprintf tag tagged "
    "template versioncmp warning",
    "3.8-future": "alert assert_type contain create_resources crit debug defined digest each emerg epp err "
    "extlookup fail file filter fqdn_rand generate hiera hiera_array hiera_hash hiera_include import "
    "include info inline_epp inline_template lookup map match md5 notice realize reduce "
    "regsubst require scanf search sha1 shellquote slice split sprintf tag tagged template "
    "versioncmp warning with",
}
# fmt: on
DIALECTS = {dialect: frozenset(names.split()) for dialect, names in CALLABLE.items()}
"""Dialect before 4 → the core functions that its parser can call; ``8`` has all."""

NOT_CARRIED_OUT = {
    "import": "always an error, as in Puppet",
    "inline_template": "complete; rarer code needs Ruby",
    "template": "complete; rarer code needs Ruby",
    "stdlib pry": "refused: it opens a Ruby debugger",
    "stdlib validate_augeas": "refused: it needs Augeas for Ruby",
}
"""What there is to say about a function that is not simply complete."""
