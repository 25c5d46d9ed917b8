"""``docs/man/``: the manual pages, from the parsers of the commands, for ``man bunraku-compile``."""

from __future__ import annotations

import argparse
import re
from importlib import import_module
from pathlib import Path

from bunraku.base.command_names import COMMANDS, GROUPS
from bunraku.cli import exits
from bunraku.cli.options.help_texts import HELP_TEXTS
from bunraku.cli.options.parser import Parser, parser_of
from tools.write_command_pages import sentence, usage

MAN = Path(__file__).parents[2] / "docs" / "man"


def pages() -> dict[Path, str]:
    """Return all manual pages by their files."""
    made = {MAN / f"bunraku-{name}.1": page(name) for name in COMMANDS}
    return {MAN / "bunraku.1": overview(), **made}


def overview() -> str:
    """Return the page of the program: its commands by job."""
    text = head("bunraku", "the Puppet language with all that belongs to it", "bunraku COMMAND …")
    for job, names in GROUPS.items():
        text += f".SS {roff(job)}\n"
        for name in names.split():
            text += f".TP\n.BR bunraku\\-{roff(name)} (1)\n{roff(sentence(COMMANDS[name]))}\n"
    return text + codes(exits.HELP)


def page(name: str) -> str:
    """Return the page of a command: its options, examples and exit codes."""
    module = import_module(f"bunraku.cli.commands.{name}")
    parser = parser_of(name, module)
    text = head(f"bunraku-{name}", COMMANDS[name], usage(parser))
    paragraphs = str(parser.description).strip().replace("``", "").split("\n\n")
    text += ".SH DESCRIPTION\n" + "\n.PP\n".join(map(roff, paragraphs)) + "\n" + options(parser)
    texts = HELP_TEXTS.get(name, {})
    if "examples" in texts:
        examples = re.sub(r"^  ", "", texts["examples"], flags=re.MULTILINE)
        text += f".SH EXAMPLES\n.nf\n{roff(examples.rstrip())}\n.fi\n"
    text += codes(texts.get("exit_codes", exits.HELP))
    return f"{text}.SH SEE ALSO\n.BR bunraku (1)\n"


def head(name: str, summary: str, usage_line: str) -> str:
    """Return the begin of a page."""
    title = f'.TH "{roff(name.upper())}" "1" "" "bunraku" "User Commands"\n'
    synopsis = f".SH SYNOPSIS\n.B {roff(usage_line)}\n"
    return f"{title}.SH NAME\n{roff(name)} \\- {roff(summary)}\n{synopsis}"


def options(parser: Parser) -> str:
    """Return the options of a command, by group."""
    text = ".SH OPTIONS\n"
    for group in parser._action_groups:
        actions = [one for one in group._group_actions if one.help != argparse.SUPPRESS]
        if actions:
            text += f".SS {roff(str(group.title).capitalize())}\n" + "".join(map(option, actions))
    return text


def option(action: argparse.Action) -> str:
    """Return an option or an argument with its help."""
    value = ""
    if action.nargs != 0:
        choices = "|".join(map(str, action.choices or ()))
        value = str(action.metavar or choices or action.dest.upper()).strip()
    names = ", ".join(f"{one} {value}".strip() for one in action.option_strings) or value
    help_text = sentence((action.help or "").replace("%%", "%"))
    return f".TP\n.B {roff(names)}\n{roff(help_text)}\n"


def codes(text: str) -> str:
    """Return the exit codes; each of their texts may have several lines."""
    found = re.findall(r"^  (\w+) +(.*(?:\n {5,}.*)*)$", text, re.MULTILINE)
    entries = (f".TP\n.B {code}\n{roff(' '.join(what.split()))}\n" for code, what in found)
    return ".SH EXIT STATUS\n" + "".join(entries)


def roff(text: str) -> str:
    """Return a text as roff reads it: no line is a request."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", escaped, flags=re.MULTILINE)
