"""The store, the git remotes and the Forges of a run, as r10k.yaml describes them."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

from bunraku.base.file_reading import read_whole
from bunraku.base.lazy_typing import Any, TypeVar
from bunraku.deployment import issues
from bunraku.deployment.contents import Contents
from bunraku.deployment.forge_modules import ForgeModules
from bunraku.deployment.git_cache import GitCache, RemoteAccess
from bunraku.deployment.r10k_settings import R10kSettings, RepositorySettings
from bunraku.deployment.store import Store, store_directory
from bunraku.project.declared_modules import DeclaredModule, GitModule
from bunraku.world import processes

Item = TypeVar("Item")
Made = TypeVar("Made")
ATTEMPTS = 100
PAUSE = 0.05
"""Seconds between two attempts to end threads."""
Log = Callable[[str, str], None]
"""Takes a level (``debug``, ``info``, ``warn``, ``error``) and a message."""


def open_store(settings: R10kSettings, *, link: bool) -> Store:
    """Return the store, in ``cachedir``, else in the cache of this user. Raise PuppetError."""
    store = Store(store_directory(settings.cachedir), link=link)
    store.prepare()
    return store


def git_remotes(settings: R10kSettings, store: Store, *, offline: bool) -> GitCache:
    """Return the copies of git remotes. Raise NO_TOKEN."""
    git = settings.git
    apps: dict[tuple[str, ...], Callable[[], str]] = {}
    access = {one.remote: access_of(one, git.username, apps) for one in git.repositories}
    return GitCache(
        store.directory("git"),
        access=access,
        default=access_of(git.for_remote(""), git.username, apps),
        offline=offline,
    )


def access_of(
    settings: RepositorySettings, username: str, apps: dict[tuple[str, ...], Callable[[], str]]
) -> RemoteAccess:
    """Return how a remote is reached; a token is read from its file. ``apps`` are those of the run."""
    token = ""
    if settings.oauth_token:
        try:
            token = read_whole(settings.oauth_token).decode().strip()
        except OSError as error:
            raise issues.NO_TOKEN(path=settings.oauth_token, reason=error.strerror) from None
        except UnicodeDecodeError:
            raise issues.NO_TOKEN(path=settings.oauth_token, reason="it is not UTF-8") from None
    key = (settings.github_app_id, settings.github_app_key, settings.github_app_ttl)
    if all(key) and key not in apps:
        from bunraku.deployment.github_app import GithubApp

        apps[key] = GithubApp(*key, settings.proxy).token
    return RemoteAccess(settings.private_key, username, token, settings.proxy, apps.get(key))


def forge_modules(
    settings: R10kSettings, store: Store, log: Log, *, offline: bool, url: str = ""
) -> ForgeModules:
    """Return the modules of a Forge: that of the settings, or of a URL.

    Only the Forge that the settings name gets their token.
    """
    forge = settings.forge
    known = not url or url.rstrip("/") == forge.baseurl.rstrip("/")
    return ForgeModules(
        url or forge.baseurl,
        cache=store.directory("forge"),
        token=forge.authorization_token if known else "",
        proxy=forge.proxy,
        offline=offline,
        log=log,
    )


def warn_of_control_branch(modules: Iterable[DeclaredModule], log: Log) -> None:
    """Warn of modules that follow the branch of a control repository where there is none."""
    for one in modules:
        if isinstance(one.source, GitModule) and one.source.control_branch:
            log(
                "warn",
                f"Cannot track control repo branch for content '{one.name}' when not part of a "
                "git-backed environment, will use default if available.",
            )


def each_module(
    contents: Contents,
    pool_size: int,
    function: Callable[[DeclaredModule], Made],
    modules: Sequence[DeclaredModule],
    *,
    asks: Callable[[DeclaredModule], bool] = lambda _module: False,
) -> Iterator[tuple[DeclaredModule, Made]]:
    """Yield the results of a function for modules; remotes are asked at the same time.

    ``asks`` says whether the function asks a remote, also if the content is at hand.
    """
    distant = [one for one in modules if asks(one) or not contents.is_at_hand(one)]
    results: dict[int, Made] = {}
    if len(distant) > 1 and pool_size > 1:
        found = at_the_same_time(function, distant, pool_size)
        results = {id(one): made for one, made in zip(distant, found, strict=True)}
    for one in modules:
        yield one, results[id(one)] if id(one) in results else function(one)


def at_the_same_time(
    function: Callable[[Item], Made], items: Sequence[Item], size: int
) -> list[Made]:
    """Return the results of a function for items; threads, ``size`` of them at most, call it.

    Raise what it raises for the first item that it fails for; the programs that the threads wait for are
    then ended. (``concurrent.futures`` takes longer to import than a remote to answer.)
    """
    waiting = deque(enumerate(items))
    done: SimpleQueue[tuple[int, Made | None, BaseException | None]] = SimpleQueue()

    def work() -> None:
        with suppress(IndexError):
            while True:
                number, item = waiting.popleft()
                try:
                    done.put((number, function(item), None))
                except BaseException as error:  # the thread of the caller raises it
                    done.put((number, None, error))

    threads = [Thread(target=work, daemon=True) for _number in range(min(size, len(items)))]
    try:
        for thread in threads:
            thread.start()
        return list(ordered_results(done, len(items)))
    except BaseException:
        waiting.clear()
        end_threads(threads)
        raise


def ordered_results(
    done: SimpleQueue[tuple[int, Any, BaseException | None]], count: int
) -> Iterator[Any]:
    """Yield numbered results in the order of their numbers, as soon as they are there; raise errors."""
    found: dict[int, tuple[Any, BaseException | None]] = {}
    for number in range(count):
        while number not in found:
            with suppress(Empty):
                at, made, error = done.get(timeout=processes.LONGEST_WAIT)
                found[at] = made, error
        made, error = found[number]
        if error is not None:
            raise error
        yield made


def end_threads(threads: Iterable[Thread]) -> None:
    """End the programs that threads wait for, until the threads have ended, but not for long.

    One that waits for a server ends with the process.
    """
    for _attempt in range(ATTEMPTS):
        running = [thread for thread in threads if thread.is_alive()]
        if not running:
            return
        processes.end_all()
        running[0].join(PAUSE)
