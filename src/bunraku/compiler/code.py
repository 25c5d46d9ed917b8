"""From a program to a code object, and code objects kept on disk.

A cache entry is named by the hash of text, path, dialect, Python and bunraku, so that a stale or
foreign one is never found; entries are written to a temporary file and moved into place, so that
many writers do no harm. What cannot be read as an entry is ignored.
"""

from __future__ import annotations

import ast
import hashlib
import linecache
import marshal
import os
import sys
import tempfile
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

FORMAT = 6  # raised whenever what the emitter makes, or the helpers it names, change
MAGIC = b"bunraku\0"
EMITTERS = (emit_control, emit_definitions, emit_expressions, emit_resources)


def unit_name(source: Source) -> str:
    """The file name that a source's code carries; text without a file gets one of its own."""
    if source.on_disk:
        return source.path
    digest = hashlib.sha256(source.text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
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
        root = Path(__file__).parents[1]
        found = []
        for part in parts:
            try:
                for entry in sorted(os.scandir(root / part), key=lambda item: item.name):
                    status = entry.stat()
                    found.append(f"{entry.name} {status.st_size} {status.st_mtime_ns}")
            except OSError:  # a package inside an archive: its path has the version in it
                found.append(str(root))
        known = "\n".join(item for item in found if ".py " in item or "/" in item)
        FINGERPRINTS[parts] = known
    return known


def cache_key(content: bytes, path: str, dialect: str, version: str) -> str:
    """The name of an entry: nothing that changes what is compiled is left out."""
    digest = hashlib.sha256()
    tag = sys.implementation.cache_tag or sys.version
    for part in (tag, sys.version, version, str(FORMAT), dialect, path):
        digest.update(part.encode("utf-8", "surrogateescape"))
        digest.update(b"\0")
    digest.update(content)
    return digest.hexdigest()


class CodeCache:
    """Code objects, and plain data that took long to find out, on disk; a folder that cannot be used
    is as good as none.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder if folder is not None else cache_folder()

    def path(self, key: str, kind: str = "code") -> Path:
        """The file of an entry."""
        return self.folder / key[:2] / f"{key[2:]}.{kind}"

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


def load(path: Path) -> Any:
    """What an entry holds; None for what is no whole entry."""
    try:
        data = path.read_bytes()
    except OSError:
        return None
    head = len(MAGIC) + 32
    body = data[head:]
    if data[: len(MAGIC)] != MAGIC or hashlib.sha256(body).digest() != data[len(MAGIC) : head]:
        return None
    try:
        return marshal.loads(body)  # noqa: S302, its hash was checked above
    except (ValueError, EOFError, TypeError):
        return None


def store(path: Path, value: Any) -> None:
    """Write an entry in one step, or not at all."""
    body = marshal.dumps(value)
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".new-")
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + hashlib.sha256(body).digest() + body)
        os.replace(temporary, path)
    except OSError:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
