"""The names that translated functions may call, and the helpers behind them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bunraku.ruby.run import backends, files, procs

LEVELS = frozenset({"debug", "info", "notice", "warning", "err"})
METHODS = backends.METHODS
BLOCK_METHODS = backends.BLOCK_METHODS
CLASS_METHODS: dict[tuple[str, str], Callable[..., Any]] = {
    ("File", "exist?"): files.exists,
    ("File", "file?"): files.is_file,
    ("File", "directory?"): files.is_directory,
    ("File", "read"): files.read,
    ("File", "join"): files.joined,
    ("File", "basename"): files.base_name,
    ("File", "dirname"): files.directory_name,
    ("File", "extname"): files.extension,
    ("File", "expand_path"): files.expanded,
    ("Dir", "exist?"): files.is_directory,
    ("Puppet::FileSystem", "exist?"): files.exists,
    ("Puppet::FileSystem", "read"): files.read,
    ("Puppet::Pops::Lookup::HieraConfig", "symkeys_to_string"): files.keys_to_text,
    ("JSON", "parse"): files.parse_json,
    ("Gem::Version", "new"): procs.gem_version,
    ("Hash", "new"): procs.new_hash,
    ("Array", "new"): procs.new_array,
}
"""Methods of classes and modules."""
PARSERS = {
    ("YAML", "load"): (":load_yaml", False),
    ("YAML", "safe_load"): (":load_yaml", False),
    ("YAML", "unsafe_load"): (":load_yaml", True),
    ("YAML", "load_file"): (":load_yaml_file", False),
    ("YAML", "safe_load_file"): (":load_yaml_file", False),
    ("YAML", "unsafe_load_file"): (":load_yaml_file", True),
}
PARSERS.update({("Psych", name): about for (_, name), about in PARSERS.items()})
"""Readers of YAML: the helper, and whether aliases are allowed."""
PERMITTED = frozenset({"Symbol", "Date", "Time", "DateTime", "Regexp"})
HELPERS: dict[str, Any] = {
    ":Proc": procs.Proc,
    ":block_count": procs.block_count,
    ":block_function": procs.block_function,
    ":call_function": backends.call_function,
    ":call_proc": procs.call_proc,
    ":closure_exists": backends.closure_exists,
    ":closure_variable": backends.closure_variable,
    ":closure_scope": backends.CLOSURE_SCOPE,
    ":frozen": procs.frozen,
    ":load_yaml": files.load_yaml,
    ":load_yaml_file": files.load_yaml_file,
    ":log": backends.log,
    **{f"{owner}.{name}": helper for (owner, name), helper in CLASS_METHODS.items()},
    **{f"!{name}": helper for name, helper in METHODS.items()},
    **{f"!&{name}": helper for name, helper in BLOCK_METHODS.items()},
}
