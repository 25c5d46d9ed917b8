"""The help of a command of r10k, in the layout of cri."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.cli.r10k.words import CommandRule, OptionRule

WIDTH = 78


def wrapped_lines(text: str, start: str, next_lines: str) -> str:
    """Return a text in lines of the width, each after its indentation."""
    from textwrap import fill  # deployments import this module, too

    return fill(text, WIDTH, initial_indent=start, subsequent_indent=next_lines)


def help_text(path: Sequence[CommandRule]) -> str:
    """Return the help of the last command of a path."""
    command = path[-1]
    usage = " ".join([*(one.name for one in path[:-1]), command.usage])
    alias = f"\n    aliases: {command.alias}" if command.alias else ""
    sections = [
        ("NAME", f"    {command.name} - {command.summary}{alias}"),
        ("USAGE", f"    {usage}"),
    ]
    if command.description:
        wrapped = wrapped_lines(command.description, " " * 4, " " * 4)
        sections.append(("DESCRIPTION", wrapped))
    if command.commands:
        width = max(len(one.name) for one in command.commands) + 5
        listed = [f"    {one.name:<{width}}{one.summary}" for one in command.commands]
        sections.append(("COMMANDS" if len(path) == 1 else "SUBCOMMANDS", "\n".join(listed)))
    sections += option_sections(path)
    return "\n\n".join(f"{title}\n{body}" for title, body in sections) + "\n"


def option_sections(path: Sequence[CommandRule]) -> list[tuple[str, str]]:
    """Return the options of a command, and those of the commands above it."""
    groups = [("OPTIONS", list(path[-1].options))]
    if len(path) > 1:
        above = [rule for one in path[:-1] for rule in one.options]
        groups.append((f"OPTIONS FOR {path[-2].name.upper()}", above))
    width = max(len(option_words(rule)) for _, rules in groups for rule in rules) + 4
    return [
        (title, "\n".join(option_text(rule, width) for rule in sorted(rules, key=option_order)))
        for title, rules in groups
        if rules
    ]


def option_order(rule: OptionRule) -> str:
    """Return the name by which options are sorted."""
    return rule.short or rule.name


def option_words(rule: OptionRule) -> str:
    """Return an option as it is written."""
    value = {"required": "=<value>", "optional": "[=<value>]"}.get(rule.value, "")
    short = f"-{rule.short}" if rule.short else "  "
    return f"{short} --{rule.name}{value}"


def option_text(rule: OptionRule, width: int) -> str:
    """Return the lines of an option."""
    default = f" (default: {rule.default})" if rule.default else ""
    start = f"    {option_words(rule):<{width}}"
    return wrapped_lines(rule.summary + default, start, " " * (width + 4))
