"""Debug a compile: breakpoints, steps, variables and their values in the Puppet language.

With FILE or -e, or from a terminal, with commands. An editor starts it without them, as a debug adapter
(DAP) on standard input and output; --listen serves editors on a TCP port.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from importlib import import_module

from bunraku.base.usage import UsageError
from bunraku.cli import exits
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import Rules, compile_options
from bunraku.cli.options.shared import observer_of
from bunraku.cli.output.output import write, write_error
from bunraku.cli.report.findings import text_report
from bunraku.jobs.compile import CodeOrManifest, compile_request
from bunraku.jobs.facts_files import facts_on

OPTIONS = f"""
file [FILE]: a manifest, or a directory of manifests; without FILE and -e, in a terminal, the main
    manifest of the project
-e --execute CODE: debug this code
--listen PORT: serve debug adapter clients on this port of 127.0.0.1, 0 means any free port
@modulepath
@facts
@node
@os: compile with the facts of an operating system, such as debian-12; can be repeated
{compile_options()}
"""
RULES: Rules = {"listen": {"type": int}}


def run(options: argparse.Namespace) -> int:
    """Serve an editor, or debug in the terminal."""
    named = options.file is not None or options.execute is not None
    if named and options.listen is not None:
        raise UsageError("give FILE or -e CODE, or --listen PORT, not both")
    if named or (options.listen is None and sys.stdin.isatty()):
        return in_terminal(options)
    from bunraku.debug.serving import listening, serve_port, serve_standard_streams

    if options.listen is None:
        serve_standard_streams()
        return exits.OK
    with listening(options.listen) as server:
        write_error(f"debug adapter: listening on 127.0.0.1:{server.getsockname()[1]}\n")
        serve_port(server)
    return exits.OK


def in_terminal(options: argparse.Namespace) -> int:
    """Debug with commands on standard input; 1 if the last compile failed."""
    from bunraku.debug.breakpoints import Breakpoints
    from bunraku.debug.terminal import Terminal

    observer = observer_of(options, "notice")
    context = context_of(options, observer, below=options.file is None and options.execute is None)
    what = CodeOrManifest(options.execute, options.file)
    systems = facts_on(options.os, None, options.node, context.options.environment)
    terminal = Terminal(
        compile_request(context, what, system_facts=systems),
        ask,
        write,
        lambda error: write_error(text_report(error, observer.printer.paint)),
        observer.log,
        lambda debugger, sources: Breakpoints(debugger, sources, context.dialect),
    )
    return exits.OK if terminal.session() else exits.FINDINGS


def ask(prompt: str) -> str:
    """Return a line of the user, with editing and a history where Python has them."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        write(f"{prompt}{line}" if line.endswith("\n") else f"{prompt}{line}\n")
        return line
    with suppress(ImportError):
        import_module("readline")  # input() uses it then
    return input(prompt)
