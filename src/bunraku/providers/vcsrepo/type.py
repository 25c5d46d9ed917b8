"""The resource type ``vcsrepo``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.attributes import (
    ABSENT,
    Ensure,
    Parameter,
    Property,
    SecretParameter,
)
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import boolean, check_text, ruby_integer, switch, url
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.vcsrepo.repository import Repositories
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
STATES = ("present", "bare", "mirror", "absent", "latest")
NEEDS = {"bare": "bare_repositories", "mirror": "bare_repositories", "latest": "reference_tracking"}
"""Word of ``ensure`` → the feature that a provider needs for it."""
UMASK = re.compile(r"0?[0-7]{1,4}")
PROXY = re.compile(r"^https?://\S+$", re.MULTILINE)
MOST_COMPRESSION = 6


def repositories_of(resource: ManagedResource) -> Repositories:
    """Return the provider of a resource."""
    assert isinstance(resource.provider, Repositories)
    return resource.provider


class RepositoryEnsure(Ensure):
    """Whether the repository exists, and in which form."""

    def feature_of(self, value: Value) -> str | None:
        """Return the feature that a provider needs for a form."""
        return NEEDS.get(value)

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the form of the repository, ``latest`` only if that is wanted."""
        provider = repositories_of(resource)
        if provider.has_working_copy(resource):
            wanted = resource["ensure"] == "latest"
            return "latest" if wanted and provider.is_latest(resource) else "present"
        return provider.bare_form(resource) or ABSENT

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the form is the wanted one; ``present`` accepts every form."""
        wanted = resource["ensure"]
        return bool(current != ABSENT if wanted == "present" else current == wanted)

    def change(self, resource: ManagedResource, wanted: Value) -> None:
        """Bring the repository to a form."""
        repositories_of(resource).reach(resource, wanted)


class RepositorySource(Property):
    """Where the repository comes from; a slash at the end makes no difference."""

    def retrieve(self, resource: ManagedResource) -> Value:
        """Return the source; its passwords are hidden."""
        return url(super().retrieve(resource), resource)

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the source is the wanted one."""
        wanted = resource["source"]
        if isinstance(current, str) and isinstance(wanted, str):
            longer, shorter = (wanted, current) if wanted.endswith("/") else (current, wanted)
            return current == wanted or longer == f"{shorter}/"
        return bool(current == wanted)


class Includes(Property):
    """The paths that the working copy has, in any order."""

    def in_sync(self, resource: ManagedResource, current: Value) -> bool:
        """Return whether the paths are the wanted ones."""
        wanted = sorted(map(to_s, resource["includes"]))
        return isinstance(current, list) and sorted(map(to_s, current)) == wanted


def read_path(value: Value) -> Value:
    """Return the path of the repository."""
    if not isinstance(value, str) or not value.startswith("/"):
        raise InvalidValue(f"Path must be absolute: {to_s(value)}")
    return value


def read_include(value: Value) -> Value:
    """Return a path in the repository."""
    check_text("includes", value, "start_with?")
    if value.startswith("/"):
        raise InvalidValue(f"Include path '{value}' starts with a '/'; remove it")
    return value


def read_compression(value: Value) -> Value:
    """Return the level of compression."""
    if not 0 <= ruby_integer(value) <= MOST_COMPRESSION:
        raise InvalidValue(f"Unsupported compression level: {to_s(value)} (expected 0-6)")
    return value


def read_umask(value: Value) -> int:
    """Return a umask."""
    if not isinstance(value, str) or UMASK.fullmatch(value) is None:
        raise InvalidValue(f"The umask specification is invalid: {inspect(value)}")
    return int(value, 8)


def read_proxy(value: Value, resource: ManagedResource) -> Value:
    """Return the URL of a proxy, or those of several remotes."""
    resource.hide_passwords(value)
    if isinstance(value, dict):
        for name, one in value.items():
            if PROXY.search(to_s(one)) is None:
                text = f"HTTP Proxy for {to_s(name)} must be an HTTP/HTTPS URL: {to_s(one)}"
                raise InvalidValue(text)
    elif PROXY.search(to_s(value)) is None:
        raise InvalidValue(f"HTTP Proxy must be an HTTP/HTTPS URL: {to_s(value)}")
    return value


class Vcsrepo(ResourceType):
    """Copies of repositories of Git, Subversion and Mercurial. An installed Puppet manages others.

    A resource must name its `provider`, such as `git`: without one, it fails, as with the module.

    A new copy is made in a temporary directory beside the path, which then gets its name: a run
    that is killed leaves no part of a repository. Passwords are never in an argument list.
    """

    name = "vcsrepo"
    module = "puppetlabs-vcsrepo 7.0"
    namevar = "path"
    providers = ("dummy", "git", "hg", "svn")
    other_providers = ("bzr", "cvs", "p4")
    attributes = (
        RepositoryEnsure(
            STATES,
            about="Whether the repository exists: with files, `bare`, as a `mirror`, or at the `latest` revision.",
        ),
        RepositorySource(
            "source",
            read_for=url,
            about="The URL of the repository, or a hash from names of remotes to URLs. Without it, an empty repository is made.",
        ),
        Property("revision", pattern=r"^\S+$", about="The branch, tag or commit."),
        Includes(
            "includes",
            read=read_include,
            many=True,
            feature="include_paths",
            about="The paths to check out; all of them by default.",
        ),
        Property("module", feature="modules", about="The module to check out (CVS)."),
        Property(
            "skip_hooks",
            words=("true", "false"),
            feature="hooks_allowed",
            about="Whether the hooks of the repository are switched off.",
        ),
        Parameter("path", read=read_path, about="The directory of the repository."),
        Parameter("fstype", feature="filesystem_types", about="The type of a new repository."),
        Parameter("owner", about="The user that owns the files."),
        Parameter("group", about="The group that owns the files."),
        Parameter("user", about="The user that runs the commands."),
        Parameter("excludes", about="Paths that the repository ignores."),
        switch(
            "force",
            default=False,
            about="Whether other files at the path are removed. With `latest`, Git makes a new copy on every run.",
        ),
        Parameter(
            "compression",
            read=read_compression,
            feature="gzip_compression",
            about="The level of compression (CVS).",
        ),
        Parameter("basic_auth_username", feature="basic_auth", about="The user of the server."),
        SecretParameter(
            "basic_auth_password", feature="basic_auth", about="The password of that user."
        ),
        Parameter("identity", feature="ssh_identity", about="The file of an SSH key."),
        Parameter(
            "remote",
            default="origin",
            feature="multiple_remotes",
            about="The name of the remote repository that is tracked.",
        ),
        Parameter(
            "configuration", feature="configuration", about="The directory of the configuration."
        ),
        Parameter("cvs_rsh", feature="cvs_rsh", about="The remote shell (CVS)."),
        Parameter("depth", feature="depth", about="How many commits are copied, or the depth."),
        Parameter("branch", feature="branch", about="The branch to clone."),
        Parameter("p4config", feature="p4config", about="The configuration (Perforce)."),
        Parameter(
            "submodules",
            words=("true", "false"),
            default="true",
            feature="submodules",
            about="Whether submodules are updated.",
        ),
        Parameter("conflict", about="What is done about conflicts."),
        boolean("trust_server_cert", default=False, about="Whether every server is trusted."),
        boolean("keep_local_changes", default=False, about="Whether local changes are kept."),
        Parameter(
            "safe_directory",
            words=("true", "false"),
            default="false",
            feature="safe_directory",
            about="Whether Git trusts the repository. It does, as in the module, if `owner` is set and is not `user`.",
        ),
        Parameter("umask", read=read_umask, feature="umask", about="The umask of the commands."),
        Parameter(
            "http_proxy",
            read_for=read_proxy,
            feature="http_proxy",
            about="The URL of a proxy, or a hash from remotes to URLs.",
        ),
        Parameter(
            "tmpdir",
            feature="tmpdir",
            about="The directory of scripts that old versions of Git need.",
        ),
    )

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the packages of the programs."""
        for name in ("git", "git-core", "mercurial", "subversion"):
            yield "package", name


resource_type = Vcsrepo
