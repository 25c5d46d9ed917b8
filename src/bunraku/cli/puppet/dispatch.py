"""From the words of a call of ``puppet`` to the function of its action."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from bunraku.base.suggestions import suggestion
from bunraku.cli import exits
from bunraku.cli.exits import UsageError
from bunraku.cli.output.output import write

ACTIONS = {
    ("catalog", "compile"): ("bunraku.cli.puppet.catalog", "compile_node"),
    ("catalog", "find"): ("bunraku.cli.puppet.catalog", "find"),
    ("config", "print"): ("bunraku.cli.puppet.config", "print_settings"),
    ("epp", "dump"): ("bunraku.cli.puppet.epp", "dump"),
    ("epp", "render"): ("bunraku.cli.puppet.epp", "render"),
    ("epp", "validate"): ("bunraku.cli.puppet.epp", "validate"),
    ("parser", "dump"): ("bunraku.cli.puppet.dump", "dump"),
    ("parser", "validate"): ("bunraku.cli.puppet.parser", "validate"),
}
"""Subcommand and action → the module and the function that runs it; only that is imported."""
FORWARDED = ("apply", "agent", "resource", "ssl", "lookup", "facts")
"""Subcommands of Puppet that are commands of bunraku with the same options."""
HELP = """\
Usage: puppet <subcommand> [options] <action> [options]

bunraku runs these subcommands of Puppet:

{actions}
These are the commands of bunraku with the same names:

{forwarded}
"""


def run(words: Sequence[str]) -> int:
    """Run a call of ``puppet``; return its exit code. UsageError for what is not supported."""
    if words[:1] in (["--version"], ["-V"]):
        write(f"{version()}\n")
        return exits.OK
    if not words or words[0] in {"help", "--help", "-h"}:
        return helped(list(words[1:]))
    if words[0] in FORWARDED:
        return forwarded(words)
    return face(words[0], list(words[1:]))


def face(name: str, rest: list[str]) -> int:
    """Run an action of a subcommand; options may stand before the action."""
    actions = [action for face, action in ACTIONS if face == name]
    if not actions:
        known = {*(face for face, _ in ACTIONS), *FORWARDED}
        raise UsageError(
            f"the subcommand '{name}' is not supported{suggestion(name, known)}", "puppet"
        )
    at = next((index for index, word in enumerate(rest) if word in actions), None)
    if at is None:
        word = next((word for word in rest if not word.startswith("-")), "")
        raise UsageError(
            f"'{name}' has no action '{word}'; use one of {', '.join(actions)}", "puppet"
        )
    module, function = ACTIONS[name, rest.pop(at)]
    code: int = getattr(import_module(module), function)(rest)
    return code


def helped(words: list[str]) -> int:
    """Print the help of an action, the actions of a subcommand, or the subcommands."""
    if not words:
        write(help_text())
        return exits.OK
    if words[0] in FORWARDED:
        return forwarded([words[0], "--help"])
    actions = [action for face, action in ACTIONS if face == words[0]]
    if actions and not words[1:]:
        listed = "".join(f"  {one}\n" for one in actions)
        write(f"Usage: puppet {words[0]} <action>\n\n{listed}")
        return exits.OK
    return face(words[0], [*words[1:], "--help"])


def forwarded(words: Sequence[str]) -> int:
    """Run the command of bunraku with the name of a subcommand."""
    command = import_module(f"bunraku.cli.commands.{words[0]}")
    options = import_module("bunraku.cli.options.parser").options_of(
        words[0], command, list(words[1:])
    )
    code: int = command.run(options)
    return code


def version() -> str:
    """Return the version of Puppet whose language is chosen: by BUNRAKU_LANGUAGE or bunraku.toml."""
    arguments = import_module("bunraku.cli.puppet.arguments")
    parser = arguments.parser_for("--version", "")
    options = arguments.call_of(parser, [], "user").options
    dialect = import_module("bunraku.cli.options.language").dialect_for(options)
    return str(dialect.version)


def help_text() -> str:
    """Return the list of subcommands."""
    actions = "".join(f"  {face} {action}\n" for face, action in ACTIONS)
    return HELP.format(actions=actions, forwarded="".join(f"  {name}\n" for name in FORWARDED))
