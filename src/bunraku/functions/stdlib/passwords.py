"""Hashes of passwords in the forms that systems store."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table, need_string, unsuitable
from bunraku.functions.stdlib import issues
from bunraku.functions.stdlib.crypt import library_crypt, md5_crypt, sha_crypt
from bunraku.runtime.binary_texts import mark_binary
from bunraku.runtime.state import Scope
from bunraku.values.sensitive import Sensitive

Value = Any
function = Api3Table()

SALT = lazy_pattern(r"\A[a-zA-Z0-9./]+\Z")
BCRYPT_SALT = lazy_pattern(r"^[0-9]{2}\$[./A-Za-z0-9]{22}", re.MULTILINE)
PREFIXES = {
    "md5": "1",
    "sha-256": "5",
    "sha-512": "6",
    "bcrypt": "2b",
    "bcrypt-a": "2a",
    "bcrypt-x": "2x",
    "bcrypt-y": "2y",
}


def open_value(value: Value) -> Value:
    """Return the value of a Sensitive; other values unchanged."""
    return value.value if value.__class__ is Sensitive else value


def hashed(password: bytes, prefix: str, salt: str) -> str:
    """Return the hash by one of the schemes."""
    if prefix == "1":
        return md5_crypt(password, salt)
    if prefix in {"5", "6"}:
        return sha_crypt(password, salt, "sha256" if prefix == "5" else "sha512")
    found = library_crypt(password, f"${prefix}${salt}")
    if found is None:
        reason = "the system's libcrypt is absent or refuses this bcrypt setting"
        raise issues.NOT_AVAILABLE(name="pw_hash", reason=reason)
    return found


@function.api_3("pw_hash", 3, 3, scope=True, since="4.6.0")
def pw_hash(scope: Scope, password: Value, scheme: Value, salt: Value) -> str | None:
    """Hash a password as ``crypt`` does: MD5, SHA-256, SHA-512 or bcrypt.

    ```puppet
    pw_hash('test', 'MD5', '1') == '$1$1$Bp8CU9Oujr9SSEw53WV6G.'
    ```
    """
    password, scheme, salt = map(open_value, (password, scheme, salt))
    if password is not None:
        need_string(password, "pw_hash")
    prefix = PREFIXES.get(need_string(scheme, "pw_hash", 1).lower())
    if prefix is None:
        raise issues.UNKNOWN_HASH_TYPE(name="pw_hash", scheme=scheme)
    if not need_string(salt, "pw_hash", 2):
        raise issues.EMPTY_SALT(name="pw_hash")
    pattern = BCRYPT_SALT if prefix.startswith("2") else SALT
    if pattern.search(salt) is None:
        raise issues.SALT_CHARACTERS(name="pw_hash", pattern=pattern.pattern)
    if not password:
        return None
    data = password.encode("utf-8", "surrogateescape")
    if b"\0" in data:
        raise issues.NULL_BYTE(name="pw_hash")
    return mark_binary(scope.compilation, hashed(data, prefix, salt))


@function.api_3("str2saltedpbkdf2", 3, 3, since="6.3.0")
def str2saltedpbkdf2(password: Value, salt: Value, iterations: Value) -> dict[str, Value]:
    """Hash a password by PBKDF2 with SHA-512, as macOS stores it.

    ```puppet
    str2saltedpbkdf2('x', 'somesalt', 45000)['salt_hex'] == '736f6d6573616c74'
    ```
    """
    name = "str2saltedpbkdf2"
    password, salt, iterations = map(open_value, (password, salt, iterations))
    secret = need_string(password, name).encode("utf-8", "surrogateescape")
    seasoning = need_string(salt, name, 1).encode("utf-8", "surrogateescape")
    if len(seasoning) < 8:
        raise issues.SHORT_SALT(name=name)
    if iterations.__class__ is not int:
        raise unsuitable(name, 2, "an Integer", iterations)
    if not 40_000 < iterations < 70_000:
        raise issues.ITERATION_LIMITS(name=name)
    digest = hashlib.pbkdf2_hmac("sha512", secret, seasoning, iterations, 128)
    return {
        "password_hex": digest.hex(),
        "salt_hex": seasoning.hex(),
        "iterations": iterations,
    }


@function.api_3("str2saltedsha512", 1, 1, since="2.3.0")
def str2saltedsha512(password: Value) -> str:
    """Hash a password by SHA-512 with a random salt, as old macOS stores it.

    ```puppet
    str2saltedsha512('x').length == 136
    ```
    """
    if password.__class__ is not str:
        raise unsuitable("str2saltedsha512", 0, "a String", password)
    salt = secrets.token_bytes(4)
    digest = hashlib.sha512(salt + password.encode("utf-8", "surrogateescape")).digest()
    return (salt + digest).hex()
