"""The code of environments as compiles have first seen it, for ``environment_timeout``.

Puppet keeps what it has loaded of an environment until nothing has used it for that time, or until its
cache is flushed (Puppet 7.23, setting ``environment_timeout`` and ``Puppet::Environments::Cached``).
Each compile process has its own view, as each JRuby instance of puppetserver has. Code that no compile
has needed yet is read when it is needed, as it is then. Templates, files and data are not kept.
A deployment that switches the directory of an environment flushes that environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf
from time import monotonic
from typing import Any, TypeVar

from bunraku.base.bounded_cache import BoundedCache
from bunraku.base.records import field, record
from bunraku.deployment.live_trees import Identity
from bunraku.engine.request import DISK
from bunraku.modules.environment import (
    environment_directories,
    environment_setting,
    load_environment,
)
from bunraku.modules.files import MOST_TABLES, TABLES, FileTable
from bunraku.modules.names import ENVIRONMENT_NAME
from bunraku.modules.settings import duration, resolve, resolve_one
from bunraku.server.compiling.jobs import Job
from bunraku.server.compiling.trees import folders_of, tree_of
from bunraku.server.issues import INVALID_TIMEOUT
from bunraku.world.disk import Disk
from bunraku.world.file_signatures import Signature

Found = TypeVar("Found")
IN_MODULES = frozenset(
    ["manifests", "functions", "types", "lib", "plans", "tasks", "metadata.json", "Modulefile"]
)
"""The files and directories of a module that are code."""
IN_ENVIRONMENTS = ("environment.conf", "functions", "types", "lib", "plans")
UNLIMITED = "unlimited"
TIMEOUT = "environment_timeout"
HELD_TABLES: BoundedCache[tuple[Any, ...], FileTable] = BoundedCache(
    "tables of held files", MOST_TABLES
)
"""The listings of held directories; see ``shared_table`` of ``modules.files``."""


@record(slots=False)
class View:
    """What compiles have seen of an environment, for ``seconds`` after the last use of it.

    ``roots`` and the modules on ``modulepath`` are its code. ``answers`` has what the machine has
    answered, by question and path. ``tree`` is which tree it was then.
    """

    seconds: float
    roots: tuple[str, ...]
    modulepath: tuple[str, ...]
    used: float = 0.0
    tree: Identity = ()
    answers: dict[tuple[str, str], Any] = field(default_factory=dict)

    def holds(self, path: str) -> bool:
        """Return whether a path is code of the environment.

        >>> view = View(inf, ("/e/manifests",), ("/e/modules",))
        >>> view.holds("/e/manifests/site.pp"), view.holds("/e/modules/a/manifests/init.pp")
        (True, True)
        >>> view.holds("/e/modules/a/templates/a.epp"), view.holds("/e/data/common.yaml")
        (False, False)
        """
        if any(path == root or path.startswith(f"{root}/") for root in self.roots):
            return True
        for folder in self.modulepath:
            if path == folder:
                return True
            if path.startswith(f"{folder}/"):
                parts = path[len(folder) + 1 :].split("/", 2)
                return len(parts) == 1 or parts[1] in IN_MODULES
        return False


class HeldCode(Disk):
    """This machine, on which the code of environments with a timeout stays as it was first seen.

    ``clock`` returns the time in seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self.clock = clock
        self.tables = HELD_TABLES
        self.views: dict[str, View | None] = {}
        self.current: View | None = None
        self.flushes: Mapping[str, int] = {}
        self.settings: Mapping[str, Any] = {}
        self.folders: list[str] = []
        self.node = ""

    # -- views -----------------------------------------------------------------------------------

    def begin(self, job: Job) -> None:
        """Take the settings of a job; drop the views that are too old, or whose flush was ordered."""
        self.settings, self.node, self.current = job.settings, job.node, None
        self.folders = folders_of(job)
        now = self.clock()
        for name, view in list(self.views.items()):
            if view is None:
                del self.views[name]  # listings that are not held are refreshed by signatures
            elif now > view.used + view.seconds or view.tree != self.tree(name):
                self.drop(name)
        for name, count in job.environment_flushes.items():
            if self.flushes.get(name) != count:
                self.drop(name)
        self.flushes = dict(job.environment_flushes)

    def tree(self, name: str) -> Identity:
        """Return which tree an environment is now; none if it has no directory."""
        return tree_of(self.folders, name)

    def drop(self, name: str) -> None:
        """Forget what was seen of an environment, and the listings of its directories."""
        self.views.pop(name, None)
        paths = {f"{folder}/{name}" for folder in self.folders}
        for tables in (self.tables, TABLES):
            for key in [key for key in tables if key[-1] in paths]:
                del tables[key]

    def enter(self, name: str) -> View | None:
        """Return the view of an environment, which is the current one from now on.

        None for an environment without timeout, and for one that does not exist. PuppetError for a
        configuration that is wrong.
        """
        if name not in self.views:
            self.views[name] = self.view(name)
        view = self.current = self.views[name]
        if view is not None:
            view.used = self.clock()
        return view

    def view(self, name: str) -> View | None:
        """Return a view of an environment that has seen nothing."""
        tree = self.tree(name)
        if not tree or not self.is_held(name):
            return None
        values = resolve(self.settings, self.node)
        environment = load_environment(
            name,
            self.folders,
            DISK,
            base_modulepath=str(values["basemodulepath"]).split(":"),
            settings=values,
        )
        seconds = timeout_of(environment.name, environment.timeout or values[TIMEOUT])
        roots = [f"{environment.path}/{one}" for one in IN_ENVIRONMENTS]
        manifest = [environment.manifest] if environment.manifest else []
        return View(seconds, (*manifest, *roots), environment.modulepath, tree=tree)

    def is_held(self, name: str) -> bool:
        """Return whether an environment has a timeout. Most have none: nothing else of them is read for this."""
        own = environment_setting(environment_directories(self.folders, name), TIMEOUT, DISK)
        return timeout_of(name, own or resolve_one(TIMEOUT, self.settings, self.node)) > 0

    def view_of(self, path: str) -> View | None:
        """Return the view that has a path; a path in another environment makes that current."""
        for folder in self.folders:
            if path.startswith(f"{folder}/"):
                name = path[len(folder) + 1 :].partition("/")[0]
                if ENVIRONMENT_NAME.fullmatch(name):
                    self.enter(name)
        view = self.current
        return view if view is not None and view.holds(path) else None

    def answer(self, question: str, path: str, ask: Callable[[str], Found]) -> Found:
        """Return what was seen at a path; OSError if it could not be read then."""
        view = self.view_of(path)
        if view is None:
            return ask(path)
        key = (question, path)
        if key not in view.answers:
            try:
                view.answers[key] = ask(path)
            except OSError as error:
                view.answers[key] = Unreadable(error)
        found: Found | Unreadable = view.answers[key]
        if isinstance(found, Unreadable):
            raise found.error.with_traceback(None)
        return found

    # -- the machine -----------------------------------------------------------------------------

    def read(self, path: str) -> bytes:
        """See :class:`World`."""
        return self.answer("read", path, super().read)

    def is_file(self, path: str) -> bool:
        """See :class:`World`."""
        return self.answer("is_file", path, super().is_file)

    def is_directory(self, path: str) -> bool:
        """See :class:`World`."""
        return self.answer("is_directory", path, super().is_directory)

    def list_directory(self, path: str) -> list[str]:
        """See :class:`World`."""
        return list(self.answer("list_directory", path, super().list_directory))

    def signature(self, path: str) -> Signature | None:
        """See :class:`World`."""
        return self.answer("signature", path, super().signature)

    def forget(self) -> None:
        """Drop all views and contents."""
        super().forget()
        self.views.clear()
        self.current = None


@record(frozen=True)
class Unreadable:
    """A file or directory that could not be read."""

    error: OSError


def timeout_of(name: str, given: object) -> float:
    """Return the seconds for which an environment is kept; PuppetError for text that is not a time."""
    text = str(given)
    found = inf if text == UNLIMITED else duration(text)
    if isinstance(found, str) or found < 0:
        raise INVALID_TIMEOUT(environment=name, text=text)
    return found


HELD_CODE = HeldCode()
"""The code as this process has seen it."""


def world_of(job: Job) -> Disk:
    """Return the machine on which a job finds its code.

    A classifier may choose another environment than that of the job.
    """
    HELD_CODE.begin(job)
    terminus = str(resolve_one("node_terminus", job.settings, job.node))
    if terminus != "plain" or HELD_CODE.enter(job.environment) is not None:
        return HELD_CODE
    return DISK
