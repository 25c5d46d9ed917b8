"""The Ruby process of a run, with an installed Puppet that manages the resources of the run.

``installed_puppet.rb`` runs in it. Requests and answers are lines of JSON; while Ruby works on a request,
it sends Puppet's messages and asks for facts and for the resources of bunraku's own providers. If the
process ends, or does not answer in time, the request fails; the next one starts another process, which
gets the same resources.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from bunraku.base.errors import PuppetError
from bunraku.catalog.rich_data import to_data
from bunraku.providers.errors import ResourceFailure
from bunraku.providers.issues import INSTALLED_PUPPET_FAILED
from bunraku.providers.managed_resource import ManagedResource
from bunraku.providers.run import Run
from bunraku.world.host import Command, CommandTimeout, Dialogue, Host

Data = dict[str, Any]
SCRIPT = Path(__file__).with_name("installed_puppet.rb")
OWN_RUBY = "/opt/puppetlabs/puppet/bin/ruby"
"""The Ruby of the packages of Puppet and OpenVox."""
LONGEST_LINE = 4096
LONGEST_START = 120.0
LONGEST_ANSWER = 3600.0
"""Seconds that a request may take: Puppet's own limit of a run."""
LogMessage = Callable[[str, str, str], None]
"""Gets the level of a message, its text and its source."""


def find_ruby(host: Host) -> str | None:
    """Return the Ruby of an installed Puppet, None without one.

    Debian's package and the gem install the program ``puppet``, whose first line names its Ruby.
    """
    if host.is_executable(OWN_RUBY):
        return OWN_RUBY
    program = host.find_program("puppet")
    if program is None:
        return None
    line = b""
    with suppress(OSError), host.open(program) as file:
        line = file.readline(LONGEST_LINE)
    words = line.removeprefix(b"#!").decode("utf-8", "replace").split()
    return host.find_program(next((word for word in words if "ruby" in word), "ruby"))


class RubyProcess:
    """Sends requests to the process of a run, and starts it with the first one.

    ``repeat`` gives a new process the resources of an earlier one.
    """

    def __init__(self, run: Run, repeat: Callable[[], None]) -> None:
        self.run = run
        self.repeat = repeat
        self.dialogue: Dialogue | None = None

    def request(self, action: str, log: LogMessage, **details: Any) -> Any:
        """Return the answer to a request; raise ResourceFailure if there is none."""
        if self.dialogue is None:
            self.start()
        self.send({"action": action, **details})
        return self.answer(log, LONGEST_ANSWER)

    def start(self) -> None:
        """Start the process; raise PuppetError if it has no Puppet."""
        run = self.run
        ruby = find_ruby(run.host)
        if ruby is None:
            raise INSTALLED_PUPPET_FAILED(reason="Puppet is not installed")
        try:
            self.dialogue = run.host.dialogue(Command((ruby, str(SCRIPT))))
        except OSError as error:
            raise INSTALLED_PUPPET_FAILED(reason=error.strerror or str(error)) from None
        self.send(
            {
                "node": run.node or "localhost",
                "environment": run.environment,
                "modules": list(run.modules),
                "libraries": list(run.libraries),
                "noop": bool(run.settings["noop"]),
                "show_diff": bool(run.settings.get("show_diff")),
                "level": run.level,
            }
        )
        try:
            self.answer(run.log, LONGEST_START)
        except ResourceFailure as failure:
            raise INSTALLED_PUPPET_FAILED(reason=str(failure)) from None
        self.repeat()

    def send(self, data: Data | list[Data]) -> None:
        """Send data to the process."""
        assert self.dialogue is not None
        self.dialogue.send(json.dumps(data).encode())

    def answer(self, log: LogMessage, seconds: float) -> Any:
        """Return the answer; until then, log the messages and answer the questions of the process."""
        dialogue = self.dialogue
        assert dialogue is not None
        while True:
            try:
                line = dialogue.receive(seconds)
            except CommandTimeout:
                self.dialogue = None
                dialogue.kill()
                text = f"the Ruby process did not answer in {seconds:g} seconds and was killed"
                raise ResourceFailure(text) from None
            except BaseException:  # a signal: nothing of the run continues
                self.dialogue = None
                dialogue.kill()
                raise
            if line is None:
                self.dialogue = None
                raise ResourceFailure(f"the Ruby process ended ({ending(dialogue.end())})")
            match json.loads(line):
                case {"log": [level, text, source]}:
                    log(level, text, source)
                case {"ask": question}:
                    self.send(self.told(question))
                case {"ended": reason}:
                    self.dialogue = None
                    dialogue.end()
                    raise ResourceFailure(reason)
                case {"answer": answer}:
                    return answer

    def told(self, question: str) -> Data | list[Data]:
        """Return the answer to a question of the process: the facts, or bunraku's own resources."""
        if question == "facts":
            return dict(to_data(dict(self.run.facts())))
        found = dict.fromkeys(self.run.resources.values())
        return [described(one) for one in found if one.type.is_native]

    def end(self) -> None:
        """End the process."""
        if self.dialogue is None:
            return
        try:
            self.request("finish", self.run.log)
        except (ResourceFailure, PuppetError) as error:
            self.run.log("err", str(error))
        if self.dialogue is not None:
            self.dialogue.end()
            self.dialogue = None


def ending(code: int) -> str:
    """Return how a process ended.

    >>> ending(1), ending(-9)
    ('exit code 1', 'signal 9')
    """
    return f"exit code {code}" if code >= 0 else f"signal {-code}"


def described(resource: ManagedResource) -> Data:
    """Return a resource as data."""
    return {
        "type": resource.type.name,
        "title": resource.title,
        "name": resource.name,
        "parameters": data_of(resource.original, resource.deferred),
        "sensitive": sorted(resource.sensitive),
    }


def data_of(values: Mapping[str, Any], without: Iterable[str] = ()) -> Data:
    """Return the values of attributes as JSON data."""
    return {name: to_data(value) for name, value in values.items() if name not in set(without)}
