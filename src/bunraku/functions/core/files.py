"""Functions that find and read files of modules, and run programs."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from subprocess import CalledProcessError
from typing import Any

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.functions.api_3 import Api3Table
from bunraku.functions.core import issues
from bunraku.modules.known_names import file_hint
from bunraku.modules.names import check_null_byte
from bunraku.runtime.callables import Value
from bunraku.runtime.state import Scope
from bunraku.types.relations.infer import infer
from bunraku.types.ruby_semantics.values import to_s
from bunraku.types.text.display import display
from bunraku.values.binary import Binary
from bunraku.values.ruby_semantics.collections import flatten

function = Api3Table()


def find(scope: Scope, path: str, folder: str = "files") -> str | None:
    """Return the path of a file: an absolute one, or one of a module as ``module/name``.

    ``..`` and symbolic links in it are followed, as in Puppet: manifests may read any file.
    """
    compilation = scope.compilation
    if path.startswith("/"):
        check_null_byte(path)
        world = compilation.world
        return path if world.is_file(path) or world.is_directory(path) else None
    module_name, slash, name = path.partition("/")
    module = compilation.environment.find_module(module_name) if slash and module_name else None
    if module is None:
        return None
    check_null_byte(path)
    found: str | None = module.file(folder, name.lstrip("/"))
    return f"{found}/" if found and not name else found


def read(scope: Scope, name: str, path: str) -> bytes:
    """Return the content of a file that was found."""
    try:
        data: bytes = scope.compilation.world.read(path)
    except OSError as error:
        raise issues.NOT_READ(name=name, path=path, reason=error.strerror) from None
    return data


def first(scope: Scope, paths: tuple[Any, ...], folder: str) -> str | None:
    """Return the first file that is found; the paths may be in arrays."""
    for path in flatten(list(paths)):
        found = find(scope, path, folder)
        if found is not None:
            return found
    return None


@function(
    "find_file(String *$paths)", "find_file(Array[String] *$paths_array)", scope=True, since="4.8.0"
)
def find_file(scope: Scope, *paths: Value) -> str | None:
    """Return the path of the first file that exists: absolute, or of a module's ``files``.

    ```puppet
    find_file('no/such/file', '/nor/this') == undef
    ```
    """
    return first(scope, paths, "files")


@function(
    "find_template(String *$paths)",
    "find_template(Array[String] *$paths_array)",
    scope=True,
    since="6.12.0",
)
def find_template(scope: Scope, *paths: Value) -> str | None:
    """Return the path of the first template that exists: absolute, or of a module's ``templates``.

    ```puppet
    find_template(['no/such/file']) == undef
    ```
    """
    return first(scope, paths, "templates")


@function(
    "module_directory(String *$names)",
    "module_directory(Array[String] *$names)",
    scope=True,
    since="5.4.0",
)
def module_directory(scope: Scope, *names: Value) -> str | None:
    """Return the folder of the first module that exists.

    ```puppet
    module_directory('nosuchmodule') == undef
    ```
    """
    for name in flatten(list(names)):
        if "::" in name:
            continue
        module = scope.compilation.environment.find_module(name)
        if module is not None:
            return str(module.path)
    return None


@function.api_3("file", 1, scope=True, since="0.22.2")
def file(scope: Scope, *paths: Value) -> str:
    """Return the content of the first file that exists: absolute, or of a module's ``files``.

    Since Puppet 4, a byte order mark is left out.
    """
    for path in paths:
        if path.__class__ is not str:
            raise issues.NOT_A_PATH(name="file", actual=display(infer(path)))
        found = find(scope, path)
        if found is not None:
            content = read(scope, "file", found)
            if not scope.compilation.rules.only_3x_functions:
                content = content.removeprefix(BOM_UTF8)
            return content.decode("utf-8", "surrogateescape")
    hint = file_hint(scope.compilation.environment, "files", paths[0]) if paths else None
    raise issues.NO_FILE(name="file", paths=", ".join(paths)).hinted(hint)


@function("binary_file(String $path)", scope=True, since="4.8.0")
def binary_file(scope: Scope, path: str) -> Binary:
    """Return the content of a file as a Binary: absolute, or of a module's ``files``."""
    found = find(scope, path)
    if found is None:
        hint = file_hint(scope.compilation.environment, "files", path)
        raise issues.NO_FILE(name="binary_file", paths=path).hinted(hint)
    return Binary(read(scope, "binary_file", found))


# -- generate --------------------------------------------------------------------------------------
PROGRAM = lazy_pattern(r"[-/\w.+]+\Z", re.ASCII)


@function.api_3("generate", 1, scope=True, since="0.22.2")
def generate(scope: Scope, program: Value, *arguments: Value) -> str:
    """Return the output of a program, run in its own folder when the catalog is compiled."""
    if program.__class__ is not str or not program.startswith("/"):
        raise issues.PROGRAM_NOT_ABSOLUTE()
    if not PROGRAM.match(program):
        raise issues.PROGRAM_CHARACTERS()
    if ".." in program:
        raise issues.PROGRAM_CLIMBS()
    command = [program, *map(to_s, flatten(list(arguments)))]
    try:
        output: str = scope.compilation.world.run(command, program.rpartition("/")[0] or "/")
    except CalledProcessError as error:
        raise issues.PROGRAM_FAILED(program=program, status=error.returncode) from None
    except OSError as error:
        raise issues.PROGRAM_NOT_RUN(program=program, reason=error.strerror) from None
    return output
