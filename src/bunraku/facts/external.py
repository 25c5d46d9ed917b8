"""External facts: files and programs in ``facts.d`` folders."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from subprocess import CalledProcessError
from typing import Any

from bunraku.errors import Diagnostic
from bunraku.facts import issues
from bunraku.world import World

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
    """The facts in folders; an earlier file of the order wins, what is broken is a warning.

    >>> from bunraku.world import DictionaryWorld
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
    """The facts that environment variables give: ``FACTER_role=web``.

    >>> from bunraku.world import DictionaryWorld
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
    """The facts of one file, by the end of its name, or those a program prints."""
    ending = path.rpartition("/")[2].rpartition(".")[2].lower()
    try:
        if ending in READERS:
            text = world.read(path).decode("utf-8", "surrogateescape")
            data = READERS[ending](text)
        elif world.is_executable(path) and not path.lower().endswith(NO_PROGRAMS):
            data = printed_facts(world.run([path]))
        else:
            return {}
    except (OSError, ValueError, RecursionError, CalledProcessError) as error:
        warn(problem(path, " ".join(str(error).split())))
        return {}
    if data is None:
        return {}
    if not isinstance(data, dict):
        warn(problem(path, "it holds no hash"))
        return {}
    return {str(name).lower(): value for name, value in data.items()}


def problem(path: str, reason: str) -> Diagnostic:
    """The warning about a file."""
    found = issues.BAD_FACTS_FILE.diagnostic(severity="warning", path=path, reason=reason)
    found.file = path
    return found


def printed_facts(text: str) -> Any:
    """What a program prints: YAML (so JSON too), else lines ``name=value``."""
    try:
        data = parse_yaml(text)
    except (ValueError, RecursionError):
        data = None
    return data if isinstance(data, dict) else listed_facts(text)


def listed_facts(text: str) -> Facts:
    """Lines ``name=value``; others mean nothing."""
    return dict(re.findall(r"(?m)^([^\n]+?)=([^\r\n]+)\r?$", text))


DEEPEST = 300
"""Levels of a value; deeper ones are refused, for what reads them is recursive."""


def parse_yaml(text: str) -> Any:
    """YAML as facts have it: Ruby's tags are passed over, times stay text, dates too."""
    import yaml  # a heavy one, and facts are mostly JSON

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """The safe loader less dates, plus passing over tags."""

    def untagged(loader: Any, _suffix: str, node: yaml.Node) -> Any:
        if isinstance(node, yaml.MappingNode):
            return loader.construct_mapping(node, deep=True)
        if isinstance(node, yaml.SequenceNode):
            return loader.construct_sequence(node, deep=True)
        return loader.construct_scalar(node)

    def as_text(loader: Any, node: yaml.Node) -> Any:
        return loader.construct_scalar(node)

    Loader.add_multi_constructor("", untagged)
    Loader.add_constructor("tag:yaml.org,2002:timestamp", as_text)
    try:
        depth = 0
        for event in yaml.parse(text, Loader):
            depth += isinstance(event, yaml.CollectionStartEvent)
            depth -= isinstance(event, yaml.CollectionEndEvent)
            if depth > DEEPEST:
                raise ValueError(f"it nests deeper than {DEEPEST} levels")
        return yaml.load(text, Loader)  # noqa: S506, a safe loader
    except yaml.YAMLError as error:
        raise ValueError(error) from error


READERS: dict[str, Callable[[str], Any]] = {
    "json": json.loads,
    "yaml": parse_yaml,
    "txt": listed_facts,
}
