"""The prompt on a terminal: several lines, history and completion, by prompt_toolkit."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent

from bunraku.base import system
from bunraku.cli.repl.commands import COMMANDS
from bunraku.jobs.session import Session, is_complete
from bunraku.syntax.rules import KEYWORDS

WORD = re.compile(r"(?:\$|:|::)?[A-Za-z_][\w:]*$|[$:]$")


class NameCompleter(Completer):
    """Completes variables, commands, keywords, and the names that the project has."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.known: list[str] | None = None

    def get_completions(
        self, document: Document, _complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Yield the names that go on with the word before the cursor."""
        before = document.text_before_cursor
        match = WORD.search(before)
        word = match[0] if match else ""
        for name in self.names(word, before):
            if name.startswith(word) and name != word:
                yield Completion(name, start_position=-len(word))

    def names(self, word: str, before: str) -> Iterable[str]:
        """Return the names that can begin with a word."""
        if before.startswith(":"):
            return [f":{usage.partition(' ')[0]}" for usage in COMMANDS] if word == before else []
        if word.startswith("$"):
            return sorted(f"${name}" for name in self.session.variables())
        if not word:
            return []
        if self.known is None:
            self.known = sorted({*KEYWORDS, *self.session.names()})
        return self.known


def prompt_session(session: Session, history: str | None) -> PromptSession[str]:
    """Return the prompt. Its history is in a private file, or in memory."""
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        text = buffer.document.text
        if text.startswith(":") or text.endswith("\n") or is_complete(text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    return PromptSession(
        "> ",
        multiline=True,
        prompt_continuation="… ",
        completer=NameCompleter(session),
        complete_while_typing=False,
        key_bindings=keys,
        history=history_in(history),
        enable_open_in_editor=True,
    )


def history_in(path: str | None) -> History:
    """Return the history in a file, which is made private; in memory without one."""
    if path is None:
        return InMemoryHistory()
    try:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        handle = os.open(path, os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
        try:
            system.set_mode(handle, 0o600)  # an old file may be for others, too
        finally:
            os.close(handle)
    except OSError:
        return InMemoryHistory()
    return FileHistory(path)
