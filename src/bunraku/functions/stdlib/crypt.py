"""Password hashes as the C library's ``crypt`` makes them."""

from __future__ import annotations

import ctypes
import ctypes.util
import hashlib
from collections.abc import Iterable

ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ROUNDS = 5000


def encode(data: bytes, order: Iterable[tuple[int, ...]]) -> str:
    """Encode groups of bytes, named by their indices from the highest, as letters of 6 bits each."""
    letters: list[str] = []
    for group in order:
        number = 0
        for index in group:
            number = number << 8 | data[index]
        for _ in range((len(group) * 8 + 5) // 6):
            letters.append(ALPHABET[number & 63])
            number >>= 6
    return "".join(letters)


MD5_ORDER = ((0, 6, 12), (1, 7, 13), (2, 8, 14), (3, 9, 15), (4, 10, 5), (11,))


def md5_crypt(password: bytes, salt: str) -> str:
    """Return a ``$1$`` hash: MD5, a thousand rounds (Poul-Henning Kamp's scheme).

    >>> md5_crypt(b"test", "1")
    '$1$1$Bp8CU9Oujr9SSEw53WV6G.'
    """
    salt = salt[:8]
    seasoning = salt.encode()
    start = password + b"$1$" + seasoning
    inner = hashlib.md5(password + seasoning + password, usedforsecurity=False).digest()
    start += (inner * (len(password) // 16 + 1))[: len(password)]
    length = len(password)
    while length:
        start += b"\0" if length & 1 else password[:1]
        length >>= 1
    digest = hashlib.md5(start, usedforsecurity=False).digest()
    for number in range(1000):
        parts = password if number & 1 else digest
        parts += (seasoning if number % 3 else b"") + (password if number % 7 else b"")
        parts += digest if number & 1 else password
        digest = hashlib.md5(parts, usedforsecurity=False).digest()
    return f"$1${salt}${encode(digest, MD5_ORDER)}"


def triples(size: int, count: int, step: int) -> list[tuple[int, ...]]:
    """Return the order in which the SHA schemes write a digest: three columns, turned each row."""
    first, second, third = 0, size // 3, size // 3 * 2
    found: list[tuple[int, ...]] = []
    for _ in range(count):
        found.append((first, second, third))
        if step > 0:
            first, second, third = second + 1, third + 1, first + 1
        else:
            first, second, third = third + 1, first + 1, second + 1
    return found


SHA256_ORDER = [*triples(30, 10, -1), (31, 30)]
SHA512_ORDER = [*triples(63, 21, 1), (63,)]


def sha_crypt(password: bytes, salt: str, name: str) -> str:
    """Return a ``$5$`` or ``$6$`` hash: SHA-256 or SHA-512, 5000 rounds (Ulrich Drepper's scheme).

    >>> sha_crypt(b"Hello world!", "saltstring", "sha256")
    '$5$saltstring$5B8vYYiY.CVt1RlTTf8KbXBH3hsxY/GNooZaBBGWEc5'
    """
    salt = salt[:16]
    seasoning = salt.encode()
    size = hashlib.new(name).digest_size

    def digest(data: bytes) -> bytes:
        return hashlib.new(name, data).digest()

    def stretched(data: bytes, length: int) -> bytes:
        return (data * (length // size + 1))[:length]

    inner = digest(password + seasoning + password)
    start = password + seasoning + stretched(inner, len(password))
    length = len(password)
    while length:
        start += inner if length & 1 else password
        length >>= 1
    current = digest(start)
    long_password = stretched(digest(password * len(password)), len(password))
    long_salt = stretched(digest(seasoning * (16 + current[0])), len(seasoning))
    for number in range(ROUNDS):
        parts = long_password if number & 1 else current
        parts += (long_salt if number % 3 else b"") + (long_password if number % 7 else b"")
        parts += current if number & 1 else long_password
        current = digest(parts)
    prefix, order = ("5", SHA256_ORDER) if name == "sha256" else ("6", SHA512_ORDER)
    return f"${prefix}${salt}${encode(current, order)}"


def library_crypt(password: bytes, setting: str) -> str | None:
    """Return the hash of a password by the system's libcrypt; None without one or if it refuses."""
    path = ctypes.util.find_library("crypt")
    if path is None:
        return None
    function = ctypes.CDLL(path).crypt
    function.restype = ctypes.c_char_p
    function.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    result: bytes | None = function(password, setting.encode())
    return None if result is None or result.startswith(b"*") else result.decode()
