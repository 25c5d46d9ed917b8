"""Read the configuration of a running server again: all of it is used, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Protocol

from bunraku.base.records import replace
from bunraku.ca.authority import Authority
from bunraku.ca.site import site_of
from bunraku.ca.upkeep import Upkeep
from bunraku.jobs.serving.access_log import AccessLog
from bunraku.jobs.serving.configuration import access_of, log_message, settings_of, tls_of
from bunraku.jobs.serving.options import ServerOptions
from bunraku.jobs.serving.process import log_line
from bunraku.jobs.serving.systemd import notify, notify_reloading
from bunraku.puppetdb.site.tls import tls_files
from bunraku.server.assembly import files_of
from bunraku.server.interface import answer
from bunraku.server.service import Service
from bunraku.server.settings import MACHINE, Settings
from bunraku.server.storage import Remote
from bunraku.web.compression import compressed
from bunraku.web.http import Request, Response
from bunraku.web.tls import FollowingContext

AT_START = ("serverport", "vardir")
"""Settings that are used at the start alone."""


def do_nothing(*, renewed: bool) -> None:
    """Do nothing: no other process serves."""


class Spread(Protocol):
    """Lets other processes open their logs again and, if ``renewed``, read the configuration that can be used."""

    def __call__(self, *, renewed: bool) -> None:
        """Wait until they have done it."""


class Current:
    """The service as the last reload has made it, and what follows its configuration.

    A request is answered by the service that was current when it began. A reload calls ``spread`` before it
    reports by ``say`` that it is done.
    """

    def __init__(
        self,
        options: ServerOptions,
        service: Service,
        context: FollowingContext,
        upkeep: Upkeep | None = None,
        access_log: AccessLog | None = None,
        spread: Spread = do_nothing,
        say: Callable[[str], None] = log_line,
    ) -> None:
        self.options = options
        self.service = service
        self.context = context
        self.upkeep = upkeep
        self.access_log = access_log
        self.spread = spread
        self.say = say
        self.reloading = Lock()

    def answer(self, request: Request) -> Response:
        """Return the response to a request."""
        return compressed(request, answer(self.service, request))

    def reload(self) -> None:
        """Open the access log again and read the configuration; mistakes in it change nothing."""
        with self.reloading:
            notify_reloading()
            self.reopen_log()
            try:
                restart = self.renew()
            except Exception as error:
                log_line(f"err: the configuration is not reloaded: {error}")
                self.spread(renewed=False)
            else:
                self.spread(renewed=True)
                self.say("notice: the configuration is reloaded")
                if restart:
                    self.say(f"warning: a restart is needed for the new {', '.join(restart)}")
            notify("READY=1")

    def reopen_log(self) -> None:
        """Write on to the file that has the name of the access log now: it may be rotated."""
        if self.access_log is not None:
            try:
                self.access_log.reopen()
            except OSError as error:
                log_line(f"err: the access log is not opened again: {error}")

    def renew(self) -> list[str]:
        """Use the configuration of now; return the settings whose change needs a restart.

        All is read before anything is used; the context of TLS is the last that can fail.
        """
        service, options = self.service, self.options
        settings, access = settings_of(options), access_of(options)
        changed = replace(
            service,
            settings=settings,
            rules=access.rules,
            header_cert_info=access.header_cert_info,
            files=files_of(settings, log_message),
            authority=None if service.authority is None else authority_now(settings),
            storage=replace(service.storage, tls=tls_files(settings.given, MACHINE))
            if isinstance(service.storage, Remote)
            else service.storage,
            deploys=None if service.deploys is None else service.deploys.renewed(),
        )
        self.context.follow(tls_of(options, settings))
        self.service = changed
        if self.upkeep is not None and changed.authority is not None:
            self.upkeep.authority = changed.authority
        changed.flushes.add()
        before = service.settings.values
        return [name for name in AT_START if settings.values[name] != before[name]]


def authority_now(settings: Settings) -> Authority:
    """Return the authority with the settings of now; PuppetError if it cannot be used."""
    authority = Authority(site_of(settings.given, settings.certname).settings, log_notice)
    authority.signer()
    return authority


def log_notice(text: str) -> None:
    """Print a message of the authority."""
    log_line(f"notice: {text}")
