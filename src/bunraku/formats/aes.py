"""The block cipher AES-128 (FIPS 197) in its simplest mode, for files that are obfuscated with it.

It is neither fast nor safe from those who measure its time: the key of such a file is in the file.
"""

from __future__ import annotations

from collections.abc import Sequence

BLOCK = 16
ROUNDS = 10
MODULUS = 0x11B


def times(left: int, right: int) -> int:
    """Multiply two bytes as polynomials.

    >>> hex(times(0x57, 0x83))
    '0xc1'
    """
    product = 0
    while right:
        if right & 1:
            product ^= left
        left <<= 1
        if left & 0x100:
            left ^= MODULUS
        right >>= 1
    return product


def powers_of(base: int) -> list[int]:
    """Return the first 256 powers of a byte."""
    found = [1]
    while len(found) < 256:
        found.append(times(found[-1], base))
    return found


POWERS = powers_of(3)
"""All bytes but 0; the first one comes again at the end."""


def substituted(value: int) -> int:
    """Return the byte that replaces another one: its inverse, mixed with itself.

    >>> hex(substituted(0x53)), hex(substituted(0))
    ('0xed', '0x63')
    """
    inverse = POWERS[255 - POWERS.index(value)] if value else 0
    mixed = inverse
    for turn in range(1, 5):
        mixed ^= (inverse << turn | inverse >> 8 - turn) & 0xFF
    return mixed ^ 0x63


SUBSTITUTES = bytes(map(substituted, range(256)))
ORIGINALS = bytes(map(SUBSTITUTES.index, range(256)))
MIXING = (2, 3, 1, 1)
UNMIXING = (14, 11, 13, 9)
PRODUCTS = {
    factor: bytes(times(factor, value) for value in range(256)) for factor in {*MIXING, *UNMIXING}
}
SHIFTED = tuple((4 * (column + row) + row) % BLOCK for column in range(4) for row in range(4))
"""Where each byte of a block comes from when its rows are shifted."""
UNSHIFTED = tuple(map(SHIFTED.index, range(BLOCK)))


def round_keys(key: bytes) -> list[bytes]:
    """Return the keys of the rounds."""
    words = [key[start : start + 4] for start in range(0, BLOCK, 4)]
    constant = 1
    for number in range(4, 4 * (ROUNDS + 1)):
        last = words[-1]
        if number % 4 == 0:
            last = bytes(SUBSTITUTES[one] for one in last[1:] + last[:1])
            last = bytes([last[0] ^ constant]) + last[1:]
            constant = times(constant, 2)
        words.append(added(words[number - 4], last))
    return [b"".join(words[start : start + 4]) for start in range(0, len(words), 4)]


def added(left: bytes, right: bytes) -> bytes:
    """Add two sequences of bytes without carry."""
    return bytes(one ^ other for one, other in zip(left, right, strict=True))


def mixed(block: bytes, factors: Sequence[int]) -> bytes:
    """Multiply each column of a block with a matrix whose first row are factors."""
    found = bytearray()
    for start in range(0, BLOCK, 4):
        column = block[start : start + 4]
        for row in range(4):
            value = 0
            for place, one in enumerate(column):
                value ^= PRODUCTS[factors[(place - row) % 4]][one]
            found.append(value)
    return bytes(found)


def encrypted_block(block: bytes, keys: Sequence[bytes]) -> bytes:
    """Encrypt one block."""
    state = added(block, keys[0])
    for number in range(1, ROUNDS + 1):
        state = bytes(SUBSTITUTES[state[place]] for place in SHIFTED)
        state = added(state if number == ROUNDS else mixed(state, MIXING), keys[number])
    return state


def decrypted_block(block: bytes, keys: Sequence[bytes]) -> bytes:
    """Decrypt one block."""
    state = block
    for number in range(ROUNDS, 0, -1):
        state = added(state, keys[number])
        state = state if number == ROUNDS else mixed(state, UNMIXING)
        state = bytes(ORIGINALS[state[place]] for place in UNSHIFTED)
    return added(state, keys[0])


def encrypted(content: bytes, key: bytes) -> bytes:
    """Encrypt content block by block; it is filled up as PKCS 7 says.

    >>> encrypted(b"", bytes(16)).hex()
    '0143db63ee66b0cdff9f69917680151e'
    """
    keys, missing = round_keys(key), BLOCK - len(content) % BLOCK
    content += bytes([missing]) * missing
    blocks = (content[start : start + BLOCK] for start in range(0, len(content), BLOCK))
    return b"".join(encrypted_block(block, keys) for block in blocks)


def decrypted(content: bytes, key: bytes) -> bytes:
    """Decrypt what :func:`encrypted` made; raise ValueError for anything else.

    >>> decrypted(encrypted(b"text", bytes(16)), bytes(16))
    b'text'
    """
    if not content or len(content) % BLOCK:
        raise ValueError("the length is no multiple of that of a block")
    keys = round_keys(key)
    blocks = (content[start : start + BLOCK] for start in range(0, len(content), BLOCK))
    found = b"".join(decrypted_block(block, keys) for block in blocks)
    filled = found[-1]
    if not 1 <= filled <= BLOCK or found[-filled:] != bytes([filled]) * filled:
        raise ValueError("the last block is not filled up")
    return found[:-filled]
