"""External facts: files and programs in ``facts.d`` folders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from subprocess import CalledProcessError
from typing import Any

from bunraku.base.errors import Diagnostic
from bunraku.base.source import Place
from bunraku.facts import issues
from bunraku.facts.documents import FACTS, with_names
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.yaml import load_plain
from bunraku.world.processes import failure_reason
from bunraku.world.protocol import World

Facts = dict[str, Any]
FOLDERS = (
    "/opt/puppetlabs/facter/facts.d",
    "/etc/facter/facts.d",
    "/etc/puppetlabs/facter/facts.d",
)
NO_PROGRAMS = (".bat", ".cmd", ".com", ".exe", ".ps1")


def external_facts(
    world: World, folders: Iterable[str], warn: Callable[[Diagnostic], None]
) -> Facts:
    """Return the facts in folders; the earlier file wins, a broken file is a warning.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> files = {"/facts.d/a.txt": b"role=web\\n# no\\nrack=7", "/facts.d/b.json": b'{"rack": 8}'}
    >>> external_facts(DictionaryWorld(files), ["/facts.d"], print)
    {'rack': 8, 'role': 'web'}
    """
    found: Facts = {}
    for folder in folders:
        if not world.is_directory(folder):
            continue
        for name in sorted(world.list_directory(folder), reverse=True):
            path = f"{folder.rstrip('/')}/{name}"
            if name.startswith(".") or not world.is_file(path):
                continue
            for fact, value in file_facts(world, path, warn).items():
                found.setdefault(fact, value)
    return found


def variable_facts(world: World) -> Facts:
    """Return the facts that environment variables give: ``FACTER_role=web``.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> variable_facts(DictionaryWorld(variables={"FACTER_ROLE": "web", "HOME": "/"}))
    {'role': 'web'}
    """
    found = (
        (name.lower().removeprefix("facter_"), value)
        for name, value in world.environment_variables().items()
        if name.lower().startswith("facter_")
    )
    return {name: value for name, value in found if name}


def file_facts(world: World, path: str, warn: Callable[[Diagnostic], None]) -> Facts:
    """Return the facts of one file, by the end of its name, or those a program prints."""
    ending = path.rpartition("/")[2].rpartition(".")[2].lower()
    try:
        if ending in READERS:
            text = world.read(path).decode("utf-8", "surrogateescape")
            data = READERS[ending](text)
        elif world.is_executable(path) and not path.lower().endswith(NO_PROGRAMS):
            data = printed_facts(world.run([path]))
        else:
            return {}
    except FormatError as error:
        warn(problem(path, error.problem, error.line, error.column))
        return {}
    except (OSError, CalledProcessError) as error:
        warn(problem(path, " ".join(failure_reason(error).split())))
        return {}
    if data is None:
        return {}
    wrong = FACTS.mismatch(data)
    if wrong is not None:
        warn(problem(path, str(wrong)))
        return {}
    return {name.lower(): value for name, value in with_names(data).items()}


def problem(
    path: str, reason: str, line: int | None = None, column: int | None = None
) -> Diagnostic:
    """Return the warning about a file."""
    place = Place(path, line, column)
    return issues.BAD_FACTS_FILE.diagnostic(place, severity="warning", path=path, reason=reason)


def printed_facts(text: str) -> Any:
    """Return the facts that a program prints: YAML (so JSON too), else lines ``name=value``."""
    try:
        data = load_plain(text)
    except FormatError:
        data = None
    return data if isinstance(data, dict) else listed_facts(text)


def listed_facts(text: str) -> Facts:
    """Return the facts in lines ``name=value``; other lines are ignored."""
    return dict(re.findall(r"(?m)^([^\n]+?)=([^\r\n]+)\r?$", text))


READERS: dict[str, Callable[[str], Any]] = {
    "json": parse_json,
    "yaml": load_plain,
    "txt": listed_facts,
}
