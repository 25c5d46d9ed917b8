"""Which functions each version of the standard library brought, and where they are defined here.

An entry is a list of eras separated by semicolons: first and last version, the kind of function
(``3x`` old, ``4x`` new, ``pp`` written in Puppet) and the module, with the table in it when that is
not ``function``. A later era that fits wins. Before version 1.0.0, and between 3.0.0 and 3.1.x,
a few functions were missing.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from bunraku.runtime.registry import BuiltinFunction

Version = tuple[int, int, int]
OLD_KIND = frozenset({"3x"})
ALL_KINDS = frozenset({"3x", "4x", "pp"})

# fmt: off
INDEX: dict[str, str] = {
    "abs": "2.2.0-8.6.0 3x old",
    "any2array": "4.0.0- 3x arrays",
    "any2bool": "4.13.0- 3x conversion",
    "assert_private": "4.6.0- 3x catalog",
    "base64": "4.2.0- 3x conversion",
    "basename": "4.6.0- 3x paths",
    "batch_escape": "8.2.0-8.6.0 4x shell; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "bool2num": "2.2.0- 3x conversion",
    "bool2str": "4.3.0- 3x conversion",
    "camelcase": "4.3.0-8.6.0 3x old",
    "capitalize": "2.2.0-8.6.0 3x old",
    "ceiling": "4.6.0-8.6.0 3x old",
    "chomp": "2.2.0-8.6.0 3x old",
    "chop": "2.2.0-8.6.0 3x old",
    "clamp": "4.12.0- 3x arrays",
    "concat": "4.0.0- 3x arrays",
    "convert_base": "4.9.0- 3x conversion",
    "count": "4.0.0- 3x arrays",
    "deep_merge": "4.2.0- 3x hashes",
    "defined_with_params": "2.5.0- 3x catalog",
    "delete": "2.2.0- 3x arrays",
    "delete_at": "2.2.0- 3x arrays",
    "delete_regex": "4.13.0- 3x arrays",
    "delete_undef_values": "4.2.0- 3x arrays",
    "delete_values": "4.2.0- 3x arrays",
    "deprecation": "4.13.0-9.3.0 3x deprecated.old_function; 4.13.0-9.1.0 4x deprecated; 9.2.0- 4x deprecated.new_function",
    "difference": "4.2.0- 3x arrays",
    "dig": "4.12.0-8.6.0 3x old",
    "dig44": "4.13.0-8.6.0 3x old",
    "dirname": "4.1.0- 3x paths",
    "dos2unix": "4.9.0- 3x strings",
    "downcase": "2.2.0-8.6.0 3x old",
    "empty": "2.2.0-8.6.0 3x old",
    "enclose_ipv6": "4.12.0- 3x network",
    "ensure_packages": "2.6.0-7.1.0 3x catalog.older; 8.0.0-8.2.0 3x catalog.wider; 8.3.0-8.5.0 4x catalog; 8.6.0-8.6.0 4x catalog.newest; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "ensure_resource": "2.5.0- 3x catalog",
    "ensure_resources": "4.12.0- 3x catalog",
    "fact": "4.19.0- 4x facts",
    "flatten": "2.2.0-8.6.0 3x old",
    "floor": "4.0.0-8.6.0 3x old",
    "fqdn_rand_string": "4.6.0-8.6.0 3x randomness; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "fqdn_rotate": "2.4.0-9.3.0 3x randomness; 9.4.0- 4x renamed",
    "fqdn_uuid": "4.15.0- 3x randomness",
    "get_module_path": "2.3.0- 3x data",
    "getparam": "4.0.0- 3x catalog",
    "getvar": "0.1.7-8.6.0 3x old",
    "glob": "4.17.0- 3x system",
    "grep": "2.2.0- 3x arrays",
    "has_interface_with": "2.6.0-2.6.0 3x network; 3.2.0- 3x network; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "has_ip_address": "2.6.0-2.6.0 3x network; 3.2.0- 3x network; 9.8.0- 4x renamed",
    "has_ip_network": "2.6.0-2.6.0 3x network; 3.2.0- 3x network; 9.8.0- 4x renamed",
    "has_key": "1.0.0-8.6.0 3x hashes",
    "hash": "2.2.0-8.6.0 3x hashes",
    "intersection": "4.2.0- 3x arrays",
    "is_a": "4.10.0- 4x conversion",
    "is_absolute_path": "4.11.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "is_array": "2.2.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "is_bool": "4.2.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "is_domain_name": "2.2.0-8.6.0 3x checks",
    "is_email_address": "4.12.0-8.6.0 3x checks",
    "is_float": "2.2.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "is_function_available": "4.0.0-8.6.0 3x system",
    "is_hash": "2.2.0-8.6.0 3x checks",
    "is_integer": "2.2.0-8.6.0 3x checks",
    "is_ip_address": "2.2.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "is_ipv4_address": "4.12.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "is_ipv6_address": "4.12.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "is_mac_address": "2.2.0-8.6.0 3x checks",
    "is_numeric": "2.2.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "is_string": "2.2.0-8.6.0 3x checks; 4.13.1-8.6.0 4x deprecated",
    "join": "2.2.0-8.6.0 3x old",
    "join_keys_to_values": "2.6.0-2.6.0 3x hashes; 3.2.0- 3x hashes",
    "keys": "2.2.0-8.6.0 3x old",
    "length": "4.16.0-8.6.0 4x old.new_function",
    "load_module_metadata": "4.8.0- 3x data",
    "loadjson": "4.13.0- 3x data",
    "loadyaml": "1.0.0- 3x documents; 9.1.0- 3x documents.newer",
    "lstrip": "2.2.0-8.6.0 3x old",
    "max": "2.6.0-2.6.0 3x old; 3.2.0-8.6.0 3x old",
    "member": "2.2.0- 3x arrays",
    "merge": "1.0.0- 3x hashes.older; 6.0.0-8.6.0 4x hashes; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "min": "2.6.0-2.6.0 3x old; 3.2.0-8.6.0 3x old",
    "num2bool": "2.2.0- 3x conversion",
    "os_version_gte": "5.2.0-8.6.0 4x facts; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "parsehocon": "6.5.0-8.6.0 4x documents; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "parsejson": "2.2.0- 3x data",
    "parsepson": "8.5.0- 4x data; 9.0.0- 4x data.newer",
    "parseyaml": "2.2.0- 3x documents",
    "pick": "2.6.0-2.6.0 3x arrays; 3.2.0- 3x arrays",
    "pick_default": "4.2.0- 3x arrays",
    "powershell_escape": "8.2.0-8.6.0 4x shell; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "prefix": "2.2.0- 3x arrays",
    "private": "4.4.0-8.6.0 3x catalog",
    "pry": "4.15.0- 3x system",
    "pw_hash": "4.6.0- 3x passwords",
    "range": "2.2.0- 3x ranges",
    "regexpescape": "4.13.0- 3x strings",
    "reject": "2.6.0- 3x arrays; 9.0.0- 3x arrays.newer",
    "reverse": "2.2.0- 3x arrays",
    "round": "4.19.0-8.6.0 3x old",
    "rstrip": "2.2.0-8.6.0 3x old",
    "seeded_rand": "4.10.0-6.5.0 3x randomness.older; 6.6.0-8.6.0 3x randomness; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "seeded_rand_string": "5.0.0-8.6.0 4x randomness; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "shell_escape": "4.13.0-8.1.0 3x shell; 8.2.0-8.6.0 4x shell; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "shell_join": "4.13.0- 3x shell",
    "shell_split": "4.13.0- 3x shell",
    "shuffle": "2.2.0- 3x randomness",
    "size": "2.2.0-8.6.0 3x old",
    "sort": "2.2.0-8.6.0 3x old",
    "sprintf_hash": "4.22.0-8.6.0 4x formatting",
    "squeeze": "2.2.0- 3x strings",
    "stdlib::batch_escape": "9.0.0- 4x shell",
    "stdlib::crc32": "8.6.0- 4x system",
    "stdlib::deferrable_epp": "8.4.0-9.0.0 pp catalog; 9.1.0- pp catalog.newest",
    "stdlib::end_with": "6.3.0- 4x strings",
    "stdlib::ensure": "6.6.0-8.6.0 pp catalog; 9.0.0- pp catalog.newest",
    "stdlib::ensure_packages": "9.0.0- 4x catalog.newest",
    "stdlib::extname": "5.2.0- 4x paths",
    "stdlib::fqdn_rand_string": "9.0.0- 4x randomness",
    "stdlib::fqdn_rotate": "9.4.0- 4x randomness",
    "stdlib::has_function": "9.3.0- 4x system",
    "stdlib::has_interface_with": "9.0.0- 4x facts",
    "stdlib::has_ip_address": "9.8.0- 4x facts",
    "stdlib::has_ip_network": "9.8.0- 4x facts",
    "stdlib::ip_in_range": "6.0.0- 4x network",
    "stdlib::merge": "9.0.0- 4x hashes",
    "stdlib::nested_values": "9.1.0- 4x hashes",
    "stdlib::os_version_gte": "9.0.0- 4x facts",
    "stdlib::parsehocon": "9.0.0- 4x documents",
    "stdlib::powershell_escape": "9.0.0- 4x shell",
    "stdlib::rewrap_sensitive_data": "9.8.0- 4x serialization",
    "stdlib::seeded_rand": "9.0.0- 4x randomness",
    "stdlib::seeded_rand_string": "9.0.0- 4x randomness",
    "stdlib::sha256": "8.6.0- 4x system",
    "stdlib::shell_escape": "9.0.0- 4x shell",
    "stdlib::sort_by": "9.5.0- 4x hashes",
    "stdlib::start_with": "6.3.0- 4x strings",
    "stdlib::str2resource": "8.2.0- 4x catalog",
    "stdlib::time": "9.5.0- pp system.newer",
    "stdlib::to_json": "9.0.0- 4x serialization; 9.8.0- 4x serialization.careful",
    "stdlib::to_json_pretty": "9.0.0- 4x serialization; 9.8.0- 4x serialization.careful",
    "stdlib::to_python": "9.0.0- 4x serialization",
    "stdlib::to_ruby": "9.0.0- 4x serialization",
    "stdlib::to_toml": "9.0.0- 4x serialization; 9.8.0- 4x serialization.careful",
    "stdlib::to_yaml": "9.0.0- 4x yaml_text; 9.8.0- 4x yaml_text.careful",
    "stdlib::type_of": "9.0.0- 4x conversion",
    "stdlib::validate_domain_name": "9.0.0- 4x system",
    "stdlib::validate_email_address": "9.0.0- 4x system",
    "stdlib::xml_encode": "8.2.0- 4x strings",
    "str2bool": "2.2.0- 3x conversion",
    "str2saltedpbkdf2": "6.3.0- 3x passwords",
    "str2saltedsha512": "2.3.0- 3x passwords",
    "strftime": "2.2.0-6.2.0 3x old",
    "strip": "2.2.0-8.6.0 3x old",
    "suffix": "4.0.0- 3x arrays",
    "swapcase": "2.2.0- 3x strings",
    "time": "2.2.0-9.4.1 3x system; 9.5.0- 4x system.newer",
    "to_bytes": "2.4.0- 3x conversion",
    "to_json": "4.20.0-8.6.0 4x serialization; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "to_json_pretty": "4.20.0-8.6.0 4x serialization; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "to_python": "8.0.0-8.6.0 4x serialization; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "to_ruby": "8.0.0-8.6.0 4x serialization; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "to_toml": "8.1.0-8.6.0 4x serialization; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "to_yaml": "4.20.0-8.6.0 4x yaml_text; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "try_get_value": "4.9.0-8.6.0 3x old",
    "type": "2.2.0-8.6.0 3x old",
    "type3x": "4.6.0-8.6.0 3x old",
    "type_of": "4.6.0-8.6.0 4x conversion; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "union": "4.2.0- 3x arrays",
    "unique": "2.2.0-8.6.0 3x old",
    "unix2dos": "4.9.0- 3x strings",
    "upcase": "2.2.0-8.6.0 3x old",
    "uriescape": "2.6.0- 3x strings; 9.0.0- 3x strings.newer",
    "validate_absolute_path": "2.3.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_array": "1.0.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_augeas": "4.0.0- 3x system",
    "validate_bool": "0.1.5-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_cmd": "4.0.0- 3x system",
    "validate_domain_name": "4.19.0-8.6.0 3x validation; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "validate_email_address": "4.12.0-8.6.0 3x validation; 9.0.0-9.1.0 4x renamed.strict_function; 9.2.0- 4x renamed",
    "validate_hash": "0.1.7-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_integer": "4.6.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_ip_address": "4.10.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_ipv4_address": "4.2.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_ipv6_address": "4.2.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_legacy": "4.13.0-8.6.0 4x deprecated; 9.0.0- 4x deprecated.new_function",
    "validate_numeric": "4.6.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_re": "0.1.3-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_slength": "2.3.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_string": "1.0.0-8.6.0 3x validation; 4.13.0-8.6.0 4x deprecated",
    "validate_x509_rsa_key_pair": "4.12.0- 3x system",
    "values": "2.2.0-8.6.0 3x old",
    "values_at": "2.2.0- 3x arrays",
    "zip": "2.2.0- 3x arrays",
}
# fmt: on


def parse_version(text: str) -> Version:
    """Three numbers of a version; what follows them does not matter.

    >>> parse_version("8.5.0-rc1")
    (8, 5, 0)
    """
    numbers = [int(part) for part in text.partition("-")[0].split(".")[:3]]
    major, minor, patch = [*numbers, 0, 0, 0][:3]
    return major, minor, patch


def era(name: str, version: Version, kinds: frozenset[str] = ALL_KINDS) -> str | None:
    """Return the place of a function in a version, or None; only these kinds of functions count.

    >>> era("merge", (8, 5, 0)), era("merge", (4, 0, 0)), era("has_key", (9, 0, 0))
    ('hashes', 'hashes.older', None)
    """
    found: str | None = None
    for entry in INDEX.get(name, "").split("; "):
        if not entry:
            continue
        span, kind, place = entry.split()
        first, last = span.split("-")
        if parse_version(first) > version or (last and version > parse_version(last)):
            continue
        if kind in kinds:
            found = place
    return found


@lru_cache(maxsize=1024)
def stdlib_function(
    name: str, version: Version, kinds: frozenset[str] = ALL_KINDS
) -> BuiltinFunction | None:
    """Return the function of a name in a version of the library, or None when it has none.

    ``kinds`` are those that count: the parser of Puppet 3 knows only functions of the old kind.

    >>> stdlib_function("concat", (8, 5, 0)).name, stdlib_function("no_such", (8, 5, 0))
    ('concat', None)
    """
    place = era(name, version, kinds)
    if place is None:
        return None
    module, _, table = place.partition(".")
    tables = import_module(f"bunraku.functions.stdlib.{module}")
    function: BuiltinFunction = getattr(tables, table or "function")[name]
    return function
