"""The resource type ``archive``."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import Any

from bunraku.providers.archive.ruby import Ruby
from bunraku.providers.attributes import (
    ABSENT,
    Ensure,
    Parameter,
    Property,
    ReadFor,
    SecretParameter,
)
from bunraku.providers.errors import InvalidValue
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.reading import boolean, switch, uri_problem, url
from bunraku.providers.resource_type import Reference, ResourceType
from bunraku.providers.ruby_classes import ruby_class
from bunraku.providers.secrets import without_password
from bunraku.types.ruby_semantics.values import inspect, to_s

Value = Any
CHECKSUM_TYPES = ("none", "md5", "sha1", "sha2", "sha256", "sha384", "sha512")
PROXY_TYPES = ("none", "ftp", "http", "https")
SOURCE = re.compile("puppet|http|https|ftp|file|s3|gs")
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
DIGEST = re.compile(r"\b[0-9a-f]{5,128}\b")
NO_CHECKSUM = "false"
"""The checksum that an empty value stands for; no file has it."""


def provider_of(resource: ManagedResource) -> Ruby:
    """Return the provider of a resource: all providers of the type are kinds of ``ruby``."""
    assert isinstance(resource.provider, Ruby)
    return resource.provider


class ArchiveEnsure(Ensure):
    """Whether the archive, or what it creates, exists with the wanted checksum."""

    def shown(self, resource: ManagedResource, value: Value) -> str:
        """Format the state: the checksum of a file that exists."""
        found = provider_of(resource).found_checksum(resource)
        return super().shown(resource, value) if found is None else self.marked(resource, found)

    def shown_wanted(self, resource: ManagedResource, value: Value) -> str:
        """Format the wanted state: the checksum for a file that exists."""
        provider = provider_of(resource)
        if provider.found_checksum(resource) is None:
            return super().shown(resource, value)
        return self.marked(resource, provider.known_checksum(resource))

    def marked(self, resource: ManagedResource, checksum: str | None) -> str:
        """Format a checksum with its type."""
        return f"({resource['checksum_type']}){checksum or ''}"

    def described(self, resource: ManagedResource, current: Value, wanted: Value) -> str:
        """Return the message of a download, a replacement or a removal."""
        path = resource["path"]
        if current not in (None, ABSENT):
            return f"remove archive: {path} "
        if provider_of(resource).found_checksum(resource) is not None:
            before, after = self.shown(resource, current), self.shown_wanted(resource, wanted)
            return f"replace archive: {path} from {before} to {after}"
        extract = resource.is_true("extract")
        extracted = f"and extracted in {to_s(resource['extract_path'])}" if extract else ""
        cleanup = "with cleanup" if resource.is_true("cleanup") else "without cleanup"
        source = without_password(to_s(resource["source"]))
        return f"download archive from {source} to {path} {extracted} {cleanup}"


class Creates(Property):
    """What the extraction creates; its state is the path itself if it exists."""

    def shown_wanted(self, resource: ManagedResource, value: Value) -> str:
        """Format the wanted path."""
        return f"extracting in {to_s(resource['extract_path'])} to create {to_s(value)}"


def is_absolute(value: Value) -> bool:
    """Return whether a value is an absolute path."""
    return isinstance(value, str) and value.startswith("/")


def read_path(value: Value) -> Value:
    """Return the path of the archive."""
    if not is_absolute(value):
        raise InvalidValue(f"archive path must be absolute: {to_s(value)}")
    return value


def read_extract_path(value: Value) -> Value:
    """Return the directory of the extraction."""
    if not is_absolute(value):
        raise InvalidValue(f"archive extract_path must be absolute: {to_s(value)}")
    return value


def read_temp_dir(value: Value) -> Value:
    """Return the directory of the download."""
    if not is_absolute(value):
        raise InvalidValue(f"Invalid temp_dir {to_s(value)}")
    return value


def url_reader(name: str) -> Any:
    """Return a reader of the place of a file; errors contain ``name``."""

    def read(value: Value) -> Value:
        known = isinstance(value, str) and SOURCE.search(value) is not None
        if not known and not is_absolute(value):
            raise InvalidValue(f"invalid {name} url: {without_password(to_s(value))}")
        return value

    return read


def alias_of(name: str) -> ReadFor:
    """Return a function that sets another attribute to the value, too."""

    def read(value: Value, resource: ManagedResource) -> Value:
        resource.values[name] = url(value, resource)
        return value

    return read


class Checksum(Parameter):
    """The checksum; a text without one counts as a checksum that no file has."""

    def accept(self, value: Value, resource: ManagedResource) -> Value:
        """Return the checksum; raise InvalidValue for other text."""
        text = to_s(value)
        if text not in ("true", "false", "undef", "") and DIGEST.search(text) is None:
            raise InvalidValue(
                f"Invalid value {inspect(value)}. Valid values are true, false, undef, , . "
                f"Valid values match /{DIGEST.pattern}/."
            )
        if not isinstance(value, str):
            kind = ruby_class(value)
            shown = f"{text}:{'TrueClass' if value is True else 'FalseClass' if value is False else kind}"
            raise InvalidValue(
                f"Munging failed for value {text} in class checksum: "
                f"undefined method `empty?' for {shown}"
            )
        return text or NO_CHECKSUM


def read_digest(value: Value) -> Value:
    """Return the checksum of the attribute ``digest_string``."""
    if DIGEST.search(to_s(value)) is None:
        text = f"Invalid value {inspect(value)}. Valid values match /{DIGEST.pattern}/."
        raise InvalidValue(text)
    return to_s(value)


def read_headers(value: Value) -> Value:
    """Return the headers of requests."""
    if not isinstance(value, list):
        raise InvalidValue(f"headers must be an array: {to_s(value)}")
    return [to_s(one) for one in value]


def read_options(value: Value) -> Value:
    """Return the options of the program that downloads."""
    if not isinstance(value, str | list):
        text = f"download_options should be String or Array: {to_s(value)}"
        raise InvalidValue(text)
    return [to_s(one) for one in (value if isinstance(value, list) else [value])]


class Archive(ResourceType):
    """Files that are downloaded, verified by a checksum and extracted.

    The download is written to a temporary file in the directory of `path`, which then gets the name
    of the archive: nothing is left of a download that fails or has a wrong checksum. Passwords,
    cookies and headers are never in an argument list. A redirect to another server gets no password, no
    cookie, and of the headers only harmless ones such as `Accept` and `User-Agent`, while the module's
    programs may send all of them; the option `--location-trusted` of curl trusts every server.
    """

    name = "archive"
    module = "puppet-archive 8.1"
    namevar = "path"
    providers = ("curl", "wget", "ruby")
    attributes = (
        ArchiveEnsure(
            default="present",
            about="Whether the archive exists. With `creates`, a path that exists stands for it.",
        ),
        Creates(
            "creates",
            about="A path that the extraction creates. If it exists, nothing is downloaded or extracted.",
        ),
        Parameter("path", read=read_path, about="The file to which the archive is downloaded."),
        Parameter("filename", about="The name of the file; it always follows from `path`."),
        boolean("extract", default=False, about="Whether the archive is extracted."),
        Parameter(
            "extract_path",
            read=read_extract_path,
            about="The directory in which the archive is extracted; it must exist.",
        ),
        Parameter(
            "target",
            read=read_extract_path,
            read_for=alias_of("extract_path"),
            about="Another name of `extract_path`.",
        ),
        Parameter(
            "extract_command",
            text=True,
            about="The command that extracts, with `%s` for the archive. Without `%s`, the flags and the archive follow the command.",
        ),
        Parameter(
            "temp_dir",
            read=read_temp_dir,
            about="A directory for the download, used if it is in the file system of `path`; it must exist.",
        ),
        Parameter(
            "extract_flags",
            about="Flags that replace the usual ones: text, or a hash from programs (`tar`, `zip`, `gunzip` …) to flags.",
        ),
        boolean("cleanup", default=True, about="Whether an extracted archive is removed."),
        Parameter(
            "source",
            read=url_reader("source"),
            read_for=url,
            about="Where the archive is: an absolute path, or a URL with `http`, `https`, `ftp`, `file`, `puppet`, `s3` or `gs`.",
        ),
        Parameter(
            "url",
            read=url_reader("source"),
            read_for=alias_of("source"),
            about="Another name of `source`.",
        ),
        SecretParameter("cookie", about="Cookies for the download."),
        Checksum("checksum", about="The checksum of the archive, of the type `checksum_type`."),
        Parameter(
            "digest_string",
            read=read_digest,
            read_for=alias_of("checksum"),
            about="Another name of `checksum`.",
        ),
        Parameter(
            "checksum_url",
            read=url_reader("checksum"),
            about="A file in which the checksum is; its first hexadecimal word of 32 to 128 digits counts.",
        ),
        Parameter(
            "digest_url",
            read=url_reader("digest"),
            read_for=alias_of("checksum_url"),
            about="Another name of `checksum_url`.",
        ),
        Parameter(
            "checksum_type",
            words=CHECKSUM_TYPES,
            default="none",
            about="The type of the checksum; `sha2` is `sha256`.",
        ),
        Parameter(
            "digest_type",
            words=CHECKSUM_TYPES,
            read_for=alias_of("checksum_type"),
            about="Another name of `checksum_type`.",
        ),
        boolean(
            "checksum_verify",
            default=True,
            about="Whether a download with another checksum is refused.",
        ),
        Parameter("username", about="The user of the server."),
        SecretParameter("password", about="The password of that user."),
        Parameter(
            "headers",
            read=read_headers,
            about="Headers of the request, as `Name: value`. Other servers that redirects name get harmless ones only.",
        ),
        Parameter("user", about="The user that extracts; the archive gets the mode 0644 before."),
        Parameter("group", about="The group that extracts; the archive gets the mode 0644 before."),
        Parameter(
            "proxy_type",
            words=PROXY_TYPES,
            about="The protocol that the proxy is for; the scheme of `proxy_server` by default.",
        ),
        Parameter("proxy_server", read_for=url, about="The URL of a proxy."),
        switch(
            "allow_insecure",
            default=False,
            about="Whether servers with an invalid certificate are trusted.",
        ),
        Parameter(
            "download_options",
            read=read_options,
            read_for=url,
            about="Arguments for the program that downloads: `curl`, `wget`, `aws` or `gsutil`.",
        ),
    )

    def check(self, resource: ManagedResource) -> None:
        """Find the type of the proxy."""
        if resource["proxy_server"] in (None, False):
            resource.values["proxy_type"] = "none"
        elif resource["proxy_type"] is None:
            resource.values["proxy_type"] = self.proxy_type(resource)

    def proxy_type(self, resource: ManagedResource) -> str:
        """Return the scheme of the proxy; raise InvalidValue if it has none of the known ones."""
        server = resource["proxy_server"]
        if not isinstance(server, str):
            raise InvalidValue("bad argument (expected URI object or URI string)")
        if problem := uri_problem(server):
            raise InvalidValue(problem)
        scheme = SCHEME.match(server)
        if scheme is None:
            raise InvalidValue("proxy_server has no scheme such as http; set proxy_type")
        if scheme[1] not in PROXY_TYPES:
            raise InvalidValue(
                f"Parameter proxy_type failed on {resource.reference}: Invalid value "
                f":{scheme[1]}. Valid values are {', '.join(PROXY_TYPES)}."
            )
        return scheme[1]

    def requires(self, resource: ManagedResource) -> Iterator[Reference]:
        """Yield the directories of the archive and of the extraction, and what downloads need."""
        yield "file", posixpath.dirname(resource["path"] or resource.name)
        if resource["extract_path"] is not None:
            yield "file", resource["extract_path"]
        yield "file", "/root/.aws/config"
        yield "file", "/root/.aws/credentials"
        yield "exec", "install_gsutil"


resource_type = Archive
