"""A client of MySQL that runs the statements of successive resources, as one program."""

from __future__ import annotations

import re

from bunraku.world.host import Command, CommandTimeout, Dialogue, Finished, Host

QUOTED_TEXTS = (
    r"'(?:[^'\\]|\\\\)*'",
    r'"(?:[^"\\]|\\\\)*"',
    r"`[^`]*`",
)
PLAIN = re.compile(rf"(?:[^'\"`\\;#\n/-]|-(?!-)|/(?!\*)|{'|'.join(QUOTED_TEXTS)})+")
LINE = re.compile(r"at line (\d+)")
LONGEST_STATEMENT = 3600.0
"""Seconds after which a statement counts as failed."""
TOO_LONG = f"no answer in {LONGEST_STATEMENT:g} seconds"


def is_plain(statement: str) -> bool:
    """Return whether a statement ends where its text ends, also for the client.

    >>> (
    ...     is_plain("DROP USER 'a''b'@'%'"),
    ...     is_plain("DROP USER 'a"),
    ...     is_plain("a; b"),
    ...     is_plain("a -- b"),
    ... )
    (True, False, False, False)
    """
    return PLAIN.fullmatch(statement) is not None


class MysqlSession:
    """A running client; it is started with the first statement.

    A session has the rights that its user had when it began, while each call of a new client gets the
    rights of that moment. :meth:`concerns` says which statements may change them.
    """

    def __init__(self, host: Host, command: Command) -> None:
        self.host = host
        self.command = command
        self.dialogue: Dialogue | None = None
        self.lines = 0
        """The number of lines that the client got."""
        self.user = ""
        """The name of the user that the server knows."""

    def run(self, statement: str) -> Finished:
        """Run a statement; the code of the result is 0 if it succeeded."""
        try:
            if self.dialogue is None:
                self.start()
            start = self.lines
            output = self.exchange(statement)
        except EndOfSession as end:
            return Finished(end.code or 1, "\n".join(end.output))
        error = next(
            (number for number, one in enumerate(output) if one.startswith("ERROR ")), None
        )
        if error is None:
            return Finished(0, "")
        text = "\n".join(output[error:])
        return Finished(
            1, LINE.sub(lambda match: f"at line {int(match[1]) - start}", text, count=1)
        )

    def start(self) -> None:
        """Start the client, and ask for its user."""
        self.dialogue, self.lines = self.host.dialogue(self.command), 0
        answer = self.exchange("SELECT USER()")
        self.user = answer[-1].rpartition("@")[0] if answer else ""

    def exchange(self, statement: str) -> list[str]:
        """Return the lines that a statement prints; raise EndOfSession if the client ends."""
        assert self.dialogue is not None
        mark = f"end of statement {self.lines}"
        text = f"{statement};\nSELECT '{mark}';"
        self.dialogue.send(text.encode("utf-8", "surrogateescape"))
        self.lines += text.count("\n") + 1
        output: list[str] = []
        while (line := self.receive(output)) != mark:
            output.append(line)
        return output

    def receive(self, output: list[str]) -> str:
        """Return a line of the client; raise EndOfSession with the lines before it if it ends."""
        assert self.dialogue is not None
        try:
            line = self.dialogue.receive(LONGEST_STATEMENT)
        except BaseException as error:
            code = self.dialogue.kill()
            self.dialogue = None
            if isinstance(error, CommandTimeout):
                raise EndOfSession([*output, TOO_LONG], code) from None
            raise
        if line is None:
            code = self.dialogue.end()
            self.dialogue = None
            raise EndOfSession(output, code)
        return line.decode("utf-8", "surrogateescape")

    def concerns(self, statement: str) -> bool:
        """Return whether a statement may change what the user of the session may do."""
        return f"'{self.user}'@" in statement or "''@" in statement

    def close(self) -> None:
        """End the client."""
        if self.dialogue is not None:
            self.dialogue.end()
            self.dialogue = None


class EndOfSession(Exception):
    """The client has ended, with an exit code; ``output`` are its last lines."""

    def __init__(self, output: list[str], code: int) -> None:
        super().__init__(code)
        self.output = output
        self.code = code
