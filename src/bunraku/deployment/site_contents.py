"""The store, the git remotes and the Forges of a run, as r10k.yaml describes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from bunraku.deployment import issues
from bunraku.deployment.contents import Contents
from bunraku.deployment.forge_modules import ForgeModules
from bunraku.deployment.git_cache import GitCache, RemoteAccess
from bunraku.deployment.r10k_settings import R10kSettings
from bunraku.deployment.store import Store, store_directory
from bunraku.project.declared_modules import DeclaredModule, GitModule
from bunraku.world import processes

if TYPE_CHECKING:
    from concurrent.futures import Future

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
    access = {one.remote: access_of(one, git.username) for one in git.repositories}
    return GitCache(
        store.directory("git"),
        access=access,
        default=access_of(git.for_remote(""), git.username),
        offline=offline,
    )


def access_of(settings: Any, username: str) -> RemoteAccess:
    """Return how a remote is reached; a token is read from its file."""
    if settings.github_app_id:
        raise issues.NO_GITHUB_APPS()
    token = ""
    if settings.oauth_token:
        try:
            with open(settings.oauth_token, encoding="utf-8") as file:
                token = file.read().strip()
        except OSError as error:
            raise issues.NO_TOKEN(path=settings.oauth_token, reason=error.strerror) from None
    return RemoteAccess(settings.private_key, username, token, settings.proxy)


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
        from concurrent.futures import ThreadPoolExecutor  # most runs change nothing

        pool = ThreadPoolExecutor(pool_size)
        futures: list[Future[Made]] = []
        try:
            futures.extend(pool.submit(function, one) for one in distant)
            results = {
                id(one): future.result() for one, future in zip(distant, futures, strict=True)
            }
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            end_threads(futures)
            raise
        pool.shutdown()
    for one in modules:
        yield one, results[id(one)] if id(one) in results else function(one)


def end_threads(futures: Sequence[Future[Made]]) -> None:
    """End the programs that threads wait for, until the threads have ended, but not for long.

    One that waits for a server ends with the process.
    """
    from concurrent.futures import wait  # only an interrupt needs it

    for _attempt in range(ATTEMPTS):
        processes.end_all()
        if not wait(futures, timeout=PAUSE).not_done:
            return
