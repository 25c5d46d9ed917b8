"""Puppetfiles beside r10k 5.0.2, whose loader answered each of ``puppetfiles.jsonl``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bunraku.base.source import Source
from bunraku.project.declared_modules import (
    ForgeModule,
    GitModule,
    LocalModule,
    SubversionModule,
    TarballModule,
)
from bunraku.project.puppetfile import read_puppetfile, read_puppetfile_text
from bunraku.world.dictionary import DictionaryWorld

LINES = Path(__file__).with_name("puppetfiles.jsonl").read_text(encoding="utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
KINDS = {
    ForgeModule: "Forge",
    GitModule: "Git",
    SubversionModule: "SVN",
    TarballModule: "Tarball",
    LocalModule: "Local",
}
TEXTS = {
    "Forge": ("version",),
    "Git": ("remote", "ref", "default_branch"),
    "SVN": ("url", "revision", "username", "password"),
    "Tarball": ("source", "sha256"),
    "Local": (),
}
ENVIRONMENT_ALONE = "control repo branch"
"""r10k warns where a Puppetfile is read without an environment."""


def read(text):
    return read_puppetfile_text(Source(text, "/c/Puppetfile"), "/c")


def found_in(text):
    """Return what the reader makes of a text, in the form of the record."""
    puppetfile = read(text)
    levels = [one.severity for one in puppetfile.findings]
    if "error" in levels:
        return "error"
    return {
        "moduledir": puppetfile.moduledir,
        "modules": [shown(one) for one in puppetfile.modules],
        "warnings": levels.count("warning"),
    }


def shown(module):
    kind = KINDS[type(module.source)]
    texts = {name: getattr(module.source, name) or None for name in TEXTS[kind]}
    if kind == "Git" and module.source.control_branch:
        texts["ref"] = ":control_branch"
    if texts.get("version") == "latest":
        texts["version"] = ":latest"
    return {
        "kind": kind,
        "owner": module.owner or None,
        "name": module.name,
        "directory": module.directory,
        **texts,
        "exclude_spec": module.exclude_spec is not False,
    }


def recorded(case):
    """Return what r10k made of a text; numbers and symbols that it puts into commands are texts."""
    if "error" in case:
        return "error"
    modules = [
        {
            **one,
            **{name: in_command(one[name]) for name in ("ref", "revision") if name in one},
            "exclude_spec": bool(one["exclude_spec"]) and not is_elsewhere(one, case),
        }
        for one in case["modules"]
    ]
    warnings = [one for one in case["warnings"] if ENVIRONMENT_ALONE not in one]
    return {"moduledir": case["moduledir"], "modules": modules, "warnings": len(warnings)}


def is_elsewhere(module, case):
    """Return whether an ``install_path`` counts: r10k keeps the directory ``spec`` there."""
    inside = module["directory"].rpartition("/")[0] == case["moduledir"]
    return "install_path" in case["text"] and not inside


def in_command(value):
    if value is None or value == "":
        return None
    return value if value == ":control_branch" else str(value).removeprefix(":")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:60])
def test_the_reader_agrees_with_the_loader_of_r10k(case):
    agrees = found_in(case["text"]) == recorded(case)
    assert agrees != ("differs" in case)


def test_the_record_covers_all_forms():
    loaded = [case for case in CASES if "modules" in case]
    kinds = {one["kind"] for case in loaded for one in case["modules"]}
    assert kinds == set(KINDS.values())
    assert len(CASES) - len(loaded) > 60
    assert len(loaded) > 60


def messages(text):
    return [
        (one.line, one.column, one.severity, one.code, one.message) for one in read(text).findings
    ]


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (
            "modd 'a/b'",
            (1, 1, "error", "PUPPETFILE", "unknown declaration 'modd' (did you mean 'mod'?)"),
        ),
        ("mod", (1, 1, "error", "PUPPETFILE", "'mod' takes one or two values, not 0 values")),
        ("mod foo", (1, 5, "error", "PUPPETFILE", "'foo' is neither a string nor a symbol")),
        ("mod :x", (1, 1, "error", "PUPPETFILE", "the first value of 'mod' must be a string")),
        (
            "\nmod 'a b'",
            (2, 1, "error", "PUPPETFILE_MODULE_NAME", "'a b' is not a name of a module"),
        ),
        ("mod 'a'", (1, 1, "error", "PUPPETFILE_MODULE_NAME", "the Forge module 'a' has no owner")),
        (
            "mod 'a/b', '1.x'",
            (
                1,
                12,
                "error",
                "PUPPETFILE_MODULE_VERSION",
                "the version '1.x' of the Forge module 'a/b' is not valid",
            ),
        ),
        (
            "mod 'a/b', version: '1'",
            (
                1,
                1,
                "error",
                "PUPPETFILE_MODULE_SOURCE",
                "cannot tell where the module 'a/b' comes from",
            ),
        ),
        (
            "mod 'b', :git => ''",
            (1, 1, "error", "PUPPETFILE_MODULE_SOURCE", "the git module 'b' has no URL"),
        ),
        (
            "mod 'b',\n  :git => 'u',\n  :brunch => 'x'",
            (
                3,
                3,
                "warning",
                "PUPPETFILE_MODULE_OPTION",
                "the git module 'b' has an unknown option 'brunch' (did you mean 'branch'?)",
            ),
        ),
        (
            "mod 'b', :git => 'u', :ref => 'x', :tag => 'y'",
            (
                1,
                36,
                "warning",
                "PUPPETFILE_MODULE_OPTION",
                "the options 'ref' and 'tag' of the module 'b' mean the same; 'tag' is used",
            ),
        ),
        (
            "mod 'b', :git => 'u', 'ref' => 'x'",
            (
                1,
                23,
                "warning",
                "PUPPETFILE_MODULE_OPTION",
                "the module 'b' has an option whose name is not a symbol",
            ),
        ),
        (
            "mod 'b', :git => 5",
            (
                1,
                10,
                "error",
                "PUPPETFILE_MODULE_OPTION",
                "the option 'git' of the module 'b' must be a string",
            ),
        ),
        (
            "mod 'b', :git => 'u', :path => '../x'",
            (
                1,
                23,
                "error",
                "PUPPETFILE_MODULE_OPTION",
                "the path '../x' of the module 'b' must be a directory inside of its repository",
            ),
        ),
        (
            "mod 'b', :git => 'u', :install_path => '/etc'",
            (
                1,
                23,
                "error",
                "PUPPETFILE_INSTALL_PATH",
                "the module 'b' would be installed in /etc, outside of /c",
            ),
        ),
        (
            "mod 'a/b'\nmod 'c/b'",
            (2, 1, "error", "PUPPETFILE_DUPLICATE", "the module 'b' is already declared in line 1"),
        ),
        (
            "mod 'b', :git => 'u', :ref => ENV['X']",
            (
                1,
                31,
                "error",
                "PUPPETFILE_NOT_LITERAL",
                "cannot read an element of 'ENV', because bunraku does not run a Puppetfile as Ruby",
            ),
        ),
        ("mod 'a/b',", (1, 1, "error", "PUPPETFILE_NOT_RUBY", "the Puppetfile is not valid Ruby")),
    ],
)
def test_what_is_wrong_has_a_place_a_level_and_a_code(text, finding):
    assert messages(text) == [finding]


def test_all_mistakes_are_reported():
    found = messages("mod 'a/b', '1.x'\nfoo 'x'\nmod 'c', :git => \"#{x}\"\nmod 'd/e'\n")
    assert [one[0] for one in found] == [1, 2, 3]


def test_a_module_in_a_directory_of_a_repository():
    (module,) = read("mod 'b', git: 'u', path: './modules/b/'").modules
    assert module.source == GitModule("u", subdirectory="modules/b")


def test_the_place_and_the_title_of_a_declaration():
    (module,) = read("# ä\n  mod 'acme/alpha',\n  '1.0.0'\n").modules
    assert (module.title, module.path, module.line, module.column) == (
        "acme/alpha",
        "/c/Puppetfile",
        2,
        3,
    )


def test_the_forge_and_the_directory_of_the_caller():
    source = Source("forge 'https://forge.example.org'\nmod 'a/b'\n", "/c/Puppetfile")
    found = read_puppetfile_text(source, "/c", moduledir="external")
    assert found.forge == "https://forge.example.org"
    assert [one.directory for one in found.modules] == ["/c/external/b"]


def test_names_are_known_where_the_rest_is_refused():
    text = "if x\n  mod 'a/b'\nend\nmod 'c/d', VERSION\nmod 'e', :git => \"#{x}\", :install_path => 'y'\n"
    found = read(text)
    assert found.modules == ()
    assert [(one.name, one.directory, one.line) for one in found.names] == [
        ("b", "/c/modules/b", 2),
        ("d", "/c/modules/d", 4),
        ("e", "/c/modules/e", 5),
    ]


def test_no_finding_shows_a_password():
    text = (
        "mod 'a', :git => 'https://me:s3cret@host/a', :nosuch => 1\n"
        "mod 'b', :svn => 'u', :username => 'me', :password => 's3cret', :nosuch => 1\n"
        "mod 'c', :git => 'https://token-s3cret@host/a',\n  :ref => x\n"
        "mod 'd', version: 's3cret', password: 's3cret'\n"
    )
    findings = read(text).findings
    assert len(findings) == 4
    for one in findings:
        assert "s3cret" not in one.message
        assert one.place.code is None or "s3cret" not in one.place.code.source.line_text(one.line)


def test_a_project_without_a_puppetfile_declares_nothing():
    found = read_puppetfile("/c", DictionaryWorld({}))
    assert (found.modules, found.findings, found.moduledir) == ((), [], "/c/modules")
