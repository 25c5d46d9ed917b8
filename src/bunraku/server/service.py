"""What the parts of the server work with."""

from __future__ import annotations

from collections.abc import Callable
from time import time

from bunraku.base.records import field, record
from bunraku.ca.authority import Authority
from bunraku.server.authorization.rules import Rules
from bunraku.server.background import Requested
from bunraku.server.compiling.compilers import Compilers
from bunraku.server.compiling.jobs import Job, Result
from bunraku.server.counts import REUSED, CatalogExplanation, Counts
from bunraku.server.deploying.deploys import Deploys
from bunraku.server.files.settings import Files
from bunraku.server.flushes import Flushes
from bunraku.server.proxied import Warnings
from bunraku.server.settings import Settings
from bunraku.server.storage import Storage


@record(frozen=True)
class Service:
    """A running server; without ``storage`` it keeps no facts, catalogs and reports in a PuppetDB,
    without ``authority`` it signs no certificates, without ``files`` it serves none, without
    ``deploys`` requests start no deployments, without ``background`` no catalogs are compiled before agents ask. With
    ``header_cert_info`` the headers of a proxy say who sends a request without TLS.

    ``log`` is called with a level and a sentence.
    """

    settings: Settings
    rules: Rules
    compilers: Compilers
    flushes: Flushes
    files: Files | None = None
    authority: Authority | None = None
    storage: Storage | None = None
    log: Callable[[str, str], None] = lambda _level, _text: None
    counts: Counts = field(default_factory=Counts)
    header_cert_info: bool = False
    ignored_headers: Warnings = field(default_factory=Warnings)
    deploys: Deploys | None = None
    background: Requested | None = None

    def result(self, job: Job, gone: Callable[[], bool]) -> Result:
        """Return the result of a job, and write its log.

        Raise ClientGone if the client goes, PuppetError if no process can do the job.
        """
        result = Result.decoded(self.compilers.ask(job.encoded(), gone))
        for line in result.lines:
            self.log(line.level, f"{line.text} on node {job.node}")
        if job.kind == "catalog" and result.status == 200:
            self.counts.count_catalog(REUSED if result.reused else result.cause or "other")
        if job.kind == "catalog":
            self.explain(job, result)
        return result

    def explain(self, job: Job, result: Result) -> None:
        """Remember why a catalog was compiled or not, and log it."""
        cause, reason = result.cause, result.why
        if result.status != 200:
            cause, reason = "failed", f"the compile failed: {result.message}"
        elif not result.reused and not reason:
            cause, reason = "other", "what it depends on is not recorded"
        explanation = CatalogExplanation(
            result.environment, time(), result.reused, cause, reason, result.depends
        )
        is_new = self.counts.explain(job.node, explanation)
        if result.why:
            each = result.cause == "unrepeatable" and is_new
            level = "info" if each else "debug"
            self.log(level, f"The catalog of {job.node} is compiled: {result.why}")
