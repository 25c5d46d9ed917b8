"""The Ruby process that tests of one worker share."""

from __future__ import annotations

from pathlib import Path

from bunraku.ruby.process.process import RUNNING
from bunraku.world.dictionary import DictionaryWorld


def end_ruby() -> None:
    """End this thread's Ruby process, so the next use starts a fresh one."""
    process = getattr(RUNNING, "process", None)
    if process is not None:
        process.kill()


def for_ruby(function: str) -> str:
    """Return the text of a function with code around it, which only Ruby can run; lines stay."""
    return f"x = 1; {function}"


def without_programs(root: str) -> DictionaryWorld:
    """Return a machine that has the files below a directory and cannot start Ruby.

    A Ruby process that an earlier test has started would be used again, so it ends here.
    """
    end_ruby()
    files = {str(path): path.read_bytes() for path in Path(root).rglob("*") if path.is_file()}
    return DictionaryWorld(files)
