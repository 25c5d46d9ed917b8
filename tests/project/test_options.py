"""The table of options: a new option is declared once, and every reader has it."""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys

import pytest

from bunraku.base.command_names import COMMANDS
from bunraku.base.errors import PuppetError
from bunraku.base.records import record
from bunraku.base.usage import UsageError
from bunraku.cli.command_modules import command_module
from bunraku.cli.options.declarations import declare, table_group
from bunraku.cli.options.shared import named_pairs
from bunraku.jobs.batch import REQUEST
from bunraku.modules.classifier import TERMINI
from bunraku.modules.settings import WORDS
from bunraku.project.config_file import read_config_file
from bunraku.project.option_kinds import KINDS, check_options
from bunraku.project.options import (
    FILE,
    FLAG,
    PYTHON,
    TABLE,
    CompileOptions,
    configured_defaults,
    option,
    options_in,
)


@record(slots=False)
class MoreOptions(CompileOptions):
    """The options of a compile, and a new one."""

    stage_height: str | None = option(
        None,
        "height of the stage",
        kind="choice",
        choices=("low", "high"),
        by=FLAG | FILE | PYTHON,
        group="language",
    )


MORE = options_in(MoreOptions)


def parser_with(*names):
    parser = argparse.ArgumentParser()
    declare(parser, "\n".join(f"@{name}" for name in names), {})
    return parser


def test_a_new_option_is_a_flag():
    parser = argparse.ArgumentParser()
    declare(parser, table_group("language", MORE), {}, MORE)
    assert parser.parse_args(["--stage-height", "low"]).stage_height == "low"
    assert "height of the stage" in parser.format_help()


def test_a_new_option_is_a_key_of_the_configuration():
    configured = read_config_file("/c/bunraku.toml", b"stage_height = 'high'", MORE)
    defaults = configured_defaults({"stage_height": None}, configured, MORE)
    assert MoreOptions(**defaults).stage_height == "high"
    with pytest.raises(PuppetError, match="'stage_height' must be one of low, high"):
        read_config_file("/c/bunraku.toml", b"stage_height = 'hihg'", MORE)
    with pytest.raises(PuppetError, match=r"stage_heigt.*stage_height"):
        read_config_file("/c/bunraku.toml", b"stage_heigt = 'high'", MORE)


def test_a_new_option_is_a_keyword():
    check_options({"stage_height": "low"}, MORE)
    with pytest.raises(TypeError, match="stage_height: expected a string, not 3"):
        check_options({"stage_height": 3}, MORE)


def test_every_option_has_a_kind_and_a_meaning():
    assert {one.kind for one in TABLE.values()} <= KINDS.keys()
    assert all(one.meaning and one.by for one in TABLE.values())
    assert all((one.kind == "choice") == bool(one.choices) for one in TABLE.values())


def test_the_choices_of_settings_are_those_of_puppet():
    assert TABLE["node_terminus"].choices == TERMINI
    assert TABLE["strict"].choices == WORDS["strict"]


@pytest.mark.parametrize("name", [name for name, one in TABLE.items() if one.by & FLAG])
def test_every_flag_can_be_added_and_has_its_default(name):
    parser = parser_with(name)
    (found,) = vars(parser.parse_args([])).values()
    expected = TABLE[name].default
    assert found == ([] if TABLE[name].kind in {"globs", "table"} else expected)


def test_true_and_false_are_no_numbers():
    with pytest.raises(TypeError, match="jobs: expected a number, not True"):
        check_options({"jobs": True}, TABLE)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        ({"language": 8}, "language: expected a String, got an Integer"),
        ({"modulepath": "/a"}, "modulepath: expected an Array of Strings, got a String"),
        ({"settings": {"strict": []}}, "settings.strict: expected a single value or nothing"),
        ({"trusted": []}, "trusted: expected a Hash, got an Array"),
        ({"node_classes": "a"}, "node_classes: expected an Array of Strings or a Hash"),
        ({"timeout": "5m"}, "timeout: expected a number, got a String"),
    ],
)
def test_fields_of_the_batch_protocol_have_the_shapes_of_their_kinds(request_, expected):
    assert str(REQUEST.mismatch(request_)).startswith(expected)


@pytest.mark.parametrize(
    ("name", "value", "problem"),
    [
        ("strict", "of", "strict: expected one of off, warning, error, not 'of'"),
        ("strct", "off", "unknown setting 'strct' (did you mean 'strict'?)"),
    ],
)
def test_wrong_settings_are_errors_everywhere(name, value, problem):
    with pytest.raises(UsageError, match=re.escape(f"--set: {problem}")):
        list(named_pairs([f"{name}={value}"]))
    with pytest.raises(PuppetError, match=re.escape(problem)):
        read_config_file("/c/bunraku.toml", f"[settings]\n{name} = '{value}'\n".encode())
    with pytest.raises(ValueError, match=re.escape(f"settings: {problem}")):
        check_options({"settings": {name: value}}, TABLE)


def test_a_wrong_word_is_an_error_of_a_keyword():
    with pytest.raises(ValueError, match=r"follow: expected one of .*did you mean 'puppet'"):
        check_options({"follow": "pupet"}, TABLE)


def added_by_hand(command):
    """The names under which a command stores the values of flags that it declares itself."""
    lines = re.sub(r"\n +", " ", getattr(command, "OPTIONS", "")).split("\n")
    parser = argparse.ArgumentParser(add_help=False)
    own = "\n".join(line for line in lines if not line.startswith("@"))
    declare(parser, own, getattr(command, "RULES", {}))
    return {one.dest for one in parser._actions if one.option_strings}


def test_flags_of_the_table_are_declared_there_alone():
    found = {(name, flag) for name in COMMANDS for flag in added_by_hand(command_module(name))}
    assert len(found) > 150
    wrong = [one for one in found if one[1] in TABLE]
    assert not wrong, (
        "begin its line with @, or use another dest: bunraku.toml would set its default"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["lint", "a.pp"], ""),
        (["puppetdb"], "--database FILE is required"),
        (["batch"], ""),
    ],
)
def test_the_configuration_sets_no_flags_of_other_meanings(words, message, tmp_path):
    (tmp_path / "bunraku.toml").write_text("config = 'puppet.conf'\ntimeout = '1'\njobs = 3\n")
    (tmp_path / "puppet.conf").write_text("--fail-on-warnings\n")
    (tmp_path / "a.pp").write_text('notify { "a": }\n')
    done = subprocess.run(
        [sys.executable, "-m", "bunraku", *words],
        cwd=tmp_path,
        input="",
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "HOME": str(tmp_path)},
    )
    assert message in done.stderr
    assert bool(done.returncode) == bool(message)
