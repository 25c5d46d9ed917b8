"""Names that become paths: the rules for each kind of name before a path is made from it.

Names of classes, defined types, functions, types, modules, environments and nodes come from code,
but also from data, facts, node classifiers and requests. A name that does not follow the grammar of
its kind never becomes part of a path. ``docs/security.md`` lists the places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.modules import issues
from bunraku.modules.ruby_text import inspect

MODULE_NAME = lazy_pattern(r"[a-z][a-z0-9_]*")
ENVIRONMENT_NAME = lazy_pattern(r"\w+", re.ASCII)
QUALIFIED_NAME = lazy_pattern(r"[\w-]+(?:::[\w-]+)*", re.ASCII)
"""Names of definitions in any language: those of Puppet 3 may have dashes and start with digits."""
CERTNAME = lazy_pattern(r"[ -~]+")
DRIVE = lazy_pattern(r"[A-Za-z]:")
NAMES_OF_TRUSTED_DATA = ("certname", "hostname", "domain")
"""The parts of trusted data that are the node's name or pieces of it."""


def is_module_name(name: str) -> bool:
    """Return whether a name can be that of a module.

    >>> is_module_name("ntp"), is_module_name("../ntp"), is_module_name("Ntp")
    (True, False, False)
    """
    return MODULE_NAME.fullmatch(name) is not None


def is_qualified_name(name: str) -> bool:
    """Return whether a name without leading ``::`` can be that of a definition, in any language.

    >>> is_qualified_name("ntp::server"), is_qualified_name("ntp::../server")
    (True, False)
    >>> is_qualified_name("ntp::a/b"), is_qualified_name("ntp::"), is_qualified_name("")
    (False, False, False)
    """
    return QUALIFIED_NAME.fullmatch(name) is not None


def can_be_loaded(name: str) -> bool:
    """Return whether files may define a function or type of a name, which has no leading ``::``.

    Raises NULL_BYTE_IN_NAME, as Puppet does before it searches.
    """
    if is_qualified_name(name):
        return True
    check_null_byte(name)
    return False


def check_null_byte(name: str) -> None:
    """Raise NULL_BYTE_IN_NAME for a name that no system call takes."""
    if "\0" in name:
        raise issues.NULL_BYTE_IN_NAME(name=inspect(name))


def module_and_pattern(name: str) -> tuple[str, str]:
    """Return the module that a class name means in Puppet, and the path below its manifests.

    A name that is not one, such as ``m::../x``, is split as Puppet splits it: the parts are joined
    as paths, with one slash between two, and the module is the part before the first slash.

    >>> module_and_pattern("m::a::../x"), module_and_pattern("m:://etc/x")
    (('m', 'a/../x'), ('m', '/etc/x'))
    >>> module_and_pattern("../../x")
    ('..', '../x')
    """
    path, *others = name.lower().rstrip(":").split("::")
    for part in others:
        if part.startswith("/"):
            path = path.rstrip("/")
        path += part if part.startswith("/") or path.endswith("/") else f"/{part}"
    module, _, pattern = path.partition("/")
    return module, pattern


def check_pattern(pattern: str, module: str) -> None:
    """Raise UNSAFE_PATTERN for a path below a module's manifests that leads out of them.

    The rule is Puppet's: no part but the last, which gets ``.pp``, may be ``..``, and neither a path
    from the root nor one with a drive is taken.

    >>> check_pattern("a/b", "m")
    >>> check_pattern("../../x", "m")
    Traceback (most recent call last):
    ...
    bunraku.base.errors.PuppetError: The pattern "../../x" to find manifests in the module "m" is invalid and potentially unsafe.
    """
    plain = pattern.strip()
    if plain.startswith("/") or DRIVE.match(plain) or ".." in plain.split("/")[:-1]:
        raise issues.UNSAFE_PATTERN(pattern=pattern, module=module)


def checked_environment_name(name: str) -> str:
    """Return the name of an environment; raise ILLEGAL_ENVIRONMENT_NAME for an invalid name.

    >>> checked_environment_name("production")
    'production'
    """
    if not ENVIRONMENT_NAME.fullmatch(name):
        raise issues.ILLEGAL_ENVIRONMENT_NAME(name=name)
    return name


def node_name_problem(name: str) -> str | None:
    r"""Return why a name cannot be that of a node; None if it can.

    It must be a name that a certificate can have, and a file for the node can have too.

    >>> node_name_problem("web1.example.com") is None
    True
    >>> node_name_problem("../../etc/passwd"), node_name_problem("b\xfccher")
    ('directory traversal detected', 'it must not contain unprintable or non-ASCII characters')
    """
    if not name:
        return "it is empty"
    if not CERTNAME.fullmatch(name):
        return "it must not contain unprintable or non-ASCII characters"
    if "/" in name or "\\" in name or name == "." or name.startswith("..") or DRIVE.match(name):
        return "directory traversal detected"
    return None


def check_node_name(name: str) -> None:
    """Raise ILLEGAL_NODE_NAME for an invalid name of a node."""
    problem = node_name_problem(name)
    if problem is not None:
        raise issues.ILLEGAL_NODE_NAME(name=inspect(name), problem=problem)


def check_trusted_names(trusted: Mapping[str, Any] | None) -> None:
    """Raise ILLEGAL_NODE_NAME if trusted data has a name that no certificate has."""
    for key in NAMES_OF_TRUSTED_DATA if trusted else ():
        name = (trusted or {}).get(key)
        if isinstance(name, str) and name:
            check_node_name(name)
