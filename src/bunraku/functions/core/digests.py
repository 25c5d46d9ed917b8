"""Digests of strings, and numbers that are random but the same for each host."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from bunraku.functions.api_3 import Api3Table
from bunraku.functions.core import issues
from bunraku.functions.core.random_numbers import RubyRandom
from bunraku.runtime.callables import Value
from bunraku.runtime.operators import no_conversion
from bunraku.runtime.state import Scope
from bunraku.types.relations.infer import infer
from bunraku.types.ruby_semantics.values import to_s
from bunraku.types.text.display import display
from bunraku.values.ruby_semantics.numbers import has_to_i, to_i

function = Api3Table()


def hex_digest(name: str, make: Callable[..., Any], value: Value) -> str:
    """Return the digest of a string in hexadecimal digits."""
    if value.__class__ is not str:
        problem = no_conversion(value)
        raise issues.NOT_A_STRING(name=name, actual=display(infer(value)), problem=problem)
    data = value.encode("utf-8", "surrogateescape")
    return str(make(data, usedforsecurity=False).hexdigest())


@function.api_3("md5", 1, 1, since="2.6.1")
def md5(value: Value) -> str:
    """Return the MD5 digest of a string.

    ```puppet
    md5('a') == '0cc175b9c0f1b6a831c399e269772661'
    ```
    """
    return hex_digest("md5", hashlib.md5, value)


@function.api_3("sha1", 1, 1, since="0.24.5")
def sha1(value: Value) -> str:
    """Return the SHA-1 digest of a string.

    ```puppet
    sha1('') == 'da39a3ee5e6b4b0d3255bfef95601890afd80709'
    ```
    """
    return hex_digest("sha1", hashlib.sha1, value)


@function.api_3("sha256", 1, 1, since="5.4.0")
def sha256(value: Value) -> str:
    """Return the SHA-256 digest of a string.

    ```puppet
    sha256('a')[0, 8] == 'ca978112'
    ```
    """
    return hex_digest("sha256", hashlib.sha256, value)


ALGORITHMS: dict[str, Callable[..., Any]] = {
    "md5": hashlib.md5,
    "md5lite": hashlib.md5,
    "sha256": hashlib.sha256,
    "sha256lite": hashlib.sha256,
    "sha384": hashlib.sha384,
    "sha512": hashlib.sha512,
    "sha224": hashlib.sha224,
    "sha1": hashlib.sha1,
    "sha1lite": hashlib.sha1,
}


@function.api_3("digest", 1, 1, scope=True, since="3.7.0")
def digest(scope: Scope, value: Value) -> str:
    """Return the digest of a string by the algorithm of the setting ``digest_algorithm``.

    ```puppet
    digest('a') == sha256('a')
    ```
    """
    algorithm = scope.compilation.settings.get("digest_algorithm") or "sha256"
    return hex_digest("digest", ALGORITHMS.get(str(algorithm), hashlib.sha256), value)


@function.api_3("fqdn_rand", 1, scope=True, since="0.24.5")
def fqdn_rand(scope: Scope, limit: Value, *more: Value) -> int:
    """Return a number from 0 to below a limit that is always the same for one host and seed.

    ```puppet
    fqdn_rand(1) == 0
    ```
    """
    if not has_to_i(limit):
        raise issues.RANDOM_ARGUMENT(actual=display(infer(limit)))
    highest = to_i(limit)
    name = host_name(scope)
    if len(more) > 1 and more[1] is not False:
        if name is None:
            raise issues.NO_HOST_NAME()
        name = name.lower()
    seed = ":".join([name or "", str(highest), seed_text(more[0] if more else None)])
    if highest < 1:
        raise issues.RANDOM_LIMIT(limit=highest)
    key = hashlib.md5(seed.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
    return RubyRandom(int(key, 16)).below(highest)


def host_name(scope: Scope) -> str | None:
    """Return the fact ``networking.fqdn``."""
    networking = scope.compilation.facts.get("networking")
    found = networking.get("fqdn") if networking.__class__ is dict else None
    return None if found is None else to_s(found)


def seed_text(seed: Value) -> str:
    """Return a seed as text; the items of an array are joined in the same way as seeds."""
    if seed.__class__ is list:
        return ":".join(map(seed_text, seed))
    return to_s(seed)
