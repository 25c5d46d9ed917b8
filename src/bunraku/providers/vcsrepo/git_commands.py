"""Commands of Git: in which directory, as which user and with which identity they run."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from bunraku.providers.errors import ResourceFailure
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.provider import successful
from bunraku.providers.rewriting import rewrite
from bunraku.providers.run import Run
from bunraku.providers.secrets import without_password
from bunraku.providers.vcsrepo.git_credentials import (
    settings_for,
    variables_for,
    with_url,
    without_credentials,
)
from bunraku.providers.vcsrepo.repository import Repositories
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Finished

Value = Any
Found = TypeVar("Found")
VERSION = re.compile(r"([0-9]+)\.([0-9]+)")
SSH_OPTIONS = (
    "IgnoreUnknown IdentityAgent",
    "IdentitiesOnly yes",
    "IdentityAgent none",
    "PasswordAuthentication no",
    "KbdInteractiveAuthentication no",
)
REMOTE_URL = re.compile(r"remote\..+\.url", re.DOTALL)
CONTACTS = frozenset({"clone", "fetch", "remote", "submodule"})
"""Commands that contact servers."""


class GitCommands(Repositories):
    """Runs Git for a resource. Settings that may contain passwords are in the environment."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.places: dict[str, str] = {}
        """Path of a resource → the directory in which its commands run, if it is another one."""
        self.known_version: tuple[int, int] | None = None
        self.generations = {"settings": 0, "references": 0}
        """The number of commands that may have changed the configuration, and the references."""
        self.reads: dict[tuple[str, str, str], tuple[tuple[int, int], Any]] = {}
        """What was read of repositories, and how many changes there were before."""
        self.fetched: dict[str, int] = {}
        """Path of a resource → the number of changes of the run when its references were fetched."""

    @contextmanager
    def at(self, resource: ManagedResource, directory: str) -> Iterator[None]:
        """Run the commands of a resource in another directory."""
        before = self.places.get(resource.name)
        self.places[resource.name] = directory
        try:
            yield
        finally:
            if before is None:
                del self.places[resource.name]
            else:
                self.places[resource.name] = before

    def directory(self, resource: ManagedResource) -> str:
        """Return the directory in which the commands of a resource run."""
        return self.places.get(resource.name) or to_s(resource["path"])

    def git(self, resource: ManagedResource, *words: str, identity: bool = True) -> str:
        """Return the output of a command; raise ResourceFailure if it fails."""
        done = self.ran(resource, *words, identity=identity)
        return successful(("git", *map(without_password, words)), done).output

    def remote_git(self, resource: ManagedResource, *words: str) -> str:
        """Return the output of a command that may use a proxy; raise ResourceFailure if it fails."""
        done = self.ran(resource, *words, proxy=True)
        return successful(("git", *map(without_password, words)), done).output

    def ran(
        self, resource: ManagedResource, *words: str, identity: bool = True, proxy: bool = False
    ) -> Finished:
        """Return the result of a command, also if it fails."""
        if not is_reading(words):
            self.generations["references"] += 1
            self.generations["settings"] += words[0] not in ("fetch", "checkout", "reset")
        urls = self.contacted(resource, words)
        settings = proxies(resource) if proxy else []
        settings += settings_for(urls)
        self.variables = {"HOME": self.home(resource), **dict(variables_for(urls))}
        if identity and resource["identity"] is not None:
            words_of_ssh = " ".join(f'-o "{one}"' for one in SSH_OPTIONS)
            self.variables["GIT_SSH_COMMAND"] = (
                f"ssh -i {to_s(resource['identity'])} {words_of_ssh}"
            )
        if settings:
            self.variables["GIT_CONFIG_PARAMETERS"] = git_parameters(settings)
        trusted = identity and resource.is_true("trust_server_cert")
        options = ("-c", "http.sslVerify=false") if trusted else ()
        return self.attempt(
            ("git", *options, *map(without_credentials, words)),
            directory=self.directory(resource),
            user=None if self.is_own_user(resource) else resource["user"],
            umask=resource["umask"],
        )

    def contacted(self, resource: ManagedResource, words: tuple[str, ...]) -> list[Value]:
        """Return the URLs that a command may contact; that of the tracked remote is the last one."""
        if words[0] not in CONTACTS:
            return []
        found = []
        if words[0] != "clone":
            settings = self.settings(resource)
            found = [url for name, url in settings.items() if REMOTE_URL.fullmatch(name)]
        source = resource["source"]
        return [*found, *urls_in(source, resource["remote"])]

    def store_url(self, resource: ManagedResource, remote: str, url: Value) -> None:
        """Write the URL of a remote with the password that no command gets."""
        if not isinstance(url, str) or without_credentials(url) == url:
            return
        directory = self.directory(resource)
        inside = posixpath.join(directory, ".git")
        folder = inside if self.host.is_directory(inside) else directory
        path = posixpath.join(folder, "config")
        text = self.host.read(path).decode("utf-8", "surrogateescape")
        rewrite(self.host, path, with_url(text, remote, url).encode("utf-8", "surrogateescape"))
        self.generations["settings"] += 1

    def home(self, resource: ManagedResource) -> str:
        """Return the home directory of the user of the commands."""
        own = self.is_own_user(resource)
        account = self.host.user(self.host.effective_user() if own else to_s(resource["user"]))
        if account is None:
            raise ResourceFailure(f"can't find user for {to_s(resource['user'])}")
        home: str = account.home
        return home

    def settings(self, resource: ManagedResource) -> Mapping[str, str]:
        """Return the configuration of the repository; empty if it cannot be read."""
        return self.cached(resource, "settings", self.read_settings)

    def cached(
        self, resource: ManagedResource, kind: str, read: Callable[[ManagedResource], Found]
    ) -> Found:
        """Return what was read of a repository, read again if it may have changed since."""
        age = (self.generations[kind], self.run.changes)
        key = (kind, resource.name, self.directory(resource))
        known_age, found = self.reads.get(key, (None, None))
        if known_age != age or found is None:
            found = read(resource)
            self.reads[key] = (age, found)
        result: Found = found
        return result

    def read_settings(self, resource: ManagedResource) -> Mapping[str, str]:
        """Read the configuration of the repository."""
        done = self.ran(resource, "config", "--list", "-z")
        if done.code != 0:
            return {}
        lines = (one.partition("\n") for one in done.output.split("\0") if one)
        return {name: value for name, _, value in lines}

    def version(self) -> tuple[int, int]:
        """Return the version of Git."""
        if self.known_version is None:
            found = VERSION.search(self.execute("git", "--version").output)
            self.known_version = (0, 0) if found is None else (int(found[1]), int(found[2]))
        return self.known_version


def is_reading(words: tuple[str, ...]) -> bool:
    """Return whether a command leaves a repository as it is.

    >>> is_reading(("config", "--list", "-z")), is_reading(("config", "a.b", "c"))
    (True, False)
    """
    if words[0] == "config":
        return not {"--list", "--get", "--get-all"}.isdisjoint(words)
    return words[0] in {"show-ref", "status", "rev-parse", "rev-list"}


def urls_in(source: Value, remote: str) -> list[Value]:
    """Return the URLs of a source; that of a remote is the last one."""
    if not isinstance(source, dict):
        return [source]
    return [source[name] for name in sorted(source, key=lambda name: (name == remote, to_s(name)))]


def proxies(resource: ManagedResource) -> list[tuple[str, str]]:
    """Return the settings for the proxies of a resource."""
    proxy = resource["http_proxy"]
    if isinstance(proxy, dict):
        return [(f"remote.{remote}.proxy", to_s(url)) for remote, url in proxy.items()]
    return [] if proxy is None else [("http.proxy", to_s(proxy))]


def git_parameters(settings: Iterable[tuple[str, str]]) -> str:
    """Return settings as Git passes them to the programs that it runs.

    Only Git 2.31 and later understand the form for names with an equals sign.

    >>> git_parameters([("http.proxy", "http://it's"), ("url.http://a?b=c.insteadof", "d")])
    "'http.proxy=http://it'\\\\''s' 'url.http://a?b=c.insteadof'='d'"
    """
    return " ".join(
        f"{quoted(name)}={quoted(value)}" if "=" in name else quoted(f"{name}={value}")
        for name, value in settings
    )


def quoted(text: str) -> str:
    """Return a text in single quotes, as for a shell."""
    text = text.replace("'", "'\\''")
    return f"'{text}'"
