"""A server of a site in a process of its own, which can be killed at any moment and started again."""

from __future__ import annotations

import os
import signal
from collections import Counter
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from threading import Thread
from time import sleep, time
from types import SimpleNamespace

from bunraku.base.errors import PuppetError
from bunraku.puppetdb.server.commands import PREFIX, answer_command
from bunraku.puppetdb.timestamps import to_text
from bunraku.server.catalogs import store_catalog
from bunraku.server.compiling.jobs import Job, Result
from bunraku.server.facts import facts_payload
from bunraku.server.flushes import ALL, Flushes
from bunraku.server.service import Service
from bunraku.server.storage import HEADERS
from bunraku.web.http import Request
from bunraku.world import processes
from support.server_service import NAME, rows, site_service, site_settings

LATEST = 0.1
"""Seconds after the begin of a request in which a process is killed."""


class Killed(Exception):
    """Raised for a request whose server, or the process that compiled, was killed."""


class KillableServer:
    """The server; it has the parts of a service that jobs are made of."""

    def __init__(self, folder: Path, **options: object) -> None:
        self.folder, self.options = folder, options
        own = {name: value for name, value in options.items() if name not in ("size", "behind")}
        self.settings = site_settings(folder, **own)
        self.storage = SimpleNamespace(site=str(folder / "puppetdb.sqlite"))
        self.flushes = Flushes()
        self.kills: Counter[str] = Counter()

    def __enter__(self) -> KillableServer:
        self.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.channel.close()
        os.waitpid(self.process, 0)

    def start(self) -> None:
        """Start the server."""
        self.channel, other = Pipe()

        def work() -> None:
            self.channel.close()
            serve(other, self.folder, self.options)

        self.process = processes.fork(work)
        other.close()

    # -- requests ----------------------------------------------------------------------------------

    def result(self, job: Job) -> Result:
        """Return the result of a job."""
        return Result.decoded(self.ask("result", job.encoded()))

    def result_at_last(self, job: Job) -> Result:
        """Return the result of a job, asked again while killed processes are replaced."""
        for _ in range(50):
            try:
                return self.result(job)
            except Killed:
                sleep(0.1)
        raise AssertionError("the compile processes do not come back")

    def store(self, job: Job, result: Result) -> None:
        """Store a catalog."""
        self.ask("store", job.encoded(), result.encoded())

    def command(self, words: dict[str, str], body: bytes) -> None:
        """Send a command to the PuppetDB."""
        assert self.ask("command", words, body) == 200

    def settle(self) -> None:
        """Wait until everything is processed."""
        self.ask("settle")

    def ask(self, name: str, *values: object) -> object:
        """Return the answer of the server; Killed if there is none: then it is started again."""
        try:
            self.channel.send((name, *values))
            is_answer, answer = self.channel.recv()
        except (EOFError, OSError):
            self.channel.close()
            os.waitpid(self.process, 0)
            self.start()
            raise Killed from None
        if not is_answer:
            raise Killed(answer)
        return answer

    # -- kills -------------------------------------------------------------------------------------

    def disturb(self, job: Job, random: Random) -> None:
        """Ask for a catalog while processes are killed: the server, or those that compile.

        Each compile process has its own view of the code, so the answer says nothing about that of another process.
        """
        kind = random.choice(("server", "compile processes"))
        killer = Thread(target=self.kill, args=[kind, random.random() * LATEST])
        killer.start()
        try:
            self.result_at_last(job)
        finally:
            killer.join()
        with suppress(Killed):  # it was killed after the answer
            self.settle()

    def kill(self, kind: str, after: float) -> None:
        """Kill processes after a while."""
        sleep(after)
        self.kills[kind] += 1
        victims = [self.process]
        if kind != "server":
            victims = [one for keeper in children(self.process) for one in children(keeper)]
        for process in victims:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def children(process: int) -> list[int]:
    """Return the children of a process."""
    found: list[int] = []
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            found += map(int, tasks.read_text().split())
    return found


# -- the server --------------------------------------------------------------------------------------


def serve(channel: Connection, folder: Path, options: dict[str, object]) -> None:
    """Answer what comes by a channel, until that is closed."""
    with site_service(folder, **options) as service, suppress(EOFError, OSError):
        while True:
            name, *values = channel.recv()
            try:
                answer = True, ANSWERS[name](service, *values)
            except PuppetError as error:
                answer = False, error.message
            channel.send(answer)


def result_of(service: Service, content: bytes) -> list[bytes]:
    """Return the result of a job; the compiles in the background hear of it as of an agent's request."""
    job = Job.decoded(content)
    service.flushes.orders = Counter({ALL: job.flushes, **job.environment_flushes})
    if job.reuses:
        now = to_text(int(time() * 1000))
        facts = facts_payload(job.node, job.environment, job.facts, producer=NAME, timestamp=now)
        service.storage.store("facts", job.node, now, facts)
    result = service.result(job, lambda: False)
    if job.reuses and result.status == 200 and service.background is not None:
        service.background.note(job, result)
    return result.encoded()


def store(service: Service, job: bytes, result: list[bytes]) -> bool:
    """Store a catalog."""
    return store_catalog(service, Job.decoded(job), Result.decoded(result))


def command(service: Service, words: dict[str, str], body: bytes) -> int:
    """Accept a command for the PuppetDB."""
    request = Request("POST", PREFIX, words, HEADERS, [body])
    return answer_command(service.storage.intake, request).status


def settle(service: Service) -> None:
    """Wait until everything is processed."""
    rows(service, ["from", "nodes"])


ANSWERS = {"result": result_of, "store": store, "command": command, "settle": settle}
