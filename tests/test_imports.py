"""The imports of the small commands: users wait for them each time."""

from __future__ import annotations

import subprocess
import sys

import pytest

COMMAND = "bunraku bunraku.base bunraku.base.descriptors bunraku.base.encoding bunraku.base.usage bunraku.cli bunraku.base.command_names bunraku.cli.exits bunraku.cli.main bunraku.cli.output bunraku.cli.output.output bunraku.base.standard_streams bunraku.base.lazy_typing"
VALIDATE = "bunraku.base.signals bunraku.checks bunraku.checks.checker bunraku.cli.options.checked_files bunraku.cli.command_modules bunraku.cli.commands bunraku.cli.commands.validate bunraku.cli.options bunraku.cli.options.config_file bunraku.cli.options.context bunraku.cli.options.declarations bunraku.cli.options.parser bunraku.cli.options.records bunraku.cli.options.shared bunraku.engine bunraku.engine.programs bunraku.cli.report bunraku.cli.report.formats bunraku.jobs bunraku.jobs.checked_files bunraku.jobs.context bunraku.jobs.observer bunraku.jobs.validate bunraku.project bunraku.project.options"
DIALECT = "bunraku.base.lazy_imports bunraku.compiler bunraku.compiler.rules bunraku.dialects bunraku.dialects.dialect bunraku.dialects.languages bunraku.dialects.puppet_8 bunraku.runtime bunraku.runtime.rules"
LOWEST = "bunraku.base.errors bunraku.base.fences bunraku.base.file_reading bunraku.base.garbage_collection bunraku.base.initialisers bunraku.base.lazy_patterns bunraku.base.metaparameters bunraku.base.records bunraku.base.source bunraku.base.system bunraku.limits bunraku.limits.limits bunraku.syntax"

# Modules of others that take long, or bring many more.
HEAVY = (
    "asyncio bz2 cffi concurrent cryptography email hashlib importlib.metadata ipaddress json logging"
    " lzma multiprocessing onigurumacffi orjson pathlib random shutil socket subprocess tempfile"
    " signal tree_sitter urllib.parse yaml zipfile"
    # Modules that our records, patterns and hints replace.
    " ast base64 dataclasses inspect tokenize typing"
)


def imported(*arguments):
    """The modules in memory after a command, those of Python's own start left out."""
    program = (
        "import sys; before = set(sys.modules); from bunraku.cli.main import main;"
        f"assert main({list(arguments)!r}) == 0;"
        "print(*sorted(set(sys.modules) - before), sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    lines = done.stdout.splitlines()
    return lines[1:] if lines[0].startswith("bunraku 0") else lines


def ours(modules):
    return [name for name in modules if name.split(".")[0] == "bunraku"]


def test_the_version_takes_the_command_alone():
    modules = imported("--version")
    assert ours(modules) == sorted([*COMMAND.split(), "bunraku._version", "bunraku.base.version"])
    assert not set(HEAVY.split()) & set(modules)
    assert not {"argparse", "re", "enum"} & set(modules)


@pytest.mark.parametrize(
    "code", ["notice('hello')", "class a { include b, 'c' }", "$a = @(END)\n x\n END"]
)
def test_validating_takes_the_syntax_alone(code):
    modules = imported("validate", "-e", code)
    allowed = [*COMMAND.split(), *LOWEST.split(), *VALIDATE.split(), *DIALECT.split()]
    others = [name for name in ours(modules) if not name.startswith("bunraku.syntax.")]
    assert sorted(others) == sorted(allowed)
    assert "bunraku.syntax.parser.advice" not in modules
    assert not set(HEAVY.split()) & set(modules)


def test_a_regular_expression_takes_no_more_than_the_translator():
    modules = imported("validate", "-e", "if 'a' =~ /a+/ { notice($0) }")
    assert "onigurumacffi" not in modules
    parts = {name.split(".")[1] for name in ours(modules)[1:]}
    allowed = {
        "base",
        "checks",
        "cli",
        "compiler",
        "dialects",
        "engine",
        "jobs",
        "limits",
        "project",
        "runtime",
        "syntax",
        "values",
    }
    assert parts == allowed
    assert {"bunraku.compiler.code", "bunraku.runtime.state"}.isdisjoint(modules)


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif"])
def test_reports_are_imported_when_asked_for(form):
    modules = imported("validate", "-e", "$a = 1", "--format", form)
    assert ("bunraku.jobs.sarif" in modules) == (form == "sarif")
    assert ("bunraku.cli.report.findings" in modules) == (form in {"json", "github"})


def test_compiling_takes_no_readers_that_nothing_is_read_with(tmp_path):
    facts = tmp_path / "facts.json"
    facts.write_text("{}")
    modules = set(imported("compile", "--facts", str(facts), "-e", "notice(1)"))
    assert not modules & {"cryptography", "dataclasses", "inspect", "socket", "tree_sitter", "yaml"}


def test_a_command_line_of_r10k_takes_no_parser_of_options():
    modules = set(imported("r10k", "version"))
    assert not modules & {"argparse", "gettext", "subprocess", "textwrap", "yaml"}


def test_reading_a_puppetfile_takes_the_compiled_parts_of_tree_sitter_alone(tmp_path):
    (tmp_path / "Puppetfile").write_text("mod 'puppetlabs/stdlib', '9.0.0'\n")
    modules = set(imported("validate", str(tmp_path / "Puppetfile")))
    assert {"tree_sitter._binding", "tree_sitter_ruby._binding"} <= modules
    assert not modules & {"importlib.resources", "tempfile", "tree_sitter", "tree_sitter_ruby"}


def test_documenting_a_module_takes_no_more_than_its_files_need(tmp_path):
    module = tmp_path / "ntp"
    (module / "manifests").mkdir(parents=True)
    (module / "manifests/init.pp").write_text("# @summary Time\nclass ntp { }\n")
    modules = set(imported("docs", str(module), "--out", str(tmp_path / "page.md")))
    assert not modules & {
        "difflib",
        "json",
        "signal",
        "subprocess",
        "tree_sitter._binding",
        "typing",
    }
