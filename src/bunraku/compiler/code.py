"""From a program to a code object, and code objects kept on disk.

A cache entry is named by the hash of text, path, dialect, Python and bunraku, so that a stale or
foreign one is never found; entries are written to a temporary file and moved into place, so that
many writers do no harm. What cannot be read as an entry is ignored.
"""

from __future__ import annotations

import ast
import marshal
import os
import sys
from binascii import crc32
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from types import CodeType
from typing import Any

from bunraku.compiler import (
    emit_control,
    emit_definitions,
    emit_expressions,
    emit_resources,
)
from bunraku.source import Source
from bunraku.syntax import nodes
from bunraku.world import read_whole

FORMAT = 7  # raised whenever what the emitter makes, or the helpers it names, change
MAGIC = b"bunraku\1"
HEAD = len(MAGIC) + 4
KEY_SIZE = 20
EMITTERS = (emit_control, emit_definitions, emit_expressions, emit_resources)


def unit_name(source: Source) -> str:
    """The file name that a source's code carries; text without a file gets one of its own."""
    if source.on_disk:
        return source.path
    digest = blake2b(source.text.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    return f"<puppet {source.path or 'code'} {digest}>"


def to_ast(source: Source, program: nodes.Program) -> ast.Module:
    """The Python syntax tree of a manifest or template."""
    return emit_definitions.emit_module(source, program, unit_name(source))


def to_code(source: Source, program: nodes.Program) -> CodeType:
    """The code object of a manifest or template; its file name is that of the source.

    Raises PuppetError for what the compiler refuses, and RecursionError where code nests deeper
    than Python can compile.
    """
    name = unit_name(source)
    if not source.on_disk:
        remember_text(name, source.text)
    return compile(to_ast(source, program), name, "exec", dont_inherit=True, optimize=0)


def remember_text(name: str, text: str) -> None:
    """Let debuggers and tracebacks show text that has no file."""
    import linecache  # slow to import, and files need it not

    lines = text.splitlines(keepends=True)
    linecache.cache[name] = (len(text), None, lines, name)


# -- the cache on disk -----------------------------------------------------------------------------


def cache_folder() -> Path:
    """Where compiled code is kept: ``$XDG_CACHE_HOME/bunraku``, else ``~/.cache/bunraku``."""
    base = os.environ.get("XDG_CACHE_HOME")
    root = Path(base) if base and os.path.isabs(base) else Path.home() / ".cache"
    return root / "bunraku" / "code"


COMPILED_BY = ("syntax", "compiler")  # the parts of the package that decide what code comes out
FINGERPRINTS: dict[tuple[str, ...], str] = {}


def program_fingerprint(parts: tuple[str, ...] = COMPILED_BY) -> str:
    """What tells this bunraku from another: name, size and time of the files that compile."""
    known = FINGERPRINTS.get(parts)
    if known is None:
        root = os.path.dirname(os.path.dirname(__file__))
        try:
            found = [line for part in parts for line in files_below(f"{root}/{part}")]
        except OSError:  # a package inside an archive: its path has the version in it
            found = [root]
        known = FINGERPRINTS[parts] = "\n".join(found)
    return known


def files_below(folder: str) -> Iterator[str]:
    """The Python files in a folder of the package and those below it, each with size and time."""
    for entry in sorted(os.scandir(folder), key=lambda item: item.name):
        if entry.name.endswith(".py"):
            status = entry.stat()
            yield f"{entry.name} {status.st_size} {status.st_mtime_ns}"
        elif entry.is_dir():
            yield from files_below(entry.path)


@lru_cache(maxsize=64)
def key_start(dialect: str, version: str) -> blake2b:
    """The hash of what the keys of many files begin with, to be copied."""
    digest = blake2b(digest_size=KEY_SIZE)
    tag = sys.implementation.cache_tag or sys.version
    for part in (tag, sys.version, version, str(FORMAT), dialect):
        digest.update(part.encode("utf-8", "surrogateescape") + b"\0")
    return digest


def cache_key(content: bytes, path: str, dialect: str, version: str) -> str:
    """The name of an entry: nothing that changes what is compiled is left out."""
    digest = key_start(dialect, version).copy()
    digest.update(path.encode("utf-8", "surrogateescape") + b"\0")
    digest.update(content)
    return digest.hexdigest()


class CodeCache:
    """Code objects, and plain data that took long to find out, on disk; a folder that cannot be used
    is as good as none.
    """

    def __init__(self, folder: Path | str | None = None) -> None:
        self.folder = str(cache_folder() if folder is None else folder)

    def path(self, key: str, kind: str = "code") -> str:
        """The file of an entry."""
        return f"{self.folder}/{key[:2]}/{key[2:]}.{kind}"

    def read(self, key: str) -> CodeType | None:
        """The code of an entry; None when there is none that can be read."""
        code = load(self.path(key))
        return code if isinstance(code, CodeType) else None

    def write(self, key: str, code: CodeType) -> None:
        """Keep the code; a full disk or a folder without permission only means it is not kept."""
        store(self.path(key), code)

    def read_data(self, key: str) -> Any:
        """The data of an entry; None when there are none that can be read."""
        return load(self.path(key, "data"))

    def write_data(self, key: str, data: Any) -> None:
        """Keep data of tuples, lists, dicts, text and numbers."""
        store(self.path(key, "data"), data)


def load(path: str) -> Any:
    """What an entry holds; None for what is no whole entry.

    The name of an entry answers for its being the right one; that it is whole and not damaged is
    what the checksum is for.
    """
    try:
        data = read_whole(path)
    except OSError:
        return None
    body = memoryview(data)[HEAD:]
    if data[:HEAD] != MAGIC + crc32(body).to_bytes(4, "little"):
        return None
    try:
        return marshal.loads(body)  # noqa: S302, its checksum was compared above
    except (ValueError, EOFError, TypeError):
        return None


def store(path: str, value: Any) -> None:
    """Write an entry in one step, or not at all."""
    body = marshal.dumps(value)
    folder = os.path.dirname(path)
    temporary = f"{folder}/.new-{os.urandom(8).hex()}"
    try:
        os.makedirs(folder, exist_ok=True)
        with open(temporary, "xb") as file:
            file.write(MAGIC + crc32(body).to_bytes(4, "little") + body)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
