"""Parts of file names, and which files there are."""

from __future__ import annotations

from typing import Any

from bunraku.functions.api_3 import Api3Table, need_string
from bunraku.functions.stdlib import issues

Value = Any
function = Api3Table()


def last_part(path: str) -> str:
    """Return the last part of a path, without slashes at its end; ``/`` for slashes alone.

    >>> last_part("/a/b//"), last_part("//"), last_part("")
    ('b', '/', '')
    """
    stripped = path.rstrip("/")
    if not stripped:
        return path[:1]
    return stripped[stripped.rfind("/") + 1 :]


def extension(path: str) -> str:
    """Return the part of a file's name from its last dot on; a first dot is ignored.

    >>> extension("/a/b.tar.gz"), extension(".profile"), extension("a.")
    ('.gz', '', '.')
    """
    name = last_part(path)
    bare = name.lstrip(".")
    at = bare.rfind(".")
    return bare[at:] if at > 0 else ""


@function.api_3("basename", 1, 2, since="4.6.0")
def basename(path: Value, suffix: Value = None) -> str:
    """Return the last part of a path, without a given suffix.

    ```puppet
    basename('/path/to/a/file.ext', '.ext') == 'file'
    ```
    """
    name = last_part(need_string(path, "basename"))
    if suffix is None:
        return name
    ending = need_string(suffix, "basename", 1)
    if ending == ".*":
        return name.removesuffix(extension(name))
    if ending and name.endswith(ending) and name != ending:
        return name[: -len(ending)]
    return name


@function.api_3("dirname", 1, 1, since="4.1.0")
def dirname(path: Value) -> str:
    """Return a path without its last part.

    ```puppet
    dirname('/path/to/a/file.ext') == '/path/to/a'
    dirname('file') == '.'
    ```
    """
    text = need_string(path, "dirname")
    if not text:
        raise issues.EMPTY_PATH(name="dirname")
    stripped = text.rstrip("/")
    if "/" not in stripped:
        return "/" if text[0] == "/" else "."
    folder = stripped[: stripped.rfind("/")].rstrip("/")
    if not folder:
        return "/"
    rest = folder.lstrip("/")
    return f"/{rest}" if folder[0] == "/" else rest


@function("stdlib::extname(String $path)", since="5.2.0")
def extname(path: str) -> str:
    """Return the extension of a file's name, with the dot.

    ```puppet
    stdlib::extname('/path/to/foo.rb') == '.rb'
    stdlib::extname('.profile') == ''
    ```
    """
    return extension(path)
