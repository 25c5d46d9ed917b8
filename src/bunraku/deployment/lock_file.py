"""The lock file: which release or commit of each module was chosen for the declarations.

It is ``Puppetfile.lock`` beside the Puppetfile, and belongs in the repository. It is JSON with sorted
keys, one value a line and a number for its ``schema``: Python's standard library writes JSON but not
TOML, every tool reads it, and each change of a module is a few lines in ``git diff``. A file of
librarian-puppet with the same name has another format; it is recognised and never overwritten.

Addresses are written without credentials. Nothing in the file depends on the machine or the time.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence

from bunraku.base.file_reading import read_whole
from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Any
from bunraku.base.paths import inner_path
from bunraku.base.records import record, replace
from bunraku.deployment import issues
from bunraku.deployment.credentials import public_address
from bunraku.formats.failure import FormatError
from bunraku.formats.json import parse_json
from bunraku.formats.shape import FLAG, TEXT, Array, Choice, Fields, HashOf
from bunraku.project.declared_modules import (
    DeclaredModule,
    ForgeModule,
    GitModule,
    LocalModule,
    SubversionModule,
    TarballModule,
)
from bunraku.world.whole_files import write_whole

NAME = "Puppetfile.lock"
SCHEMA = 1
KINDS = ("forge", "git", "svn", "tarball")
CHOICES = {"forge": "version", "git": "commit", "svn": "commit"}
"""What a module of a kind is locked at."""
LIBRARIAN = lazy_pattern(r"\s*(?:FORGE|GIT|PATH|GITHUBTARBALL|DEPENDENCIES)\s*\n")
"""The first line of a lock file of librarian-puppet."""
CONFLICT = lazy_pattern(r"^(?:<{7}|>{7}) ", re.MULTILINE)
DIRECTORY_NAME = lazy_pattern(r"\w+\Z", re.ASCII)
"""The name of a module, which is that of its directory."""
FLOATING = frozenset({"", "latest"})


@record(frozen=True)
class LockedModule:
    """A module as it was chosen.

    ``name`` is that of its directory, ``slug`` has the owner, if it is known. ``directory`` is relative
    to the control repository, or absolute outside of it (:func:`directory_in`). ``forge`` is the URL of the Forge of a release. ``remote`` is the
    address of another source, ``ref`` what was declared of it, and ``commit`` what that was: a commit, or
    a revision of Subversion. ``digest`` is that of the archive or of the tree, after its kind:
    ``sha256:…``. ``dependencies`` are slugs and ranges. ``needed_by`` are the names of the modules that
    need it; a module that is not ``declared`` is there only for them.
    """

    name: str
    kind: str
    directory: str
    slug: str = ""
    version: str = ""
    forge: str = ""
    remote: str = ""
    ref: str = ""
    commit: str = ""
    subdirectory: str = ""
    digest: str = ""
    dependencies: tuple[tuple[str, str], ...] = ()
    needed_by: tuple[str, ...] = ()
    declared: bool = True


@record(frozen=True)
class LockFile:
    """A lock file: the digest of the declarations that it was made for, and the modules by directory."""

    declarations: str
    modules: tuple[LockedModule, ...] = ()


TEXTS = (
    *("name", "kind", "directory", "slug", "version", "forge", "remote", "ref", "commit"),
    *("subdirectory", "digest"),
)
MODULE = Fields(
    {
        **dict.fromkeys(TEXTS, TEXT),
        "declared": FLAG,
        "kind": Choice(KINDS),
        "dependencies": HashOf(TEXT),
        "needed_by": Array(TEXT),
    },
    required=("name", "kind", "directory"),
)
DOCUMENT = Fields(
    {"declarations": TEXT, "modules": Array(MODULE)}, required=("declarations", "modules")
)


# -- reading and writing -------------------------------------------------------------------------------


def read_lock_file(path: str) -> LockFile | None:
    """Return what a lock file says; None if there is none. Raise LOCK_FOREIGN or LOCK_DAMAGED."""
    try:
        content = read_whole(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise issues.LOCK_NOT_READ(path=path, reason=error.strerror or error) from None
    return read_lock_text(path, content.decode("utf-8", "surrogateescape"))


def read_lock_text(path: str, text: str) -> LockFile:
    """Return what the text of a lock file says. Raise LOCK_FOREIGN or LOCK_DAMAGED."""
    if LIBRARIAN.match(text):
        raise issues.LOCK_FOREIGN(path=path)
    if CONFLICT.search(text):
        raise issues.LOCK_DAMAGED(path=path, reason="it has the marks of a merge conflict")
    try:
        return lock_file_of(path, parse_json(text))
    except FormatError as error:
        raise issues.LOCK_DAMAGED(path=path, reason=error.problem) from None


def lock_file_of(path: str, document: Any) -> LockFile:
    """Return the lock file that a document is."""
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema != SCHEMA:
        raise issues.LOCK_SCHEMA(path=path, schema=json.dumps(schema), expected=SCHEMA)
    mismatch = DOCUMENT.mismatch(document)
    if mismatch is not None:
        raise issues.LOCK_DAMAGED(path=path, reason=mismatch)
    modules = tuple(map(locked_module_of, document["modules"]))
    for module in modules:
        reason = problem_of(module)
        if reason:
            raise issues.LOCK_DAMAGED(path=path, reason=ascii(reason)[1:-1])
    return LockFile(document["declarations"], modules)


def problem_of(module: LockedModule) -> str:
    """Return why a module cannot be used as it is locked; empty if it can."""
    if not has_own_directory(module):
        return f"'{module.directory}' is not a directory for the module '{module.name}'"
    key = CHOICES.get(module.kind, "")
    if key and not getattr(module, key):
        return f"the module '{module.name}' has no {key}"
    return ""


def has_own_directory(module: LockedModule) -> bool:
    """Return whether the directory of a module has its name and no steps upwards."""
    parts = module.directory.removeprefix("/").split("/")
    outside = {"", ".", ".."}.intersection(parts)
    return not outside and parts[-1] == module.name and bool(DIRECTORY_NAME.match(module.name))


def locked_module_of(document: dict[str, Any]) -> LockedModule:
    """Return the module that a document is."""
    texts = {key: document[key] or "" for key in TEXTS if key in document}
    return LockedModule(
        **texts,
        dependencies=tuple((document.get("dependencies") or {}).items()),
        needed_by=tuple(document.get("needed_by") or ()),
        declared=document.get("declared") is not False,
    )


def lock_file_text(lock: LockFile) -> str:
    """Return the text of a lock file; it is the same for the same modules in any order."""
    document = {
        "schema": SCHEMA,
        "declarations": lock.declarations,
        "modules": [
            module_document(module)
            for module in sorted(lock.modules, key=lambda one: (one.directory, one.name))
        ],
    }
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def public_module(module: LockedModule) -> LockedModule:
    """Return a module whose addresses have no credentials."""
    return replace(module, forge=public_address(module.forge), remote=public_address(module.remote))


def module_document(module: LockedModule) -> dict[str, Any]:
    """Return a module as it is written: without credentials and without what it does not have."""
    module = public_module(module)
    document: dict[str, Any] = {key: getattr(module, key) for key in TEXTS if getattr(module, key)}
    if module.dependencies:
        document["dependencies"] = dict(module.dependencies)
    if module.needed_by:
        document["needed_by"] = sorted(set(module.needed_by))
    if not module.declared:
        document["declared"] = False
    return document


def write_lock_file(path: str, lock: LockFile) -> bool:
    """Write a lock file as a whole if it differs; return whether it was written.

    Raise LOCK_FOREIGN instead of overwriting the file of another tool.
    """
    content = lock_file_text(lock).encode()
    try:
        before = read_whole(path)
    except OSError:
        before = b""
    if LIBRARIAN.match(before.decode("utf-8", "replace")):
        raise issues.LOCK_FOREIGN(path=path)
    if before == content:
        return False
    try:
        write_whole(path, content)
    except OSError as error:
        raise issues.LOCK_NOT_WRITTEN(path=path, reason=error.strerror or error) from None
    return True


# -- declarations --------------------------------------------------------------------------------------


def kind_of_source(module: DeclaredModule) -> str:
    """Return the kind of a declared module as the lock file names it; empty for a local one."""
    match module.source:
        case ForgeModule():
            return "forge"
        case GitModule():
            return "git"
        case SubversionModule():
            return "svn"
        case TarballModule():
            return "tarball"
        case LocalModule():
            return ""


def directory_in(directory: str, root: str) -> str:
    """Return a directory as the lock file names it: relative to the control repository at ``root``.

    >>> directory_in("/c/modules/a", "/c"), directory_in("/opt/modules/a", "/c")
    ('modules/a', '/opt/modules/a')
    """
    below = inner_path(directory, root)
    return os.path.normpath(directory) if below.startswith("..") else below


def declaration(module: DeclaredModule, root: str) -> dict[str, Any]:
    """Return what a declaration says: not its place, and without credentials."""
    found: dict[str, Any] = {
        "title": module.title.replace("/", "-"),
        "kind": kind_of_source(module),
        "directory": directory_in(module.directory, root),
        "exclude_spec": module.exclude_spec,
    }
    match module.source:
        case ForgeModule(version=version):
            return found | {"version": version}
        case GitModule() as git:
            override = {"override_branch": git.override_branch} if git.override_branch else {}
            return (
                found
                | override
                | {
                    "remote": public_address(git.remote),
                    "ref": git.ref,
                    "control_branch": git.control_branch,
                    "default_branch": git.default_branch,
                    "subdirectory": git.subdirectory,
                }
            )
        case SubversionModule() as svn:
            return found | {"remote": public_address(svn.url), "ref": svn.revision}
        case TarballModule() as tarball:
            return found | {"remote": public_address(tarball.source), "ref": tarball.sha256}
        case LocalModule():
            return found


def declarations_digest(modules: Iterable[DeclaredModule], root: str) -> str:
    """Return the digest of declarations; lines, comments, order and credentials do not count.

    ``root`` is the absolute path of the control repository.
    """
    texts = sorted(json.dumps(declaration(one, root), sort_keys=True) for one in modules)
    return "sha256:" + hashlib.sha256("\n".join(texts).encode("utf-8", "surrogatepass")).hexdigest()


def differences(lock: LockFile, declared: Sequence[DeclaredModule], root: str) -> list[str]:
    """Return in sentences how the declarations differ from those that a lock file was made for.

    The digest does not stand for the modules: a lock file that was edited or merged has an old one.
    """
    found = [*module_differences(lock, declared, root)]
    if found or lock.declarations == declarations_digest(declared, root):
        return found
    return ["The declarations of modules changed after the lock file was written"]


def module_differences(
    lock: LockFile, declared: Sequence[DeclaredModule], root: str
) -> Iterator[str]:
    """Yield how modules differ from those that are locked."""
    locked = {one.directory: public_module(one) for one in lock.modules}
    wanted = [one for one in declared if kind_of_source(one)]
    directories = {directory_in(one.directory, root) for one in wanted}
    for module in wanted:
        directory = directory_in(module.directory, root)
        other = locked.get(directory)
        if other is None or not other.declared:
            yield f"{module.title} is declared ({declared_at(module)}), but not locked"
        else:
            yield from source_differences(module, other, root)
    for one in lock.modules:
        if one.declared and one.directory not in directories:
            yield f"{one.slug or one.name} is locked, but no longer declared"


def source_differences(module: DeclaredModule, locked: LockedModule, root: str) -> Iterator[str]:
    """Yield how the source of a module differs from the locked one."""
    known = declaration(module, root)
    title, place = module.title, declared_at(module)
    if known["kind"] != locked.kind:
        yield f"{title} is declared as {known['kind']} ({place}), but locked as {locked.kind}"
        return
    if locked.kind == "forge":
        if locked.slug and "-" in known["title"] and known["title"] != locked.slug:
            yield f"{title} is declared ({place}), but {locked.slug} is locked"
        elif known["version"] not in FLOATING | {locked.version}:
            yield (
                f"{title} is declared as {known['version']} ({place}), but locked at {locked.version}"
            )
        return
    for key in ("remote", "ref", "subdirectory"):
        was, now = getattr(locked, key), known.get(key, "")
        if was != now and not (key == "ref" and known.get("control_branch")):
            yield (
                f"{title} is declared with the {key} {now or 'of the default'} ({place}), "
                f"but locked with {was or 'that of the default'}"
            )


def declared_at(module: DeclaredModule) -> str:
    """Return the file and the line of a declaration."""
    return f"{os.path.basename(module.path)}:{module.line}"
