"""The resource type ``yumrepo``."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from bunraku.providers.attributes import (
    ABSENT,
    Ensure,
    Parameter,
    Property,
    SecretProperty,
)
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.parsed_file import present_if_managed
from bunraku.providers.provider import State
from bunraku.providers.reading import refused_by_check, uri_problem
from bunraku.providers.resource_type import ResourceType
from bunraku.types.ruby_semantics.values import to_s
from bunraku.world.host import Host

SCHEMES = ("file", "http", "https", "ftp")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
BOOLEAN = r"^(true|false|0|1|no|yes)$"
NUMBER = r"^\d+$"
VERSION = re.compile(r'^VERSION_ID="?(\d+)', re.MULTILINE)
FIRST_WITH_EMPTY_PROXY = 8
"""The release of the system from which on an empty proxy means none."""


# -- values ------------------------------------------------------------------------------------------


def check_url(name: str, text: Any) -> None:
    """Raise InvalidValue for a value that is not the address of a file or of a server."""
    if problem := uri_problem(text):
        raise refused_by_check(name, problem)
    scheme = SCHEME.match(text)
    if scheme is None or scheme[1].lower() not in SCHEMES:
        raise refused_by_check(name, "Must be a valid URL")


def read_url(name: str, value: Any) -> str:
    """Return an address, or ``absent``."""
    if value != ABSENT:
        check_url(name, value)
    return to_s(value)


def read_urls(name: str, value: Any) -> str:
    """Return addresses with spaces between them, or ``absent``."""
    text = to_s(value)
    if text not in (ABSENT, ""):
        for one in re.split(r"\s+", text):
            check_url(name, one)
    return text


def read_boolean(value: Any) -> str:
    """Return the word with a capital, as yum's own files have it."""
    return value if value == ABSENT else to_s(value).capitalize()


def read_proxy(value: Any, resource: ManagedResource) -> str:
    """Return an address, ``absent``, or the word for no proxy that this system uses."""
    text = to_s(value)
    if text in ("", "_none_"):
        if release(resource.run.host) >= FIRST_WITH_EMPTY_PROXY:
            return ""
        if text == "_none_":
            return text
    return read_url("proxy", value)


def release(host: Host) -> int:
    """Return the major number of the system's release, 0 if it has none."""
    path = "/etc/os-release"
    found = (
        VERSION.search(host.read(path).decode("utf-8", "replace")) if host.is_file(path) else None
    )
    return 0 if found is None else int(found[1])


def switch(name: str, about: str) -> Property:
    """Return a property that is true or false."""
    return Property(name, words=(ABSENT,), pattern=BOOLEAN, read=read_boolean, about=about)


def address(name: str, about: str, *, many: bool = False) -> Property:
    """Return a property that is an address or, with ``many``, several with spaces between them."""
    return Property(name, read=partial(read_urls if many else read_url, name), about=about)


def setting(name: str, about: str, pattern: str = ".*") -> Property:
    """Return a property whose values match a pattern."""
    return Property(name, words=(ABSENT,), pattern=pattern, about=about)


class YumRepository(ResourceType):
    """Repositories of packages for yum and dnf. Properties that are ``absent`` are removed from the file.

    Repositories are read from ``/etc/yum.conf``, ``/etc/yum.repos.d`` and ``/etc/yum/repos.d``, or
    from the directories that ``reposdir`` in ``/etc/yum.conf`` names.
    """

    name = "yumrepo"
    providers = ("inifile",)
    attributes = (
        Ensure(default=present_if_managed, about="Whether the repository exists."),
        setting("descr", "A description; the setting `name` of yum."),
        address("mirrorlist", "The URL of the list of mirrors."),
        address("baseurl", "The URLs of the repository, separated by spaces.", many=True),
        switch("enabled", "Whether the repository is used."),
        switch("gpgcheck", "Whether the signatures of packages are checked."),
        switch("payload_gpgcheck", "Whether the signatures of package contents are checked."),
        switch("repo_gpgcheck", "Whether the signature of the metadata is checked."),
        address("gpgkey", "The URLs of the public keys, separated by spaces.", many=True),
        setting(
            "mirrorlist_expire",
            "The seconds after which the list of mirrors is read again.",
            "^[0-9]+$",
        ),
        address("include", "The URL of a file with more settings."),
        setting(
            "exclude", "The packages that are not used: names or patterns, separated by spaces."
        ),
        address("gpgcakey", "The URL of the key of the certificate authority."),
        setting(
            "includepkgs",
            "The only packages that are used: names or patterns, separated by spaces.",
        ),
        switch("enablegroups", "Whether groups of packages can be installed."),
        switch("module_hotfixes", "Whether the packages are available to all modules of dnf."),
        setting(
            "failovermethod",
            "The order of the URLs: `roundrobin` or `priority`.",
            "^roundrobin|priority$",
        ),
        switch("keepalive", "Whether connections are used for several requests."),
        setting("retries", "The number of attempts to read a file; 0 for no limit.", "^[0-9]+$"),
        setting("http_caching", "The files that proxies may cache.", "^(packages|all|none)$"),
        setting("timeout", "The seconds to wait for a connection.", NUMBER),
        setting(
            "metadata_expire",
            "The time after which metadata is read again: seconds, a number with `d`, `h` or `m`, or `never`.",
            "^([0-9]+[dhm]?|never)$",
        ),
        switch(
            "protect",
            "Whether other repositories cannot replace its packages (plugin protectbase).",
        ),
        setting("priority", "The priority among repositories (plugin priorities).", r"^-?\d+$"),
        setting("minrate", "The bytes per second below which a download is ended.", NUMBER),
        setting(
            "throttle",
            "The largest rate of downloads: bytes per second, with `k`, `M` or `G`, or a percentage of `bandwidth`.",
            r"^\d+[kMG%]?$",
        ),
        setting(
            "bandwidth",
            "The available bandwidth in bytes per second, with `k`, `M` or `G`.",
            r"^\d+[kMG]?$",
        ),
        setting("cost", "The cost of the repository in comparison with others.", NUMBER),
        Property(
            "proxy",
            read_for=read_proxy,
            about="The URL of a proxy server, or `_none_` for no proxy.",
        ),
        setting("proxy_username", "The user name for the proxy."),
        SecretProperty(
            "proxy_password",
            words=(ABSENT,),
            pattern=".*",
            about="The password for the proxy. It is never shown.",
        ),
        switch("s3_enabled", "Whether the repository is in Amazon S3."),
        setting("sslcacert", "The directory or file with the certificates of authorities."),
        switch("sslverify", "Whether the certificates of servers are checked."),
        setting("sslclientcert", "The file with the client's certificate."),
        setting("sslclientkey", "The file with the client's key."),
        address("metalink", "The URL of the metalink file with the mirrors."),
        switch("skip_if_unavailable", "Whether yum goes on if the repository cannot be reached."),
        switch("assumeyes", "Whether questions are answered with yes."),
        setting(
            "deltarpm_percentage", "The largest size of a delta, in percent of the package.", NUMBER
        ),
        setting(
            "deltarpm_metadata_percentage",
            "The largest size of the metadata of deltas, in percent of the package.",
            NUMBER,
        ),
        setting("username", "The user name for the repository."),
        SecretProperty(
            "password",
            words=(ABSENT,),
            pattern=".*",
            about="The password for the repository. It is never shown.",
        ),
        Parameter("name", about="The identifier of the repository, the name of its section."),
        Parameter(
            "target",
            read=to_s,
            default=ABSENT,
            about="The file of the repository, in one of the directories of repositories. "
            "Default: `NAME.repo` in the last of these directories.",
        ),
        Parameter("provider"),
    )

    def purged_values(self, state: State) -> dict[str, Any]:
        """Return nothing: a repository is found by its name."""
        return {}


resource_type = YumRepository
