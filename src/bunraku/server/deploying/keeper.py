"""The process that runs deployments, one at a time, and answers questions about them.

It is forked before threads are started and before keys are read, and runs each deployment in a fork of
its own. So requests for catalogs do not wait for git, and a deployment that is killed takes nothing with it.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, TypeAlias

from bunraku.base.descriptors import write_all
from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.server.compiling.channel import ChannelClosed, receive, send
from bunraku.server.compiling.keeper import be_quiet, listening_socket
from bunraku.server.compiling.starting import short_name
from bunraku.server.deploying.queue import ENDED, DeployQueue, FullQueue, Work
from bunraku.server.issues import DEPLOYS_FAILED
from bunraku.world import processes
from bunraku.world.scratch import scratch_directory

Log: TypeAlias = "Callable[[str, str], None]"
Run: TypeAlias = "Callable[[Work, Log], Mapping[str, Any]]"
Find: TypeAlias = "Callable[[list[str], str], list[Work]]"
SECONDS = 10.0
"""The time in which a question and its answer must be sent."""
GRACE = 15.0
"""Seconds for a deployment to clean up after SIGTERM."""
BLOCK = 1 << 16


@record(frozen=True)
class Deployments:
    """The process that runs deployments; it listens at the Unix socket ``path``."""

    path: str

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question; PuppetError if the process cannot answer."""
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as channel:
                channel.settimeout(SECONDS)
                channel.connect(self.path)
                send(channel, [json.dumps(question).encode()])
                found: dict[str, Any] = json.loads(receive(channel)[0])
        except (ChannelClosed, OSError, ValueError):
            raise DEPLOYS_FAILED(reason="the process that runs them does not answer") from None
        if "failure" in found:
            raise DEPLOYS_FAILED(reason=found["failure"])
        return found


@contextmanager
def deploy_process(find: Find, run: Run, log: Callable[[str], None]) -> Iterator[Deployments]:
    """Start the process; end it, with a running deployment, after the block.

    ``find`` returns the work for a branch of a repository, ``run`` does it and returns the result, in
    which ``whole`` says whether all is deployed. Both may raise PuppetError.
    """
    with scratch_directory() as folder, short_name(folder) as short:
        path = os.path.join(short, "deploy")
        with listening_socket(path) as listener:
            pid = processes.fork(lambda: DeployKeeper(listener, find, run, log).serve())
        try:
            yield Deployments(path)
        finally:
            processes.end_group(pid, grace=GRACE + 1)


class DeployKeeper:
    """Answers questions at a socket, and runs the deployments of a queue in forks."""

    def __init__(
        self, listener: socket.socket, find: Find, run: Run, log: Callable[[str], None]
    ) -> None:
        self.listener = listener
        self.find = find
        self.run = run
        self.log = log
        self.queue = DeployQueue()
        self.selector = selectors.DefaultSelector()
        self.child = 0
        self.output = -1
        self.rest = b""
        self.outcome: dict[str, Any] = {}

    def serve(self) -> None:
        """Work until a signal comes; then end the running deployment."""
        be_quiet()
        self.selector.register(self.listener, selectors.EVENT_READ)
        try:
            while True:
                self.start()
                for key, _events in self.selector.select():
                    if key.fileobj is self.listener:
                        self.answer_one()
                    else:
                        self.read_output()
        finally:
            if self.child:
                processes.end_group(self.child, grace=GRACE)

    # -- questions -----------------------------------------------------------------------------------

    def answer_one(self) -> None:
        """Answer the question of one connection."""
        with suppress(ChannelClosed, OSError, ValueError):
            channel, _ = self.listener.accept()
            with channel:
                channel.settimeout(SECONDS)
                question = json.loads(receive(channel)[0])
                try:
                    answer = self.answer(question)
                except PuppetError as error:
                    answer = {"failure": error.message}
                except FullQueue:
                    answer = {"failure": "too many deployments wait"}
                except Exception as error:  # an internal error must not stop the others
                    answer = {"failure": f"internal error: {type(error).__name__}: {error}"}
                send(channel, [json.dumps(answer).encode()])

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question."""
        if "push" in question:
            works = self.find(question["push"]["remotes"], question["push"]["branch"])
            return {"deploys": [self.queue.add(work).summary() for work in works]}
        if "add" in question:
            works = [Work.of(one) for one in question["add"]]
            return {"deploys": [self.queue.add(work).summary() for work in works]}
        if "ids" in question:
            found = [self.queue.find(number) for number in question["ids"]]
            return {"deploys": [one.details() for one in found if one is not None]}
        return self.queue.status()

    # -- deployments ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the next deployment in a fork."""
        deployment = self.queue.start()
        if deployment is None:
            return
        work = deployment.work
        reading, writing = os.pipe()
        self.child = processes.fork(lambda: self.work(work, reading, writing))
        os.close(writing)
        self.output, self.rest, self.outcome = reading, b"", {}
        self.selector.register(reading, selectors.EVENT_READ)
        self.log(f"notice: Deployment {deployment.number} of {subject(work)} starts")

    def work(self, work: Work, reading: int, writing: int) -> None:
        """Do the work in this fork; write its log and its outcome as lines of JSON."""
        self.listener.close()
        os.close(reading)

        def write(data: Mapping[str, Any]) -> None:
            write_all(writing, json.dumps(data).encode() + b"\n")

        outcome: dict[str, Any]
        try:
            outcome = {"result": self.run(work, lambda *line: write({"log": line}))}
        except PuppetError as error:
            outcome = {"error": error.message}
        except Exception as error:  # an internal error must not stop the others
            outcome = {"error": f"internal error: {type(error).__name__}: {error}"}
        write(outcome)

    def read_output(self) -> None:
        """Take what the running deployment has written; end it after its last line."""
        block = os.read(self.output, BLOCK)
        *lines, self.rest = (self.rest + block).split(b"\n")
        for line in lines:
            data = json.loads(line)
            if "log" in data:
                self.queue.note(*data["log"])
            else:
                self.outcome = data
        if not block:
            self.finish()

    def finish(self) -> None:
        """End the running deployment."""
        self.selector.unregister(self.output)
        os.close(self.output)
        status = processes.end_group(self.child)
        self.child = 0
        error = self.outcome.get("error")
        if not self.outcome:
            error = f"its process ended: {processes.ending(status)}"
        ended = self.queue.finish(self.outcome.get("result"), error)
        reason = "" if ended.error is None else f": {ended.error}"
        level = "notice" if ended.status == "complete" else "err"
        text = f"Deployment {ended.number} of {subject(ended.work)} is {ended.status}"
        self.log(f"{level}: {text}{reason}")


def subject(work: Work) -> str:
    """Return what is deployed, in words.

    >>> subject(Work(("production",), ("ntp",))), subject(Work())
    ('modules ntp in production', 'all environments')
    """
    environments = ", ".join(work.environments) or "all environments"
    return f"modules {', '.join(work.modules)} in {environments}" if work.modules else environments


def has_ended(summary: Mapping[str, Any]) -> bool:
    """Return whether a deployment has ended."""
    return summary["status"] in ENDED
