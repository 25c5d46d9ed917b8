"""Freed memory goes back to the system."""

from __future__ import annotations

import platform
import subprocess
import sys

import pytest

PROGRAM = """\
import os, sys, threading
from ctypes import CDLL, c_size_t, c_void_p, memset
from bunraku.world.heap import LARGE, give_back_freed_memory

if sys.argv[1] == "yes":
    give_back_freed_memory()
library = CDLL(None)
library.malloc.argtypes, library.malloc.restype = [c_size_t], c_void_p
library.free.argtypes = [c_void_p]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def take(size):
    block = library.malloc(size)
    memset(block, 1, size)
    return block


def in_turn(work):
    "Run work in threads that are there at the same time, one after the other."
    turns = [threading.Event() for _ in range(9)]

    def run(number):
        turns[number].wait()
        work()
        turns[number + 1].set()
        turns[-1].wait()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    turns[0].set()
    for thread in threads:
        thread.join()


def large_then_small():
    library.free(take(16 * LARGE))
    blocks = [take(LARGE // 2) for _ in range(40)]
    pins.append(take(64))
    for block in blocks:
        library.free(block)


pins = []
before = resident()
in_turn(large_then_small)
print(resident() - before)
"""


def kept_bytes(answer: str) -> int:
    found = subprocess.run(
        [sys.executable, "-c", PROGRAM, answer], check=True, capture_output=True, text=True
    )
    return int(found.stdout)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="a parameter of glibc")
def test_threads_share_one_heap():
    usual, shared = kept_bytes("no"), kept_bytes("yes")
    assert usual > 8 * 2**20
    assert shared < usual / 2
