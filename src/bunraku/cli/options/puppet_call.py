"""The words of a call of ``puppet``: options of the action, and every setting of Puppet."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from bunraku.base.records import record
from bunraku.cli.options.config_file import configured_values
from bunraku.cli.options.context import context_of
from bunraku.cli.options.declarations import LANGUAGE, Rules, choice, declare
from bunraku.cli.options.parser import HelpFormatter, Parser
from bunraku.cli.options.puppet_settings import PUPPET_SETTINGS, chosen_settings
from bunraku.cli.report.puppet_messages import Messages
from bunraku.dialects.dialect import Dialect
from bunraku.jobs.puppet_environment import PuppetSettings, given_settings
from bunraku.modules.settings import resolve
from bunraku.project.options import configured_defaults

LANGUAGE_VARIABLE = "BUNRAKU_LANGUAGE"
"""Names the language, as ``--language`` does, for callers that only know Puppet's options."""
OF_ALL_ACTIONS = f"""
@debug: show debugging messages
-v --verbose: show informative messages
{LANGUAGE}
[options]
{PUPPET_SETTINGS}
"""
RENDERING = "--render-as: format of the result (default: console)"
NO_RULES: Rules = {}
PLAIN = frozenset({"false", "none"})
"""Values of the setting ``color`` without colours."""


@record()
class Call(PuppetSettings):
    """A call of an action: its options, and the settings."""

    options: argparse.Namespace
    messages: Messages

    @property
    def dialect(self) -> Dialect:
        """The dialect that the options name."""
        return context_of(self.options).dialect


def parser_for(
    action: str,
    description: str,
    options: str = "",
    rules: Rules = NO_RULES,
    *,
    formats: Sequence[str] = (),
) -> Parser:
    """Return a parser with the options of an action, and those that all actions have.

    ``formats`` are the words of ``--render-as``.
    """
    parser = Parser(
        prog=f"puppet {action}",
        description=description,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    parser.takes_settings = True
    declare(parser, OF_ALL_ACTIONS, {"debug": {"flags": ("-d", "--debug")}})
    declare(parser, options, rules)
    if formats:
        declare(parser, RENDERING, {"render_as": choice(*formats)})
    return parser


def call_of(parser: Parser, words: Sequence[str], section: str) -> Call:
    """Return the call that the words describe; ``section`` is that of puppet.conf.

    UsageError for wrong words and a puppet.conf that cannot be read.
    """
    values = configured_values()
    parser.set_defaults(configured=values, **configured_defaults(parser.present_defaults(), values))
    options = parser.parse_intermixed_args(words)
    options.language = options.language or os.environ.get(LANGUAGE_VARIABLE) or None
    chosen = chosen_settings(options, ("strict",), parser.prog)
    given = given_settings(chosen, section, parser.prog)
    least = (
        "debug"
        if options.debug
        else "info"
        if options.verbose
        else str(given.get("log_level", "notice"))
    )
    coloured = str(given.get("color", "ansi")).lower() not in PLAIN
    messages = Messages(least, coloured=coloured)
    return Call(chosen, given, resolve(given), section, options, messages)
