"""The system log as a destination, with a socket of the test instead of ``/dev/log``."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from bunraku.apply.destinations import destinations_of
from bunraku.apply.log import Message


@pytest.fixture
def log(tmp_path: Path) -> Iterator[socket.socket]:
    """A socket that messages are sent to."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as receiver:
        receiver.bind(str(tmp_path / "log"))
        receiver.settimeout(5)
        yield receiver


def messages_of(*messages: Message, path: Path, close: socket.socket | None = None) -> list[str]:
    """Send messages to the system log, and return what the console gets."""
    console: list[str] = []
    with ExitStack() as stack:
        (syslog,) = destinations_of(
            "syslog", lambda message: console.append(message.text), stack, str(path)
        )
        if close is not None:
            close.close()
        for message in messages:
            syslog(message)
    return console


def test_each_line_is_sent_with_priority_and_source(log: socket.socket, tmp_path: Path) -> None:
    first = Message("err", "one\ntwo", "/File[/a]/ensure", 0.0)
    assert messages_of(first, Message("notice", "é", "Puppet", 0.0), path=tmp_path / "log") == []
    found = [log.recv(1024).decode() for _ in range(3)]
    assert [line.partition(">")[0] for line in found] == ["<27", "<27", "<29"]
    sender = f" bunraku[{os.getpid()}]: "
    assert [line.partition(sender)[2] for line in found] == [
        "(/File[/a]/ensure) one", "(/File[/a]/ensure) two", "é",
    ]  # fmt: skip


def test_a_system_log_that_ends_is_reported_once(log: socket.socket, tmp_path: Path) -> None:
    message = Message("notice", "text", "Puppet", 0.0)
    path = tmp_path / "log"
    assert messages_of(message, message, path=path, close=log) == [
        f"Could not write to {path}: Connection refused"
    ]


def test_a_missing_system_log_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        messages_of(path=tmp_path / "nix")
    assert caught.value.filename == str(tmp_path / "nix")
