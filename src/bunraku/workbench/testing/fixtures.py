"""``.fixtures.yml``: the modules that the tests of a module need, and where they are.

The layout is that of puppetlabs_spec_helper 4: ``symlinks`` are directories, ``repositories`` and
``forge_modules`` are installed in ``spec/fixtures/modules`` by ``rake spec_prep``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.base.lines import line_matching
from bunraku.base.records import record
from bunraku.base.source import Place
from bunraku.base.suggestions import suggestion
from bunraku.hiera.data import parse_yaml
from bunraku.project.module import FIXTURES
from bunraku.project.reading import names_in
from bunraku.values.version import SemVer, SemVerRange
from bunraku.workbench.analysis.dependencies import FIXTURE_KEYS, FIXTURE_KINDS
from bunraku.workbench.analysis.dependencies import FIXTURES as FILE
from bunraku.workbench.testing.issues import FIXTURES_MISSING, INVALID_FIXTURES
from bunraku.world.protocol import World

SOURCE_DIRECTORY = "#{source_dir}"
"""Stands for the directory of the module in the paths of ``symlinks``."""


@record(frozen=True)
class Fixture:
    """A module that tests need: its directory, and the command that installs it; None for a link."""

    name: str
    directory: str
    command: str | None = None


def fixtures_of(root: str, version: str, world: World) -> list[Fixture]:
    """Return the modules that ``.fixtures.yml`` lists; none without the file.

    ``version`` is that of Puppet: entries with another ``puppet_version`` are left out. The variable
    ``FIXTURES_YML`` of the environment names another file. Raises PuppetError for a wrong file.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> text = b'{fixtures: {repositories: {stdlib: "https://git.example.com/stdlib"}}}'
    >>> (one,) = fixtures_of("/ntp", "8.0.0", DictionaryWorld({"/ntp/.fixtures.yml": text}))
    >>> one.command
    'git clone https://git.example.com/stdlib spec/fixtures/modules/stdlib'
    """
    path = f"{root}/{world.environment_variable('FIXTURES_YML') or FILE}"
    if not world.is_file(path):
        return []
    reader = FixturesReader(root, path, version)
    return list(reader.fixtures(parse_yaml(world.read(path), path), world))


class FixturesReader:
    """Reads one file."""

    def __init__(self, root: str, path: str, version: str) -> None:
        self.root = root
        self.path = path
        self.version = SemVer.parse(version)
        self.text = ""

    def fixtures(self, content: Any, world: World) -> Iterator[Fixture]:
        """Yield the modules in the content of a file."""
        self.text = world.read(self.path).decode("utf-8", "replace")
        kinds = self.table(
            self.table(content, "the file", FIXTURE_KEYS).get("fixtures"), "fixtures"
        )
        for kind, entries in self.checked(kinds, FIXTURE_KINDS).items():
            for name, entry in self.table(entries, kind).items():
                yield from self.fixture(kind, str(name), entry)

    def fixture(self, kind: str, name: str, entry: Any) -> Iterator[Fixture]:
        """Yield the module of an entry, unless it is for other versions of Puppet."""
        options = entry if isinstance(entry, dict) else {"repo": entry, "target": entry}
        wanted = options.get("puppet_version")
        if wanted is not None and not SemVerRange.parse(str(wanted)).includes(self.version):
            return
        source = options.get("target" if kind == "symlinks" else "repo")
        if not isinstance(source, str):
            raise self.error(f"the entry '{name}' of {kind} names no source", name)
        if kind == "symlinks":
            yield Fixture(name, self.below(source.replace(SOURCE_DIRECTORY, self.root)))
            return
        if isinstance(entry, dict) and isinstance(entry.get("target"), str):
            name = entry["target"]
        directory = f"{FIXTURES}/{name}"
        made = cloning if kind == "repositories" else installing
        yield Fixture(name, f"{self.root}/{directory}", made(source, options, directory))

    def below(self, path: str) -> str:
        """Return a path that may be relative to the module."""
        return (path if path.startswith("/") else f"{self.root}/{path}").rstrip("/")

    def table(self, value: Any, what: str, known: tuple[str, ...] = ()) -> Mapping[Any, Any]:
        """Return a hash; nothing counts as an empty one."""
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise self.error(f"{what} must be a Hash", what)
        return self.checked(value, known) if known else value

    def checked(self, value: Mapping[Any, Any], known: tuple[str, ...]) -> Mapping[Any, Any]:
        """Return a hash that has no other keys than the known ones."""
        for key in value:
            if key not in known:
                near = suggestion(str(key), known)
                raise self.error(f"unknown key '{key}'{near}", str(key))
        return value

    def error(self, reason: str, key: str) -> PuppetError:
        """Return the error for an entry."""
        line = line_matching(self.text, rf"^\s*['\"]?{key}['\"]?\s*:")
        return INVALID_FIXTURES(reason=reason).at(Place(self.path, line))


def cloning(source: str, options: Mapping[Any, Any], directory: str) -> str:
    """Return the command that clones a repository.

    >>> cloning("https://git.example.com/a", {"ref": "v1", "scm": "hg"}, "a")
    'hg clone -u v1 https://git.example.com/a a'
    """
    scm = str(options.get("scm") or "git")
    wanted = options.get("branch") or options.get("ref")
    branch = f" {'-b' if scm == 'git' else '-u'} {wanted}" if wanted else ""
    return f"{scm} clone{branch} {source} {directory}"


def installing(source: str, options: Mapping[Any, Any], directory: str) -> str:
    """Return the command that installs a module of the Forge.

    >>> installing("puppetlabs/stdlib", {"ref": "9.0.0"}, "spec/fixtures/modules/stdlib")
    'puppet module install --ignore-dependencies --target-dir spec/fixtures/modules --version 9.0.0 puppetlabs-stdlib'
    """
    version = f" --version {options['ref']}" if options.get("ref") else ""
    folder = directory.rpartition("/")[0]
    name = source.replace("/", "-")
    return f"puppet module install --ignore-dependencies --target-dir {folder}{version} {name}"


def check_fixtures(
    root: str, fixtures: list[Fixture], elsewhere: list[str], known: Mapping[str, str], world: World
) -> None:
    """Raise PuppetError if a fixture is neither installed nor in one of the other places.

    ``elsewhere`` are directories of modules, ``known`` the directories of modules by name.
    """
    missing = [
        one
        for one in fixtures
        if one.command is not None
        and one.name not in known
        and not names_in(world, one.directory)
        and not any(names_in(world, f"{folder}/{one.name}") for folder in elsewhere)
    ]
    if missing:
        commands = "\n".join(str(one.command) for one in missing)
        names = ", ".join(one.name for one in missing)
        path = f"{root}/{FILE}"
        error = FIXTURES_MISSING(names=names, path=path, root=root, commands=commands)
        raise error.at(Place(path))
