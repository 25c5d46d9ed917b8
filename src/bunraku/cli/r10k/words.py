"""A command line by the rules of cri, r10k's parser: subcommands, options anywhere between arguments.

A subcommand may be cut short. Options of a command are also those of its subcommands, and may stand
before them. An optional value is the next word, unless that begins with a dash.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from bunraku.base.lazy_patterns import lazy_pattern
from bunraku.base.lazy_typing import Literal
from bunraku.base.records import field, record

WITH_VALUE = lazy_pattern(r"--([^=]+)=(.+)", re.DOTALL)
Value = str | bool
Options = dict[str, Value]


@record(frozen=True)
class OptionRule:
    """An option: names, whether it takes a value, what it is for. ``valid`` checks its value."""

    name: str
    summary: str
    short: str = ""
    value: Literal["", "required", "optional"] = ""
    default: str = ""
    choices: tuple[str, ...] = ()


@record(frozen=True)
class CommandRule:
    """A command with its options and subcommands. ``accepts`` are the options that it understands."""

    name: str
    usage: str
    summary: str
    description: str = ""
    alias: str = ""
    options: tuple[OptionRule, ...] = ()
    commands: tuple[CommandRule, ...] = ()
    accepts: frozenset[str] = frozenset()


@record(frozen=True)
class Call:
    """A command with the commands above it, its options by their long names, and its arguments."""

    path: tuple[CommandRule, ...]
    options: Options
    arguments: tuple[str, ...] = ()
    help_of: tuple[CommandRule, ...] | None = None

    @property
    def name(self) -> str:
        """The names of the commands below the first one."""
        return " ".join(command.name for command in self.path[1:])

    def text(self, name: str) -> str:
        """Return the value of an option; empty without one."""
        value = self.options.get(name)
        return value if isinstance(value, str) else ""


class WrongWords(Exception):
    """The words cannot be understood: the message for standard error."""


@record()
class Scanner:
    """Splits words into options and arguments; ``stops`` at the first argument."""

    command: str
    rules: tuple[OptionRule, ...]
    words: list[str]
    stops: bool = False
    options: Options = field(default_factory=dict)
    arguments: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Read words until they end, or until the first argument."""
        no_more_options = False
        while self.words:
            word = self.words.pop(0)
            if word == "--" and not no_more_options:
                no_more_options = True
            elif word.startswith("--") and len(word) > 2 and not no_more_options:
                self.long(word)
            elif word.startswith("-") and len(word) > 1 and not no_more_options:
                for letter in word[1:]:
                    self.add(self.rule(letter, short=True), letter, None)
            else:
                self.arguments.append(word)
                if self.stops:
                    return

    def long(self, word: str) -> None:
        """Read a long option, whose value may stand behind an equals sign."""
        found = WITH_VALUE.fullmatch(word)
        name, value = (found[1], found[2]) if found else (word[2:], None)
        self.add(self.rule(name), name, value)

    def rule(self, name: str, *, short: bool = False) -> OptionRule:
        """Return the option with a name."""
        for rule in self.rules:
            if name == (rule.short if short else rule.name):
                return rule
        raise WrongWords(f"{self.command}: unrecognised option -- {name}")

    def add(self, rule: OptionRule, name: str, value: str | None) -> None:
        """Add an option with its value."""
        if not rule.value:
            self.options[rule.name] = True
            return
        found: Value = value if value is not None else self.next_value(rule, name)
        if rule.choices and found is not True and found not in rule.choices:
            raise WrongWords(f'{self.command}: invalid value "{found}" for --{rule.name} option')
        self.options[rule.name] = found

    def next_value(self, rule: OptionRule, name: str) -> Value:
        """Take the next word as the value of an option; True if an optional value is missing."""
        if self.words and not self.words[0].startswith("-"):
            return self.words.pop(0)
        if rule.value == "required":
            raise WrongWords(f"{self.command}: option requires an argument -- {name}")
        return rule.default or True


def parse(root: CommandRule, words: Sequence[str]) -> Call:
    """Return what a command line asks for; raise WrongWords.

    A call with ``help_of`` asks for the help of a command, which comes before everything behind it.
    """
    path = [root]
    options: Options = {}
    rest = list(words)
    while True:
        command = path[-1]
        rules = tuple([rule for one in reversed(path) for rule in one.options])
        scanner = Scanner(command.name, rules, list(rest), stops=bool(command.commands))
        scanner.run()
        options |= scanner.options
        if "help" in scanner.options or (command.commands and not scanner.arguments):
            return Call(tuple(path), options, help_of=tuple(path))
        if not command.commands:
            return Call(tuple(path), options, tuple(scanner.arguments))
        path.append(subcommand(command, scanner.arguments[0]))
        rest = scanner.words


def subcommand(command: CommandRule, name: str) -> CommandRule:
    """Return the subcommand that a word names or begins."""
    exact = [one for one in command.commands if name in (one.name, one.alias)]
    found = exact or [one for one in command.commands if one.name.startswith(name)]
    if not found:
        raise WrongWords(f"{command.name}: unknown command '{name}'")
    if len(found) > 1:
        listed = " ".join(sorted(one.name for one in found))
        raise WrongWords(f"{command.name}: '{name}' is ambiguous:\n  {listed}")
    return found[0]


def commands_named(root: CommandRule, names: Sequence[str]) -> Iterator[CommandRule]:
    """Yield the commands that names lead to, the root first; raise WrongWords."""
    command = root
    yield command
    for name in names:
        command = subcommand(command, name)
        yield command
