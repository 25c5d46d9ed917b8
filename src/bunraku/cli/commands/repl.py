"""Evaluate code piece by piece, with the facts and the data of a node."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator

from bunraku.base.errors import PuppetError
from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.commands.eval import PLACE
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import GENERAL, LANGUAGE, SETTINGS
from bunraku.cli.options.shared import observer_of
from bunraku.cli.output.output import write, write_error
from bunraku.cli.repl.commands import Quit, answer_to, value_shown
from bunraku.cli.report.findings import text_report
from bunraku.jobs.session import Session, is_complete

GREETING = "bunraku {}: code, or :help for commands; Ctrl-D ends the session\n"
WITHOUT_TOOLKIT = "several lines, completion and a history need 'pip install bunraku[repl]'\n"


OPTIONS = f"""
--no-history: do not read or write the file of the history
{PLACE}
{LANGUAGE}
{SETTINGS}
{GENERAL}
"""


def run(options: argparse.Namespace) -> int:
    """Read pieces of code and print their values; 1 if a piece on standard input fails."""
    observer = observer_of(options, "notice")
    session = Session(context_of(options, observer, below=True))
    failed = False
    on_terminal = sys.stdin.isatty()
    for text in pieces_on_terminal(session, options) if on_terminal else pieces_of_input():
        try:
            if text.startswith(":"):
                write(answer_to(session, text))
                continue
            result = session.evaluate(text)
            for entry in result.log:
                observer.log(entry)
            if result.value is not None:
                write(value_shown(result.value))
        except Quit:
            break
        except KeyboardInterrupt:
            if not on_terminal:
                raise
            write_error("interrupted; the session is as before\n")
        except PuppetError as error:
            failed = True
            write_error(text_report(error, observer.printer.paint))
        except UsageError as error:
            failed = True
            write_error(f"{error}\n")
    return exits.FINDINGS if failed and not on_terminal else exits.OK


def pieces_of_input() -> Iterator[str]:
    """Yield the pieces of code on standard input: lines that belong together."""
    waiting = ""
    for line in sys.stdin:
        if not waiting and line.startswith(":"):
            yield line.strip()
            continue
        waiting += line
        if waiting.strip() and is_complete(waiting):
            yield waiting.strip("\n")
            waiting = ""
    if waiting.strip():
        yield waiting.strip("\n")


def pieces_on_terminal(session: Session, options: argparse.Namespace) -> Iterator[str]:
    """Yield the pieces of code that are typed, until the input ends."""
    from bunraku.base.version import version

    write(GREETING.format(version()))
    ask = asking(session, options)
    while True:
        try:
            text = ask()
        except EOFError:
            return
        except KeyboardInterrupt:
            continue
        if text.strip():
            yield text.strip() if text.startswith(":") else text


def asking(session: Session, options: argparse.Namespace) -> Callable[[], str]:
    """Return what reads a piece of code from the terminal."""
    try:
        from bunraku.cli.repl.prompt import prompt_session
    except ModuleNotFoundError as error:
        if error.name != "prompt_toolkit":
            raise
        write(WITHOUT_TOOLKIT)
        return typed_lines
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    path = None if options.no_history else f"{home}/bunraku/history"
    prompt = prompt_session(session, path)
    return prompt.prompt


def typed_lines() -> str:
    """Return a piece of code: lines, until it is complete or a line is empty."""
    text = input("> ")
    while not text.startswith(":") and not is_complete(text):
        line = input("… ")
        if not line:
            break
        text += f"\n{line}"
    return text
