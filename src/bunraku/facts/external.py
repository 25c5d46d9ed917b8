"""External facts: files and programs in ``facts.d`` folders, and environment variables."""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable, Iterable, Iterator
from subprocess import CompletedProcess, TimeoutExpired
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.source import Place
from bunraku.facts.documents import with_names
from bunraku.facts.external_formats import READERS, printed_facts, text_of
from bunraku.facts.issues import EXTERNAL_FACTS_DROPPED, EXTERNAL_FACTS_ERRORS
from bunraku.facts.values import fault_of, is_utf_8, visible
from bunraku.formats.failure import FormatError
from bunraku.formats.shape import kind_of
from bunraku.world.protocol import World

Facts = dict[str, Any]
Warn = Callable[[Diagnostic], None]
FOLDERS = (
    "/opt/puppetlabs/facter/facts.d",
    "/etc/facter/facts.d",
    "/etc/puppetlabs/facter/facts.d",
)
NO_PROGRAMS = frozenset({"bat", "cmd", "com", "exe"})
"""Endings of the names of programs for other systems."""
ENVIRONMENT = {"LC_ALL": "C", "LANG": "C"}
"""The variables that Facter sets for programs so that they print the same everywhere."""
LIMIT = 300.0
"""Seconds that a program may take, as in Facter."""
LONGEST_MESSAGE = 2000
"""Characters of standard error that a warning shows."""
VARIABLE = lazy_pattern(r"facter_?(\w+)", re.IGNORECASE | re.ASCII)


def external_facts(world: World, folders: Iterable[str], warn: Warn, limit: float = LIMIT) -> Facts:
    """Return the facts in folders; the earlier file wins, a broken file is a warning.

    ``limit`` is how many seconds a program may take.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> files = {"/facts.d/a.txt": b"role=web\\n# no\\nrack=7", "/facts.d/b.json": b'{"rack": 8}'}
    >>> external_facts(DictionaryWorld(files), ["/facts.d"], print)
    {'rack': 8, 'role': 'web'}
    """
    found: Facts = {}
    for path in external_files(world, folders):
        add_absent(found, file_facts(world, path, warn, limit))
    return found


def add_absent(found: Facts, more: Facts) -> None:
    """Add facts that are not known yet; a null is a fact only if no other value is known."""
    for name, value in more.items():
        if found.get(name) is None:
            found[name] = value


def external_files(world: World, folders: Iterable[str]) -> Iterator[str]:
    """Yield the paths in folders in the order of their precedence; hidden files are ignored."""
    for folder in folders:
        if world.is_directory(folder):
            for name in sorted(world.list_directory(folder), reverse=True):
                if not name.startswith("."):
                    yield f"{folder.rstrip('/')}/{name}"


def variable_facts(world: World, warn: Warn) -> Facts:
    """Return the facts that environment variables define: ``FACTER_role=web``.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> variable_facts(DictionaryWorld(variables={"FACTER_ROLE": "web", "HOME": "/"}), print)
    {'role': 'web'}
    """
    found: Facts = {}
    for variable, value in world.environment_variables().items():
        name = VARIABLE.fullmatch(variable)
        if name is not None and sound(variable, name[1], value, warn):
            found.setdefault(name[1].lower(), value)
    return found


def file_facts(world: World, path: str, warn: Warn, limit: float) -> Facts:
    """Return the facts of one file, by the end of its name, or those a program prints."""
    ending = os.path.splitext(path)[1][1:].lower()
    try:
        if ending in READERS:
            data = READERS[ending](world.read(path))
        elif world.is_executable(path) and ending not in NO_PROGRAMS:
            data = printed_facts(output_of(world, path, warn, limit))
        else:
            return {}
    except FormatError as error:
        warn(dropped(path, error.problem, error.line, error.column))
        return {}
    except OSError as error:
        warn(dropped(path, error.strerror or str(error)))
        return {}
    except TimeoutExpired:
        warn(dropped(path, f"the program took longer than {limit:g} seconds"))
        return {}
    return facts_of(path, {} if data is None else data, warn)


def output_of(world: World, path: str, warn: Warn, limit: float) -> str:
    """Return what a program prints, without blanks around it; its exit code does not matter.

    Warn about its standard error. Raise FormatError for output that is not UTF-8.
    """
    done = completed(world, path, limit)
    errors = " ".join(done.stderr.decode("utf-8", "backslashreplace").split())
    if errors:
        shown = errors if len(errors) <= LONGEST_MESSAGE else f"{errors[:LONGEST_MESSAGE]}…"
        issue = EXTERNAL_FACTS_ERRORS
        warn(issue.diagnostic(Place(path), severity="warning", path=visible(path), errors=shown))
    return text_of(done.stdout).lstrip().rstrip("\0 \t\n\v\f\r")


def completed(world: World, path: str, limit: float) -> CompletedProcess[bytes]:
    """Run a program, with the shell if it is text without ``#!``; raise OSError or TimeoutExpired."""
    try:
        return world.complete([path], ENVIRONMENT, limit)
    except OSError as error:
        if error.errno == errno.ENOEXEC:
            return world.complete(["/bin/sh", path], ENVIRONMENT, limit)
        reason = f"the program cannot be started: {error.strerror or error}"
        raise OSError(error.errno, reason) from None


def facts_of(path: str, data: Any, warn: Warn) -> Facts:
    """Return the facts in the data of a file; warn about what cannot be a fact."""
    if not isinstance(data, dict):
        warn(dropped(path, f"expected a Hash of facts, got {kind_of(data)}"))
        return {}
    found: Facts = {}
    for name, value in with_names(data).items():
        usable = sound(path, name, value, warn)
        if is_utf_8(name):
            add_absent(found, {name.lower(): value if usable else None})
    return found


def sound(source: str, name: str, value: Any, warn: Warn) -> bool:
    """Return whether a value can be a fact; warn about one that cannot, with its file or variable."""
    fault = fault_of(value) or fault_of(name)
    if fault is not None:
        warn(dropped(source, fault, name=name))
    return fault is None


def dropped(
    source: str,
    reason: str,
    line: int | None = None,
    column: int | None = None,
    name: str = "",
) -> Diagnostic:
    """Return the warning about a file, or one fact of a file or of a variable, that is not used."""
    where = ":".join(str(part) for part in (visible(source), line, column) if part is not None)
    place = Place(source if "/" in source else None, line, column)
    return EXTERNAL_FACTS_DROPPED.diagnostic(
        place,
        severity="warning",
        where=where,
        name=name,
        what=f"the fact '{visible(name)}'" if name else "the file",
        reason=reason,
    )
