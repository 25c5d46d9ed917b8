"""Ruby packages, by ``gem``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar
from urllib.parse import urlsplit

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.package.provider import COMMON_FEATURES, MISSING, flags, version_of
from bunraku.providers.package.targeted import Targeted, texts, with_error
from bunraku.providers.package.versions import Ruby, includes, parse_range
from bunraku.providers.provider import State
from bunraku.providers.run import Run
from bunraku.types.ruby_semantics.values import to_s

LINE = re.compile(r"(\S+)\s+\((.+)\)")
REQUIREMENT = re.compile(r"\s*(=|!=|>=|<=|~>|>|<)?\s*([0-9][0-9A-Za-z.-]*)\s*")
NO_DOCUMENT = Ruby.parse("2.0.0")
"""The first version of RubyGems with the option ``--no-document``."""


class Gem(Targeted):
    """Installs gems from the repositories of RubyGems, from ``source`` or from a file."""

    name = "gem"
    commands: ClassVar[tuple[str, ...]] = ("gem",)
    features: ClassVar[frozenset[str]] = COMMON_FEATURES | {
        "versionable",
        "version_ranges",
        "install_options",
        "uninstall_options",
        "targetable",
    }

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.variables = {"HOME": self.host.environment_variable("HOME")}

    # -- states ----------------------------------------------------------------------------------

    def installed(self, command: str) -> dict[str, State]:
        """Return the installed gems, each with all its versions."""
        return self.listed(command, "--local")

    def listed(self, command: str, *options: str) -> dict[str, State]:
        """Return the gems in the output of ``gem list``."""
        try:
            output = self.execute(command, "list", *options).output
        except ResourceFailure as error:
            raise ResourceFailure(f"Could not list gems: {error}") from None
        return gems_of(output)

    def latest(self, resource: ManagedResource) -> Any:
        """Return the newest version in the repositories."""
        source = ["--source", to_s(resource["source"])] if resource["source"] else []
        name = rf"\A{resource.name}\z"
        with self.options(resource, "list", "source", source) as words:
            found = self.listed(self.command(resource), "--remote", *words, name)
        state = next(iter(found.values()), None)
        if state is None:
            raise ResourceFailure(f"no gem is named {resource.name}")
        return state["ensure"][0]

    def in_sync(self, resource: ManagedResource, current: Any) -> bool:
        """Return whether one of the installed versions matches."""
        wanted = version_of(resource)
        if wanted is None or current in MISSING:
            return False
        if is_requirement(wanted):
            return any(satisfies(wanted.split(","), version) for version in texts(current))
        return any(includes(wanted, version, Ruby.parse) for version in texts(current))

    # -- changes ---------------------------------------------------------------------------------

    @contextmanager
    def options(
        self, resource: ManagedResource, verb: str, name: str, words: list[str]
    ) -> Iterator[list[str]]:
        """Yield the words of an attribute as arguments; gem reads those that others must not see from a file."""
        if not words or not resource.is_private(name):
            yield words
            return
        if any(len(word.split()) > 1 for word in words):
            raise ResourceFailure(f"a secret {name} of gem must not contain spaces")
        before = self.variables
        with self.host.temporary_file(f"{verb}: {' '.join(words)}\n".encode()) as path:
            files = [path, *filter(None, [before.get("GEMRC")])]
            self.variables = {**before, "GEMRC": ":".join(files)}
            try:
                yield []
            finally:
                self.variables = before

    def install(self, resource: ManagedResource) -> None:
        """Install a gem, in the wanted version if there is one."""
        command = self.command(resource)
        version = version_of(resource)
        chosen = [] if version is None else ["-v", requirement_of(version)]
        rubygems = self.execute(command, "--version").output.strip()
        plain = ["--no-rdoc", "--no-ri"]
        if not Ruby.parse(rubygems) < NO_DOCUMENT:
            plain = ["--no-document"]
        *source, gem = source_words(resource)
        with (
            self.options(
                resource, "install", "install_options", flags(resource["install_options"])
            ) as options,
            self.options(resource, "install", "source", source) as place,
        ):
            words = ("install", *options, *chosen, *plain, *place, gem)
            with_error(self.execute(command, *words).output, "install")

    def uninstall(self, resource: ManagedResource) -> None:
        """Remove all versions of a gem, with its programs."""
        options = flags(resource["uninstall_options"])
        words = ("uninstall", "--executables", "--all", resource.name, *options)
        with_error(self.execute(self.command(resource), *words).output, "uninstall")


def gems_of(output: str) -> dict[str, State]:
    """Return the gems in the output of ``gem list``, each with all its versions.

    >>> gems_of("rake (13.1, default: 13.0)")
    {'rake': {'ensure': ['13.1', '13.0']}}
    """
    found: dict[str, State] = {}
    for match in filter(None, map(LINE.match, output.splitlines())):
        versions = re.split(r",\s*", match[2].replace("default: ", ""))
        found[match[1]] = {"ensure": [version.split()[0] for version in versions]}
    return found


def source_words(resource: ManagedResource) -> list[str]:
    """Return the arguments that select a gem: a file, or a name with its repository."""
    source = resource["source"]
    if not source:
        return [resource.name]
    parts = urlsplit(str(source))
    if not parts.scheme:
        return [str(source)]
    if parts.scheme == "file":
        return [parts.path]
    if parts.scheme == "puppet":
        raise ResourceFailure("puppet:// URLs are not supported as gem sources")
    return ["--source", str(source), resource.name]


def is_requirement(text: str) -> bool:
    """Return whether a text is a RubyGems requirement, or several separated by commas.

    >>> is_requirement("~> 1.2"), is_requirement(">=1.0 <2.0")
    (True, False)
    """
    return "," in text or REQUIREMENT.fullmatch(text) is not None


def requirement_of(wanted: str) -> str:
    """Return a version or range as an argument of ``gem install -v``.

    >>> requirement_of(">=1.0 <2.0"), requirement_of("~> 1.2")
    ('>=1.0, <2.0', '~> 1.2')
    """
    if is_requirement(wanted):
        return wanted
    try:
        return parse_range(wanted, Ruby.parse).joined(", ")
    except ValueError:
        return wanted


def satisfies(requirements: Iterable[str], text: str) -> bool:
    """Return whether a version meets all requirements; False if one of them is invalid.

    >>> satisfies(["~> 1.2", "!= 1.3"], "1.4"), satisfies(["~> 1.2"], "2.0")
    (True, False)
    """
    version = Ruby.parse(text)
    for one in requirements:
        found = REQUIREMENT.fullmatch(one)
        if found is None:
            return False
        bound = Ruby.parse(found[2])
        held = {
            "!=": version != bound,
            ">": bound < version,
            "<": version < bound,
            ">=": not version < bound,
            "<=": not bound < version,
            "~>": not version < bound and version < next_version(found[2]),
        }.get(found[1] or "=", version == bound)
        if not held:
            return False
    return True


def next_version(text: str) -> Ruby:
    """Return the first version that ``~>`` excludes.

    >>> next_version("1.2.3") == Ruby.parse("1.3"), next_version("1") == Ruby.parse("2")
    (True, True)
    """
    numbers = [int(part) for part in re.findall(r"\d+", re.split(r"[A-Za-z]", text)[0])]
    if len(numbers) > 1:
        numbers.pop()
    numbers[-1] += 1
    return Ruby.parse(".".join(map(str, numbers)))


provider = Gem
