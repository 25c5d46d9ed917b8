"""``.fixtures.yml``: the modules that the tests of a module need, and where they come from.

The layout is that of puppetlabs_spec_helper 4 (``tasks/fixtures.rb``): ``repositories`` and
``forge_modules`` are installed in ``spec/fixtures/modules``, ``symlinks`` are directories. Ruby code in
a value is not run: only ``#{source_dir}``, the directory of the module, and variables of the environment
are put in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from bunraku.base.errors import Diagnostic, PuppetError, Severity
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.records import record
from bunraku.base.source import Place, Source
from bunraku.base.suggestions import suggestion
from bunraku.formats.places import YamlPlaces
from bunraku.hiera.data import parse_yaml
from bunraku.project.declared_modules import DeclaredModule, ForgeModule, GitModule, ModuleSource
from bunraku.project.issues import INVALID_FIXTURES
from bunraku.project.module import FIXTURES
from bunraku.project.module_options import TITLE, resolved
from bunraku.values.version import SemVer, SemVerRange, is_version
from bunraku.world.protocol import World

FILES = (".fixtures.yml", ".fixtures.yaml")
KEYS = ("fixtures", "defaults")
KINDS = ("forge_modules", "repositories", "symlinks")
OPTIONS = ("repo", "ref", "tag", "branch", "scm", "flags", "subdir", "target", "puppet_version")
INSERTED = lazy_pattern(
    r"#\{(?P<code>[^}]*)\}|\$\{(?P<braced>\w+)\}|\$(?P<bare>[A-Za-z_]\w*)", re.ASCII
)
"""Ruby code in a text, or a variable of the environment: the shell that runs git replaces it."""
FROM_ENVIRONMENT = lazy_pattern(
    r"ENV\[['\"](\w+)['\"]\]|ENV\.fetch\(['\"](\w+)['\"](?:,[^)]*)?\)\Z", re.ASCII
)


@record(frozen=True)
class LinkedModule:
    """A module in another directory, to which tests have a link; ``path`` and ``line`` declare it."""

    name: str
    directory: str
    path: str
    line: int


@record(frozen=True)
class Fixtures:
    """The modules that tests need: those to install, those that are links, and what is wrong.

    A link to the module itself is not among the ``links``.
    """

    path: str
    modules: tuple[DeclaredModule, ...] = ()
    links: tuple[LinkedModule, ...] = ()
    findings: tuple[Diagnostic, ...] = ()


def read_fixtures(root: str, world: World, version: str | None = None) -> Fixtures:
    """Return the modules that the fixtures of a module list; none without the file.

    ``version`` is that of Puppet: entries for others are left out. The variable ``FIXTURES_YML`` of the
    environment names another file.

    >>> from bunraku.world.dictionary import DictionaryWorld
    >>> text = b'{fixtures: {forge_modules: {stdlib: "puppetlabs/stdlib"}}}'
    >>> (one,) = read_fixtures("/ntp", DictionaryWorld({"/ntp/.fixtures.yml": text})).modules
    >>> one.title, one.directory
    ('puppetlabs/stdlib', '/ntp/spec/fixtures/modules/stdlib')
    """
    named = world.environment_variable("FIXTURES_YML")
    paths = [resolved(root, one) for one in ([named] if named else FILES)]
    path = next((one for one in paths if world.is_file(one)), None)
    if path is None:
        return Fixtures(paths[0])
    reader = FixturesReader(root, path, world, version)
    modules: list[DeclaredModule] = []
    links: list[LinkedModule] = []
    try:
        for found in reader.entries():
            if isinstance(found, DeclaredModule):
                modules.append(found)
            elif found.directory != root:
                links.append(found)
    except PuppetError as error:
        reader.findings += list(error)
    return Fixtures(path, tuple(modules), tuple(links), tuple(reader.findings))


class FixturesReader:
    """Reads one file; what is wrong is added to ``findings``."""

    def __init__(self, root: str, path: str, world: World, version: str | None) -> None:
        self.root = root
        self.path = path
        self.world = world
        self.version = None if version is None else SemVer.parse(version)
        self.content = world.read(path)
        self.source = Source(self.content.decode("utf-8", "replace"), path)
        self.places = YamlPlaces(self.content)
        self.findings: list[Diagnostic] = []

    def entries(self) -> Iterator[DeclaredModule | LinkedModule]:
        """Yield the modules; raise PuppetError for a file that is not YAML."""
        content = self.table(parse_yaml(self.content, self.path), [], KEYS)
        defaults = self.table(content.get("defaults"), ["defaults"])
        kinds = self.table(content.get("fixtures"), ["fixtures"], KINDS)
        for kind in KINDS:
            usual = self.table(defaults.get(kind), ["defaults", kind])
            for name, entry in self.table(kinds.get(kind), ["fixtures", kind]).items():
                where = ["fixtures", kind, str(name)]
                options = entry if isinstance(entry, dict) else {"repo": entry}
                if kind == "symlinks" and isinstance(options.get("repo"), str):
                    yield self.linked_module(str(name), options["repo"], where)
                elif (module := self.module({**usual, **options}, where)) is not None:
                    yield module

    def report(self, where: list[str], reason: str, severity: Severity = "error") -> None:
        """Add what is wrong with an entry."""
        line, column = self.places.of(where) or (1, 1)
        place = Place.in_text(self.path, self.source.text, line, column)
        self.findings.append(INVALID_FIXTURES.diagnostic(place, severity, reason=reason))

    def table(
        self,
        value: Any,
        where: list[str],
        known: tuple[str, ...] = (),
        severity: Severity = "error",
    ) -> Mapping[Any, Any]:
        """Return a hash; nothing counts as an empty one. Other keys than the known ones are reported."""
        if value is None or value is False:  # false is the value of an empty document
            return {}
        if not isinstance(value, dict):
            self.report(where, f"{where[-1] if where else 'the file'} must be a Hash")
            return {}
        for key in value if known else ():
            if key not in known:
                near = suggestion(str(key), known)
                self.report([*where, str(key)], f"unknown key '{key}'{near}", severity)
        return value

    def linked_module(self, name: str, target: str, where: list[str]) -> LinkedModule:
        """Return the module that a link leads to."""
        line, _ = self.places.of(where) or (1, 1)
        return LinkedModule(name, resolved(self.root, self.text(target, where)), self.path, line)

    def module(self, options: Mapping[Any, Any], where: list[str]) -> DeclaredModule | None:
        """Return the module of an entry, unless it is for other versions of Puppet or wrong."""
        wrong = len(self.findings)
        self.table(options, where, OPTIONS, "warning")
        texts = {
            key: self.text(str(value), [*where, str(key)])
            for key, value in options.items()
            if value is not None and not isinstance(value, (dict, list))
        }
        if not options.get("repo"):
            self.report(where, f"the entry '{where[-1]}' of {where[1]} names no source")
        if not self.is_for_this_version(texts.get("puppet_version"), where):
            return None
        if texts.get("flags"):
            self.report(where, f"the flags of '{where[-1]}' have no effect", "warning")
        made = self.of_forge if where[1] == "forge_modules" else self.of_git
        title, source = made(texts, where)
        found = TITLE.match(title)
        if found is None:
            self.report(where, f"'{title}' is not a name of a module")
        if found is None or any(one.severity == "error" for one in self.findings[wrong:]):
            return None
        line, column = self.places.of(where) or (1, 1)
        directory = resolved(resolved(self.root, texts.get("target", FIXTURES)), found[2])
        return DeclaredModule(
            title, found[2], found[1] or "", source, directory, self.path, line, column
        )

    def of_git(self, texts: Mapping[str, str], where: list[str]) -> tuple[str, ModuleSource]:
        """Return the name of the module in a repository, and its source; ``ref`` wins over ``branch``."""
        if texts.get("scm", "git") != "git":
            self.report(where, f"'{where[-1]}' needs {texts['scm']}; only git is supported")
        ref = texts.get("ref") or texts.get("tag") or texts.get("branch", "")
        directory = texts.get("subdir", "").strip("/")
        if ".." in directory.split("/"):
            self.report(where, f"the subdir of '{where[-1]}' is outside of its repository")
        return where[-1], GitModule(texts.get("repo", ""), ref, subdirectory=directory)

    def of_forge(self, texts: Mapping[str, str], where: list[str]) -> tuple[str, ModuleSource]:
        """Return the full name of a module of the Forge, and its version."""
        title, version = texts.get("repo", ""), texts.get("ref") or texts.get("tag", "")
        found = TITLE.match(title)
        if title and found is not None and not found[1]:
            self.report(where, f"the module '{title}' of the Forge has no owner")
        if version and not is_version(version):
            self.report(where, f"'{version}' is not a version such as '1.2.3'")
        return title, ForgeModule(version)

    def is_for_this_version(self, wanted: str | None, where: list[str]) -> bool:
        """Return whether an entry is for the version of Puppet."""
        if wanted is None or self.version is None:
            return True
        try:
            return SemVerRange.parse(wanted).includes(self.version)
        except PuppetError as error:
            self.report([*where, "puppet_version"], error.message)
            return False

    def text(self, value: str, where: list[str]) -> str:
        """Return a text in which variables have their values; others are reported."""

        def inserted(found: re.Match[str]) -> str:
            if found["code"] == "source_dir":
                return self.root
            variable = found["braced"] or found["bare"]
            if found["code"] and (known := FROM_ENVIRONMENT.match(found["code"])):
                variable = known[1] or known[2]
            if not variable:
                self.report(
                    where, f"cannot read #{{{found['code']}}}, because it is not run as Ruby"
                )
                return ""
            given = self.world.environment_variable(variable)
            if given is None:
                self.report(where, f"the environment variable {variable} is not set")
            return given or ""

        return INSERTED.sub(inserted, value)
