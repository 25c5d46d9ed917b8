"""The random numbers that Ruby makes from a seed, bit for bit.

Both Ruby and Python use the Mersenne Twister; they differ in how a seed of one word is spread and
how a number below a limit is drawn.
"""

from __future__ import annotations

import random

WORD = 32
FULL = 0xFFFFFFFF
STATE_LENGTH = 624


class RubyRandom:
    """``Random.new(seed)`` of Ruby.

    >>> RubyRandom(2**100 + 7).below(100)
    12
    """

    __slots__ = ("bits",)

    def __init__(self, seed: int) -> None:
        generator = random.Random()  # noqa: S311 (not for secrets)
        seed = abs(seed)
        words = (seed.bit_length() + WORD - 1) // WORD
        if words <= 1:
            generator.setstate((3, one_word_state(seed), None))
        else:
            # Ruby takes a highest word of 1 for a guard that it has put there itself.
            if seed >> (WORD * (words - 1)) == 1:
                words -= 1
                seed &= (1 << (WORD * words)) - 1
            if words == 1:
                generator.setstate((3, one_word_state(seed), None))
            else:
                seed_words(generator, seed, words)
        self.bits = generator.getrandbits

    def below(self, limit: int) -> int:
        """Return an integer from 0 to ``limit - 1``, as Ruby's ``rand(limit)``."""
        return self.limited(limit - 1)

    def limited(self, highest: int) -> int:
        """Return an integer from 0 to ``highest``: masked words, highest first, until they fit."""
        if highest == 0:
            return 0
        words = (highest.bit_length() + WORD - 1) // WORD
        mask = (1 << highest.bit_length()) - 1
        while True:
            found = 0
            for place in range(words - 1, -1, -1):
                shift = place * WORD
                found |= (self.bits(WORD) & (mask >> shift & FULL)) << shift
                # A number whose upper words are too large is discarded before more words are drawn.
                if found >> shift > highest >> shift:
                    break
            else:
                return found


def one_word_state(seed: int) -> tuple[int, ...]:
    """Return the generator's state for a seed of one word."""
    state = [seed & FULL]
    for place in range(1, STATE_LENGTH):
        last = state[-1]
        state.append((1812433253 * (last ^ (last >> 30)) + place) & FULL)
    return (*state, STATE_LENGTH)


def seed_words(generator: random.Random, seed: int, words: int) -> None:
    """Seed with several words, some of which may be zero at the upper end."""
    if (seed.bit_length() + WORD - 1) // WORD == words:
        generator.seed(seed)
        return
    generator.setstate((3, array_state([seed >> (WORD * i) & FULL for i in range(words)]), None))


def array_state(key: list[int]) -> tuple[int, ...]:
    """Return the generator's state for a seed of several words, lowest first."""
    state = list(one_word_state(19650218)[:-1])
    at, place = 1, 0
    for _ in range(max(STATE_LENGTH, len(key))):
        last = state[at - 1]
        state[at] = ((state[at] ^ ((last ^ (last >> 30)) * 1664525)) + key[place] + place) & FULL
        at, place = at + 1, (place + 1) % len(key)
        if at >= STATE_LENGTH:
            state[0], at = state[-1], 1
    for _ in range(STATE_LENGTH - 1):
        last = state[at - 1]
        state[at] = ((state[at] ^ ((last ^ (last >> 30)) * 1566083941)) - at) & FULL
        at += 1
        if at >= STATE_LENGTH:
            state[0], at = state[-1], 1
    state[0] = 0x80000000
    return (*state, STATE_LENGTH)
