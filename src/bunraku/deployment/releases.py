"""Releases of modules, as the Forge describes them (API version 3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bunraku.base.errors import PuppetError
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.base.records import record
from bunraku.deployment import issues
from bunraku.values.version import SemVer

NAME = lazy_pattern(r"(\w+)[-/](\w+)\Z", re.ASCII)
"""The name of a module with its owner, in r10k's pattern."""
ANY_VERSION = ">= 0.0.0"
DIGEST = {"sha256": 64, "md5": 32}
"""Kinds of digests → the number of hexadecimal digits."""


class UnusableRelease(Exception):
    """A description of a release that lacks what is needed, or has it in another form."""


@record(frozen=True)
class Release:
    """A release of a module on the Forge.

    ``dependencies`` are slugs and ranges of versions. ``file`` is the address of the archive, which
    can be a path on the Forge. ``sha256`` and ``md5`` are its digests, empty without one. ``deleted``
    says when and why the release was withdrawn, ``deprecated`` since when the whole module is;
    both are empty otherwise.
    """

    slug: str
    version: str
    dependencies: tuple[tuple[str, str], ...] = ()
    file: str = ""
    size: int = 0
    sha256: str = ""
    md5: str = ""
    deleted: str = ""
    deprecated: str = ""

    @property
    def name(self) -> str:
        """The name of the release, such as ``acme-alpha-1.0.0``."""
        return f"{self.slug}-{self.version}"


def slug_of(name: str) -> str:
    """Return the slug of a module, ``owner-name``, from its name with a hyphen or a slash.

    >>> slug_of("puppetlabs/stdlib")
    'puppetlabs-stdlib'
    """
    match = NAME.match(name)
    if match is None:
        raise issues.FORGE_BAD_NAME(name=name)
    return f"{match[1]}-{match[2]}"


def checked_version(version: str) -> str:
    """Return an exact version; raise FORGE_BAD_VERSION for other text."""
    if not is_version(version):
        raise issues.FORGE_BAD_VERSION(version=version)
    return version


def is_version(text: str) -> bool:
    """Return whether a text is an exact version.

    >>> is_version("1.2.3-rc1"), is_version("1.x")
    (True, False)
    """
    try:
        SemVer.parse(text)
    except PuppetError:
        return False
    return not text.endswith("\n")


def release_of(document: Any, deprecated: str = "") -> Release:
    """Return the release that a document of the Forge describes; raise UnusableRelease.

    ``deprecated`` is the date in the description of the module, for documents without it.
    """
    about = mapping(document, "a release")
    metadata = mapping(about.get("metadata") or {}, "metadata")
    module = mapping(about.get("module") or {}, "module")
    version = text_in(about, "version") or text_in(metadata, "version")
    slug = text_in(module, "slug") or text_in(metadata, "name")
    if NAME.match(slug) is None or not is_version(version):
        raise UnusableRelease(f"'{slug}' '{version}' is not the name and the version of a release")
    size = about.get("file_size")
    deleted = (text_in(about, "deleted_at"), text_in(about, "deleted_for"))
    return Release(
        slug_of(slug),
        version,
        tuple(dependencies_of(metadata.get("dependencies") or ())),
        text_in(about, "file_uri"),
        size if isinstance(size, int) else 0,
        digest_in(about, "sha256"),
        digest_in(about, "md5"),
        ", ".join(part for part in deleted if part),
        text_in(module, "deprecated_at") or deprecated,
    )


def mapping(value: Any, what: str) -> Mapping[str, Any]:
    """Return a part of a document that must be an object; raise UnusableRelease."""
    if not isinstance(value, Mapping):
        raise UnusableRelease(f"{what} is not an object")
    return value


def text_in(document: Mapping[str, Any], key: str) -> str:
    """Return a text of a document, empty without one; raise UnusableRelease for another value."""
    value = document.get(key)
    if value is not None and not isinstance(value, str):
        raise UnusableRelease(f"{key} is not a text")
    return value or ""


def digest_in(document: Mapping[str, Any], kind: str) -> str:
    """Return a digest of the archive in small letters, empty without one; raise UnusableRelease."""
    digest = text_in(document, f"file_{kind}").strip().lower()
    if digest and re.fullmatch(rf"[0-9a-f]{{{DIGEST[kind]}}}", digest) is None:
        raise UnusableRelease(f"file_{kind} is not a digest")
    return digest


def dependencies_of(entries: Any) -> Iterable[tuple[str, str]]:
    """Yield the slug and the range of each dependency in metadata; raise UnusableRelease."""
    if not isinstance(entries, list | tuple):
        raise UnusableRelease("dependencies is not an array")
    for entry in entries:
        about = mapping(entry, "a dependency")
        name = text_in(about, "name")
        if NAME.match(name) is None:
            raise UnusableRelease(f"'{name}' is not the name of a module")
        yield slug_of(name), text_in(about, "version_requirement") or ANY_VERSION


def newest_first(releases: Iterable[Release]) -> list[Release]:
    """Return releases, the highest version first."""
    return sorted(releases, key=lambda one: SemVer.parse(one.version).order, reverse=True)


def as_document(release: Release) -> dict[str, Any]:
    """Return a release as the Forge describes it, without the parts that are not used."""
    return {
        "version": release.version,
        "metadata": {
            "dependencies": [
                {"name": slug, "version_requirement": versions}
                for slug, versions in release.dependencies
            ]
        },
        "module": {"slug": release.slug, "deprecated_at": release.deprecated or None},
        "file_uri": release.file,
        "file_size": release.size,
        "file_sha256": release.sha256,
        "file_md5": release.md5,
        "deleted_at": release.deleted or None,
    }
