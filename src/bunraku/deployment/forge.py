"""A Forge of modules (API version 3), with a cache on disk.

The cache has a directory for each Forge:

| directory | content | asked again |
|---|---|---|
| ``index`` | all releases of a module | once in a run, with the ETag |
| ``newest`` | the release that the Forge calls the current one | once in a run, with the ETag |
| ``releases`` | one release each | never, because a release does not change |
| ``archives`` | archives whose digest was verified | never |
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import quote

from bunraku.base.errors import Diagnostic
from bunraku.base.file_reading import open_regular, read_whole
from bunraku.base.records import record
from bunraku.deployment import issues
from bunraku.deployment.credentials import public_address
from bunraku.deployment.forge_connection import (
    ForgeConnection,
    blocks_of,
    document_of,
    is_header,
)
from bunraku.deployment.once import Once
from bunraku.deployment.releases import (
    Release,
    UnusableRelease,
    as_document,
    checked_version,
    mapping,
    newest_first,
    release_of,
    slug_of,
    text_in,
)
from bunraku.formats.failure import FormatError
from bunraku.web.client import Answer
from bunraku.world.whole_files import KEY_MODE, Content, make_folders, write_whole

SCHEMA = 1
"""The number of the format of cached files; others are not read."""
PRIVATE = 0o700
"""The mode of directories of the cache."""
LARGEST_DOCUMENT = 64 << 20
LARGEST_ARCHIVE = 1 << 30
MOST_PAGES = 1000
UNUSED = "readme,changelog,license,reference,tags"
"""Fields of a release that the Forge leaves out of an index."""
JSON_HEADERS = {"Accept": "application/json", "Accept-Encoding": "gzip"}


@record(frozen=True)
class Page:
    """A page of the index of a module: its address, its ETag, the address of the next page."""

    address: str
    etag: str
    following: str
    releases: tuple[Release, ...]


class EndsEarly(Exception):
    """The answer with an archive ends early; the cause is the OSError."""


def no_warning(_warning: Diagnostic) -> None:
    """Drop a warning."""


class Forge:
    """A Forge. ``cache`` is a directory that several Forges and processes can share.

    An object is for one run: it asks for each module at most once. Several threads can use it.
    ``offline`` uses the cache alone. ``warn`` gets a warning for each release that cannot be used.
    """

    def __init__(
        self,
        connection: ForgeConnection,
        *,
        cache: str,
        offline: bool = False,
        warn: Callable[[Diagnostic], None] = no_warning,
    ) -> None:
        self.connection = connection
        self.url = connection.url
        self.cache = os.path.join(cache, directory_name(self.url))
        self.offline = offline
        self.warn = warn
        self.indexes: Once[tuple[Release, ...]] = Once()
        self.current: Once[Release] = Once()
        self.single: Once[Release] = Once()
        self.archives: Once[str] = Once()

    def close(self) -> None:
        """Close the connections to the Forge, at the end of a run."""
        self.connection.close()

    # -- questions -----------------------------------------------------------------------------------

    def releases(self, slug: str) -> tuple[Release, ...]:
        """Return all releases of a module that are not deleted, the highest version first.

        A module that does not exist has none.
        """
        slug = slug_of(slug)
        return self.indexes.get(slug, lambda: self.find_releases(slug))

    def newest(self, slug: str) -> Release:
        """Return the release that r10k installs for ``latest``, or where no version is declared.

        It is the one that the Forge calls current: the highest stable version, or the highest
        pre-release if no release is stable. Deleted releases do not count.
        """
        slug = slug_of(slug)
        return self.current.get(slug, lambda: self.find_newest(slug))

    def release(self, slug: str, version: str) -> Release:
        """Return one release, also a deleted one, whose field ``deleted`` is not empty."""
        slug, version = slug_of(slug), checked_version(version)
        name = f"{slug}-{version}"
        return self.single.get(name, lambda: self.find_release(slug, version))

    def archive(self, release: Release) -> str:
        """Return the path of the archive of a release, downloaded and verified if it is not cached."""
        kind, digest = self.digest_of(release)
        path = self.path("archives", f"{release.name}.{digest[:16]}.tar.gz")
        return self.archives.get(path, lambda: self.find_archive(release, kind, digest, path))

    # -- the index of a module -------------------------------------------------------------------------

    def find_releases(self, slug: str) -> tuple[Release, ...]:
        """Return the releases of a module from the Forge, or offline from the cache."""
        cached = self.cached_pages(slug)
        if self.offline:
            if cached is None:
                raise issues.FORGE_OFFLINE(what=f"The index of {slug}")
            pages = list(cached.values())
        else:
            pages = self.asked_pages(slug, cached or {})
            if cached is None or pages != list(cached.values()):
                self.write("index", slug, {"pages": [page_document(page) for page in pages]})
        releases = {one.version: one for page in pages for one in page.releases}
        return tuple(newest_first(one for one in releases.values() if not one.deleted))

    def asked_pages(self, slug: str, cached: dict[str, Page]) -> list[Page]:
        """Return all pages of the index of a module; those that did not change come from the cache."""
        pages: list[Page] = []
        place = f"/v3/releases?module={slug}&sort_by=version&limit=100&exclude_fields={UNUSED}"
        seen: set[str] = set()
        while place:
            if place in seen or len(pages) == MOST_PAGES:
                raise self.bad_answer(place, "its pages do not end")
            seen.add(place)
            pages.append(self.asked_page(slug, place, cached.get(place)))
            place = pages[-1].following
        return pages

    def asked_page(self, slug: str, place: str, cached: Page | None) -> Page:
        """Return a page of an index from the Forge; the cached one if it did not change."""

        def receive(answer: Answer) -> Page:
            if answer.status == 304 and cached is not None:
                return cached
            if answer.status == 404:
                return Page(place, "", "", ())
            document = self.document(place, answer)
            with self.usable(place):
                return self.page_of(slug, place, answer.headers.get("etag", ""), document)

        return self.connection.fetch(place, receive, conditional(cached.etag if cached else ""))

    def page_of(self, slug: str, place: str, etag: str, document: Any) -> Page:
        """Return the page that a document describes; raise UnusableRelease."""
        about = mapping(document, "the answer")
        results = about.get("results")
        if not isinstance(results, list):
            raise UnusableRelease("results is not an array")
        following = text_in(mapping(about.get("pagination") or {}, "pagination"), "next")
        releases = []
        for number, result in enumerate(results):
            try:
                release = release_of(result)
            except UnusableRelease as error:
                reason = f"release {number + 1} of {slug} is left out: {error}"
                url = public_address(self.connection.address(place))
                self.warn(
                    issues.FORGE_BAD_ANSWER(url=url, reason=reason)
                    .having(severity="warning")
                    .diagnostic
                )
            else:
                if release.slug == slug:
                    releases.append(release)
        return Page(place, etag, following, tuple(releases))

    def cached_pages(self, slug: str) -> dict[str, Page] | None:
        """Return the pages of an index in the cache by their addresses; None without them."""
        document = self.read("index", slug)
        try:
            pages = [page_in(one) for one in document["pages"]]
        except (KeyError, TypeError, UnusableRelease):
            return None
        return {page.address: page for page in pages}

    # -- one release ---------------------------------------------------------------------------------

    def find_newest(self, slug: str) -> Release:
        """Return the current release of a module from the Forge, or offline from the cache."""
        cached, etag = self.cached_newest(slug)
        if self.offline:
            if cached is None:
                raise issues.FORGE_OFFLINE(what=f"The latest version of {slug}")
            return cached
        place = f"/v3/modules/{slug}"

        def receive(answer: Answer) -> Release:
            if answer.status == 304 and cached is not None:
                return cached
            if answer.status == 404:
                raise issues.FORGE_NO_MODULE(slug=slug, url=self.url)
            document = self.document(place, answer)
            with self.usable(place):
                found = self.current_of(slug, document)
            etag = answer.headers.get("etag", "")
            self.write("newest", slug, {"etag": etag, "release": as_document(found)})
            return found

        return self.connection.fetch(place, receive, conditional(etag))

    def current_of(self, slug: str, document: Any) -> Release:
        """Return the current release in the description of a module; raise UnusableRelease."""
        about = mapping(document, "the answer")
        current = about.get("current_release")
        if current is None:
            raise issues.FORGE_NOTHING_RELEASED(slug=slug, url=self.url)
        found = release_of(current, text_in(about, "deprecated_at"))
        if found.deleted:
            raise issues.FORGE_NOTHING_RELEASED(slug=slug, url=self.url)
        return found

    def cached_newest(self, slug: str) -> tuple[Release | None, str]:
        """Return the current release in the cache and its ETag."""
        document = self.read("newest", slug)
        try:
            return release_of(document["release"]), text_in(document, "etag")
        except (KeyError, TypeError, UnusableRelease):
            return None, ""

    def find_release(self, slug: str, version: str) -> Release:
        """Return a release from the cache, or from the Forge."""
        name = f"{slug}-{version}"
        cached = self.cached_release(slug, version)
        if cached is not None:
            return cached
        if self.offline:
            raise issues.FORGE_OFFLINE(what=f"The release {name}")
        place = f"/v3/releases/{quote(name)}"

        def receive(answer: Answer) -> Release:
            if answer.status == 404:
                raise issues.FORGE_NO_RELEASE(release=name, url=self.url)
            document = self.document(place, answer)
            with self.usable(place):
                return release_of(document)

        found = self.connection.fetch(place, receive, JSON_HEADERS)
        if found.name != name:
            raise self.bad_answer(place, f"it describes {found.name}")
        if not found.deleted:
            self.write("releases", name, {"release": as_document(found)})
        return found

    def cached_release(self, slug: str, version: str) -> Release | None:
        """Return a release in the cache: alone, in the index of its module, or as the newest one."""
        document = self.read("releases", f"{slug}-{version}")
        try:
            return release_of(document["release"])
        except (KeyError, TypeError, UnusableRelease):
            pages = self.cached_pages(slug) or {}
        newest, _etag = self.cached_newest(slug)
        known = [one for page in pages.values() for one in page.releases]
        known += [] if newest is None else [newest]
        return next((one for one in known if one.version == version and not one.deleted), None)

    # -- archives ------------------------------------------------------------------------------------

    def digest_of(self, release: Release) -> tuple[str, str]:
        """Return the kind and the value of the digest that verifies an archive."""
        if release.sha256:
            return "sha256", release.sha256
        if release.md5:
            return "md5", release.md5
        raise issues.FORGE_NO_DIGEST(release=release.name, url=self.url)

    def find_archive(self, release: Release, kind: str, digest: str, path: str) -> str:
        """Return the path of a verified archive; one that was damaged is downloaded again."""
        with self.cache_usable(path):
            if os.path.exists(path) and file_digest(path, kind) == digest:
                return path
        if self.offline:
            raise issues.FORGE_OFFLINE(what=f"The archive of {release.name}")
        place = release.file or f"/v3/files/{quote(release.name)}.tar.gz"

        def receive(answer: Answer) -> None:
            if answer.status == 404:
                raise issues.FORGE_NO_RELEASE(release=release.name, url=self.url)
            if answer.status != 200:
                raise self.connection.refused(place, answer)
            self.store(path, self.verified(release, kind, digest, answer))

        self.connection.fetch(place, receive)
        return path

    def verified(
        self, release: Release, kind: str, expected: str, answer: Answer
    ) -> Iterator[bytes]:
        """Yield the archive of a release in pieces; raise FORGE_WRONG_DIGEST at the end."""
        digest = hashlib.new(kind, usedforsecurity=False)
        try:
            for block in blocks_of(answer, LARGEST_ARCHIVE):
                digest.update(block)
                yield block
        except OSError as error:
            raise EndsEarly from error
        found = digest.hexdigest()
        if found != expected:
            raise issues.FORGE_WRONG_DIGEST(
                release=release.name, kind=kind, found=found, expected=expected, url=self.url
            )

    # -- answers and files ---------------------------------------------------------------------------

    def document(self, place: str, answer: Answer) -> Any:
        """Return the data of a successful answer."""
        if answer.status != 200:
            raise self.connection.refused(place, answer)
        try:
            return document_of(answer, LARGEST_DOCUMENT)
        except FormatError as error:
            raise self.bad_answer(place, f"it is not JSON ({error.problem})") from None

    def bad_answer(self, place: str, reason: str) -> Exception:
        """Return the error for an answer that cannot be used."""
        return issues.FORGE_BAD_ANSWER(
            url=public_address(self.connection.address(place)), reason=reason
        )

    @contextmanager
    def usable(self, place: str) -> Iterator[None]:
        """Raise FORGE_BAD_ANSWER for a document that cannot be used."""
        try:
            yield
        except UnusableRelease as error:
            raise self.bad_answer(place, str(error)) from None

    @contextmanager
    def cache_usable(self, path: str) -> Iterator[None]:
        """Raise FORGE_CACHE for a file of the cache that cannot be read or written."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise issues.FORGE_CACHE(path=path, reason=reason) from None

    def path(self, kind: str, name: str) -> str:
        """Return the path of a file of the cache."""
        return os.path.join(self.cache, kind, name)

    def read(self, kind: str, name: str) -> dict[str, Any]:
        """Return the data of a file of the cache; none if it is missing or cannot be used."""
        path = self.path(kind, f"{name}.json")
        content = b""
        with self.cache_usable(path), suppress(FileNotFoundError):
            content = read_whole(path)
        try:
            document = json.loads(content or "{}")
        except ValueError:
            return {}
        same = isinstance(document, dict) and document.get("schema") == SCHEMA
        return document if same else {}

    def write(self, kind: str, name: str, document: dict[str, Any]) -> None:
        """Write a file of the cache."""
        path = self.path(kind, f"{name}.json")
        text = json.dumps({"schema": SCHEMA, **document}, sort_keys=True)
        self.store(path, text.encode())

    def store(self, path: str, content: Content) -> None:
        """Write a private file of the cache as a whole; OSError if an answer ends early."""
        try:
            with self.cache_usable(path):
                make_folders(os.path.dirname(path), PRIVATE)
                write_whole(path, content, mode=KEY_MODE)
        except EndsEarly as error:
            raise error.__cause__ or error from None


def conditional(etag: str) -> dict[str, str]:
    """Return the headers that ask for a document, unless it still has an ETag."""
    return JSON_HEADERS | ({"If-None-Match": etag} if etag and is_header(etag) else {})


def directory_name(url: str) -> str:
    """Return the name of the directory of a Forge in the cache.

    >>> directory_name("https://forgeapi.puppet.com")
    'forgeapi.puppet.com-1214eb28d4ad'
    """
    host = url.partition("//")[2].partition("/")[0]
    readable = "".join(one if one.isalnum() or one in ".-" else "_" for one in host)
    return f"{readable}-{hashlib.sha256(url.rstrip('/').encode()).hexdigest()[:12]}"


def page_document(page: Page) -> dict[str, Any]:
    """Return a page as it is cached."""
    return {
        "address": page.address,
        "etag": page.etag,
        "following": page.following,
        "releases": [as_document(one) for one in page.releases],
    }


def page_in(document: Any) -> Page:
    """Return a cached page; raise UnusableRelease, KeyError or TypeError."""
    about = mapping(document, "a page")
    releases = tuple(release_of(one) for one in about["releases"])
    following = text_in(about, "following")
    return Page(text_in(about, "address"), text_in(about, "etag"), following, releases)


def file_digest(path: str, kind: str) -> str:
    """Return the digest of a file in hexadecimal digits. Raise OSError."""
    digest = hashlib.new(kind, usedforsecurity=False)
    with open_regular(path) as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()
