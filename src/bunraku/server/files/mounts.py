"""Mounts: the first name in the path of a file decides where it is searched for."""

from __future__ import annotations

import re
from collections.abc import Sequence

from bunraku.base.records import record
from bunraku.server.failures import Refused
from bunraku.server.files.environment import Served
from bunraku.server.files.names import CONTROL, MOUNT, RELATIVE, has_climbing
from bunraku.server.files.settings import Files
from bunraku.values.ruby_semantics.texts import inspect_text

OF_A_MODULE = {"modules": "files", "scripts": "scripts", "tasks": "tasks"}
"""Mounts of paths that begin with the name of a module → the directory of the module."""
MERGED = {"plugins": "lib", "pluginfacts": "facts.d", "locales": "locales"}
"""Mounts in which the directories of all modules lie above each other, the first module on top."""
BUILT_IN = frozenset(OF_A_MODULE) | frozenset(MERGED)
PATTERN = re.compile("%(.)", re.DOTALL)


@record(frozen=True)
class Key:
    """What a request asks for: a name in a mount of an environment, for a node.

    ``node`` is the name in the certificate of the client; without one, it is None. ``kind`` is
    Puppet's name for what is requested.
    """

    files: Files
    served: Served
    name: str
    node: str | None = None
    kind: str = "file_metadata"

    @property
    def mount(self) -> str:
        """The name of the mount."""
        return self.name.partition("/")[0]

    @property
    def path(self) -> str | None:
        """The path in the mount; None for the mount itself."""
        return self.name.partition("/")[2] or None


def find(key: Key) -> str | None:
    """Return the path of a file, None if it does not exist; Refused for unknown mounts."""
    mount = checked_mount(key, "find")
    if mount in MERGED:
        return in_merged(key, MERGED[mount])
    if mount in OF_A_MODULE:
        return in_module(key, OF_A_MODULE[mount])
    return in_custom(key, key.files.mounts()[mount])


def search(key: Key) -> Sequence[str] | None:
    """Return the directories that a listing merges, None if there is none; Refused as ``find``.

    As in Puppet, the merged mounts are always listed from their roots. The list is empty if no
    module has the directory.
    """
    mount = checked_mount(key, "search")
    if mount in MERGED:
        found = (f"{module}/{MERGED[mount]}" for module in key.served.modules.values())
        return [path for path in found if exists(key, path)]
    path = find(key)
    return None if path is None else [path]


def empty_roots(key: Key) -> Sequence[str]:
    """Return the directories that stand for a merged mount without a module that has files in it.

    A Puppet server makes the directory for code when it starts. Where that does not exist, the environment's own
    stands for it.
    """
    is_directory = key.files.host.is_directory
    found = [path for path in key.served.modulepath if is_directory(path)]
    if found:
        return found
    own = key.served.directory
    code = key.files.code_directory
    return [own] if own is not None and not is_directory(code) else [code]


def checked_mount(key: Key, action: str) -> str:
    """Return the name of an existing mount; Refused for any other."""
    mount = key.mount
    if MOUNT.fullmatch(mount) is None:
        raise Refused(500, f"Cannot find file: Invalid mount '{mount}'")
    if has_climbing(key.path or ""):
        raise Refused(500, f"Cannot find file: Invalid relative path '{key.path}'")
    if not is_mounted(key):
        given = f"{{:rest=>{inspect_text(key.name)}}}"
        asked = f"/{key.kind}/{key.name}"
        raise Refused(500, f"Not authorized to call {action} on {asked} with {given}")
    return mount


def is_mounted(key: Key) -> bool:
    """Return whether a name begins with an existing mount."""
    return key.mount in BUILT_IN or key.mount in key.files.mounts()


def depends_on_client(key: Key) -> bool:
    """Return whether the directory of a mount depends on the client's name."""
    return "%" in key.files.mounts().get(key.mount, "")


def in_module(key: Key, folder: str) -> str | None:
    """Return the path of a file of a module."""
    if key.path is None:
        what = "task" if folder == "tasks" else "module"
        raise Refused(500, f"No {what} specified")
    name, slash, relative = key.path.partition("/")
    module = key.served.modules.get(name)
    if module is None:
        return None
    path = f"{module}/{folder}{slash}{relative}"
    return path if exists(key, path) else None


def in_merged(key: Key, folder: str) -> str | None:
    """Return the path of a file in the first module that has it."""
    below = "" if key.path is None else f"/{key.path}"
    for module in key.served.modules.values():
        path = f"{module}/{folder}{below}"
        if exists(key, path):
            return path
    return None


def in_custom(key: Key, directory: str) -> str | None:
    """Return the path of a file in a mount of ``fileserver.conf``; it may be a dangling link."""
    root = expanded(directory, key.node)
    if key.path is None:
        return root
    path = f"{root}/{key.path}"
    return path if exists(key, path) or is_link(key, path) else None


def expanded(directory: str, node: str | None) -> str:
    """Return the directory of a mount for a node: ``%h`` is its host name, ``%d`` its domain.

    ``%H`` is the whole name. Refused if the name cannot be a part of a path.

    >>> expanded("/srv/%d/%h/%%", "web.example.com")
    '/srv/example.com/web/%'
    """
    if "%" not in directory:
        return directory
    if node is None or "/" in node or node in RELATIVE or CONTROL.search(node):
        raise Refused(403, "the path of this mount depends on the name in a certificate")
    host, _, domain = node.partition(".")
    names = {"h": host, "H": node, "d": domain or node, "%": "%"}
    return PATTERN.sub(lambda found: names.get(found[1], found[0]), directory)


def exists(key: Key, path: str) -> bool:
    """Return whether a path leads to a file that can be reached, links followed."""
    try:
        return key.files.host.status(path, follow=True) is not None
    except OSError:  # a link to itself, a directory without permission, a path that is too long
        return False


def is_link(key: Key, path: str) -> bool:
    """Return whether a path is a link, if only to nothing."""
    try:
        status = key.files.host.status(path)
    except OSError:
        return False
    return status is not None and status.kind == "link"
