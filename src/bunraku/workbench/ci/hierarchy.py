"""What the files of Hiera's data say about a site: names of nodes, roles and operating systems.

A level such as ``nodes/%{trusted.certname}.yaml`` names nodes by its files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.paths import inner_path
from bunraku.base.records import record
from bunraku.hiera.config import Config, parse_config
from bunraku.hiera.data import keys_to_text, parse_yaml
from bunraku.project.reading import names_in, text_of
from bunraku.world.protocol import World

VARIABLE = re.compile(r"%\{\s*['\"]?(?:::)?([\w.:]+)['\"]?\s*\}")
NODE_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")
WHOLE_NAMES = frozenset({"trusted.certname", "clientcert", "certname", "fqdn", "networking.fqdn"})
HOST_NAMES = frozenset({"hostname", "trusted.hostname", "networking.hostname"})
DOMAINS = frozenset({"domain", "trusted.domain", "networking.domain"})
EXTENSIONS = (".yaml", ".yml", ".eyaml", ".json")


@record(frozen=True)
class DataFile:
    """A file of data: its path, and the values of the variables in the path that the level has."""

    path: str
    values: Mapping[str, str]

    @property
    def node(self) -> str | None:
        """The name of the node whose data the file has."""
        whole = self.value_of(WHOLE_NAMES)
        host, domain = self.value_of(HOST_NAMES), self.value_of(DOMAINS)
        name = whole or (f"{host}.{domain}" if host and domain else host)
        return name if name and NODE_NAME.fullmatch(name) else None

    def value_of(self, variables: frozenset[str]) -> str | None:
        """Return the value of one of some variables; None if the level has none of them."""
        return next((value for name, value in self.values.items() if name in variables), None)


def hierarchy_files(root: str, config: str | None, world: World) -> list[DataFile]:
    """Return the files of data that a configuration of Hiera reaches in a control repository, by path.

    ``config`` is its path, by default ``hiera.yaml`` in the root. A wrong configuration has no files: the
    checks of files report the mistake.
    """
    path = config or os.path.join(root, "hiera.yaml")
    text = text_of(world, path)
    try:
        data = keys_to_text(parse_yaml(text.encode(), path))
        known = data if isinstance(data, dict) else {}
        parsed = parse_config(known, path, root, "global" if config else "environment", "", text)
    except PuppetError:
        return []
    folders = DataFolders(world)
    found = {
        one.path: one for level in levels(root, parsed) for one in folders.files_of_level(*level)
    }
    return [found[path] for path in sorted(found)]


def levels(root: str, config: Config) -> Iterator[tuple[str, str]]:
    """Yield the directory and the path of each level, as written."""
    for level in config.hierarchy:
        # On the server, the repository is the directory of an environment.
        datadir = re.sub(r"^/.*%\{(::)?environment\}/?", "", level.datadir)
        if "%{" in datadir or level.location_kind not in ("path", "paths", "glob", "globs"):
            continue
        for location in level.locations:
            yield os.path.normpath(os.path.join(root, datadir)), location + (level.extension or "")


class DataFolders:
    """The files of data in directories, each of which is searched once for all levels."""

    def __init__(self, world: World) -> None:
        self.world = world
        self._below: dict[str, list[str]] = {}

    def files_of_level(self, datadir: str, location: str) -> Iterator[DataFile]:
        """Yield the files of a level, with the values of the variables in its path."""
        variables = [one.removeprefix("facts.") for one in VARIABLE.findall(location)]
        if not variables:
            path = os.path.join(datadir, location)
            if self.world.is_file(path):
                yield DataFile(path, {})
            return
        pattern = re.compile(pattern_of(location))
        for name in self.below(datadir):
            if found := pattern.fullmatch(name):
                path = os.path.join(datadir, name)
                yield DataFile(path, dict(zip(variables, found.groups(), strict=True)))

    def below(self, datadir: str) -> list[str]:
        """Return the files of data in a directory and those below it, by paths relative to it."""
        known = self._below.get(datadir)
        if known is None:
            found = data_below(datadir, self.world)
            known = self._below[datadir] = [inner_path(path, datadir) for path in found]
        return known


def pattern_of(location: str) -> str:
    """Return a regular expression for the path of a level; a variable is part of one name.

    >>> pattern_of("os/%{facts.os.family}.yaml")
    'os/([^/]+)\\\\.yaml'
    """
    literals = VARIABLE.sub("\0", location).split("\0")
    return "([^/]+)".join(re.escape(one).replace(r"\*", "[^/]*") for one in literals)


def data_below(directory: str, world: World) -> Iterator[str]:
    """Yield the paths of the files of data in a directory and those below it."""
    for name in names_in(world, directory):
        path = os.path.join(directory, name)
        if world.is_directory(path):
            yield from data_below(path, world)
        elif name.endswith(EXTENSIONS):
            yield path


def class_texts(files: Sequence[DataFile], keys: frozenset[str], world: World) -> list[str]:
    """Return the texts under some keys of files of data: names of classes, in lists or alone; sorted."""
    found: set[str] = set()
    for one in files:
        try:
            data = parse_yaml(world.read(one.path), one.path)
        except (OSError, PuppetError):
            continue  # the checks of files report it
        for key in keys & (data.keys() if isinstance(data, dict) else set()):
            found.update(texts_in(data[key]))
    return sorted(found)


def texts_in(value: Any) -> Iterator[str]:
    """Yield the texts in a value; the keys of a hash are names, too."""
    if isinstance(value, str):
        yield value.removeprefix("::")
    elif isinstance(value, list | dict):
        for one in value:
            yield from texts_in(one)
