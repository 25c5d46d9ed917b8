"""The lock file: what is written, what is refused, and when the declarations differ from it."""

from __future__ import annotations

import json
import stat

import pytest

from bunraku.base.errors import PuppetError
from bunraku.base.records import replace
from bunraku.base.source import Source
from bunraku.deployment.lock_file import (
    LockedModule,
    LockFile,
    declarations_digest,
    differences,
    lock_file_text,
    read_lock_file,
    write_lock_file,
)
from bunraku.project.puppetfile import read_puppetfile_text

ALPHA = LockedModule(
    "alpha",
    "forge",
    "modules/alpha",
    slug="acme-alpha",
    version="1.0.0",
    forge="https://me:secret@forge.example.com",
    digest="sha256:aa",
    dependencies=(("acme-base", ">= 1.0.0"),),
)
BASE = LockedModule(
    "base",
    "forge",
    "modules/base",
    slug="acme-base",
    version="1.2.0",
    needed_by=("zeta", "alpha"),
    declared=False,
)
GIT = LockedModule(
    "gamma",
    "git",
    "site/gamma",
    remote="https://me:secret@git.example.com/gamma.git?token=secret",
    ref="main",
    commit="0123456789012345678901234567890123456789",
    subdirectory="modules/gamma",
)
PUPPETFILE = """\
mod 'acme/alpha', '1.0.0'
mod 'gamma', :git => 'https://git.example.com/gamma.git', :branch => 'main'
mod 'own', :local => true
"""


def declared(text: str, root: str = "/c"):
    """Return the modules of a Puppetfile."""
    found = read_puppetfile_text(Source(text, f"{root}/Puppetfile"), root)
    assert found.is_readable, found.findings
    return found.modules


def lock_of(text: str = PUPPETFILE) -> LockFile:
    """Return the lock file for a Puppetfile with alpha and gamma."""
    gamma = replace(GIT, directory="modules/gamma", subdirectory="")
    return LockFile(declarations_digest(declared(text), "/c"), (ALPHA, gamma, BASE))


def failure(call, *arguments) -> tuple[str, str]:
    """Return the code and the message of the error that a call raises."""
    with pytest.raises(PuppetError) as caught:
        call(*arguments)
    return caught.value.code, caught.value.message


# -- the file --------------------------------------------------------------------------------------


def test_a_lock_file_is_read_as_it_was_written(tmp_path):
    path = str(tmp_path / "Puppetfile.lock")
    assert read_lock_file(path) is None
    assert write_lock_file(path, LockFile("sha256:1", (GIT, BASE, ALPHA)))
    found = read_lock_file(path)
    alpha = replace(ALPHA, forge="https://forge.example.com")
    base = replace(BASE, needed_by=("alpha", "zeta"))
    gamma = replace(GIT, remote="https://git.example.com/gamma.git")
    assert found == LockFile("sha256:1", (alpha, base, gamma))
    assert not write_lock_file(path, found)
    assert stat.S_IMODE((tmp_path / "Puppetfile.lock").stat().st_mode) & 0o600 == 0o600


def test_the_text_is_stable_and_has_no_credentials():
    text = lock_file_text(LockFile("sha256:1", (ALPHA, GIT)))
    assert text == lock_file_text(LockFile("sha256:1", (GIT, ALPHA)))
    assert "secret" not in text
    assert text.startswith('{\n  "declarations": "sha256:1",\n  "modules": [\n    {\n')
    assert text.endswith('  "schema": 1\n}\n')
    assert json.loads(text)["modules"][0] == {
        "name": "alpha",
        "kind": "forge",
        "directory": "modules/alpha",
        "slug": "acme-alpha",
        "version": "1.0.0",
        "forge": "https://forge.example.com",
        "digest": "sha256:aa",
        "dependencies": {"acme-base": ">= 1.0.0"},
    }


def test_a_lock_file_of_librarian_is_refused_and_stays(tmp_path):
    path = tmp_path / "Puppetfile.lock"
    path.write_text("FORGE\n  remote: https://forgeapi.puppetlabs.com\n  specs:\n    a-b (1.0.0)\n")
    before = path.read_text()
    assert failure(read_lock_file, str(path)) == (
        "LOCK_FOREIGN",
        f"{path} is a lock file of librarian-puppet, which has another format",
    )
    assert failure(write_lock_file, str(path), LockFile("x"))[0] == "LOCK_FOREIGN"
    assert path.read_text() == before


WHOLE = json.loads(lock_file_text(LockFile("sha256:1", (ALPHA,))))
MODULE = WHOLE["modules"][0]


@pytest.mark.parametrize(
    ("content", "code", "reason"),
    [
        ("", "LOCK_DAMAGED", "Expecting value"),
        ("[]", "LOCK_SCHEMA", "the schema null"),
        ({**WHOLE, "schema": 2}, "LOCK_SCHEMA", "the schema 2; this version of bunraku reads 1"),
        ({"schema": 1}, "LOCK_DAMAGED", "declarations: expected a String, got nothing"),
        ("<<<<<<< HEAD\n{}", "LOCK_DAMAGED", "the marks of a merge conflict"),
        ({**WHOLE, "modules": [3]}, "LOCK_DAMAGED", "modules[0]: expected a Hash"),
        ({**WHOLE, "modules": [{**MODULE, "kind": "x"}]}, "LOCK_DAMAGED", "expected one of forge"),
        *(
            ({**WHOLE, "modules": [MODULE | {"directory": one}]}, "LOCK_DAMAGED", "not a directory")
            for one in (
                "../alpha",
                "modules/../../alpha",
                "modules/beta",
                "",
                "modules//alpha",
                ".",
            )
        ),
        (
            {**WHOLE, "modules": [MODULE | {"name": "..", "directory": "modules/.."}]},
            "LOCK_DAMAGED",
            "not a directory",
        ),
        *(
            ({**WHOLE, "modules": [MODULE | locked]}, "LOCK_DAMAGED", f"has no {key}")
            for locked, key in [
                ({"version": None}, "version"),
                ({"version": ""}, "version"),
                ({"kind": "git"}, "commit"),
                ({"kind": "svn", "commit": None}, "commit"),
            ]
        ),
    ],
)
def test_damaged_lock_files_are_refused(tmp_path, content, code, reason):
    path = tmp_path / "Puppetfile.lock"
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    found, message = failure(read_lock_file, str(path))
    assert (found, reason in message) == (code, True), message


def test_files_that_cannot_be_read_or_written(tmp_path):
    assert failure(read_lock_file, str(tmp_path))[0] == "LOCK_NOT_READ"
    path = str(tmp_path / "missing" / "Puppetfile.lock")
    assert failure(write_lock_file, path, LockFile("x"))[0] == "LOCK_NOT_WRITTEN"


# -- declarations ----------------------------------------------------------------------------------


def test_the_digest_is_of_what_is_declared_not_of_how():
    digest = declarations_digest(declared(PUPPETFILE), "/c")
    moved = "# a comment\n" + "\n".join(reversed(PUPPETFILE.splitlines()))
    assert declarations_digest(declared(moved), "/c") == digest
    assert declarations_digest(declared(PUPPETFILE, "/elsewhere"), "/elsewhere") == digest
    secret = PUPPETFILE.replace("https://git", "https://me:secret@git")
    assert declarations_digest(declared(secret), "/c") == digest
    for old, new in [("1.0.0", "1.0.1"), ("main", "next"), ("alpha", "beta"), ("own", "other")]:
        changed = declared(PUPPETFILE.replace(old, new))
        assert declarations_digest(changed, "/c") != digest


def test_a_lock_file_for_the_same_declarations_has_no_differences():
    assert differences(lock_of(), declared(PUPPETFILE), "/c") == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("1.0.0", "1.2.0", "acme/alpha is declared as 1.2.0 (Puppetfile:1), but locked at 1.0.0"),
        (
            "main",
            "next",
            "gamma is declared with the ref next (Puppetfile:2), but locked with main",
        ),
        (
            "example.com/gamma",
            "example.org/gamma",
            (
                "gamma is declared with the remote https://git.example.org/gamma.git (Puppetfile:2), "
                "but locked with https://git.example.com/gamma.git"
            ),
        ),
        (
            "'gamma', :git => 'https://git.example.com/gamma.git', :branch => 'main'",
            "'acme/gamma', '1.0.0'",
            "acme/gamma is declared as forge (Puppetfile:2), but locked as git",
        ),
        (
            "acme/alpha",
            "other/alpha",
            "other/alpha is declared (Puppetfile:1), but acme-alpha is locked",
        ),
        (
            "mod 'own'",
            "mod 'acme/new', '1.0.0'\nmod 'own'",
            "acme/new is declared (Puppetfile:3), but not locked",
        ),
        (
            "mod 'own'",
            "mod 'acme/base'\nmod 'own'",
            "acme/base is declared (Puppetfile:3), but not locked",
        ),
        ("mod 'acme/alpha', '1.0.0'\n", "", "acme-alpha is locked, but no longer declared"),
        (
            "mod 'own', :local => true",
            "",
            "The declarations of modules changed after the lock file was written",
        ),
    ],
)
def test_differences_are_sentences(old, new, sentence):
    assert differences(lock_of(), declared(PUPPETFILE.replace(old, new)), "/c") == [sentence]


def test_a_lock_file_that_was_edited_is_compared_by_its_modules():
    lock, modules = lock_of(), declared(PUPPETFILE)
    other = tuple(replace(one, version="1.2.0") for one in lock.modules if one.kind == "forge")
    assert differences(replace(lock, modules=()), modules, "/c")[0] == (
        "acme/alpha is declared (Puppetfile:1), but not locked"
    )
    assert differences(replace(lock, modules=other), modules, "/c")[0] == (
        "acme/alpha is declared as 1.0.0 (Puppetfile:1), but locked at 1.2.0"
    )


def test_a_value_that_is_null_counts_as_absent(tmp_path):
    path = tmp_path / "Puppetfile.lock"
    empty = dict.fromkeys(["digest", "forge", "dependencies", "needed_by", "declared"])
    path.write_text(json.dumps({**WHOLE, "modules": [MODULE | empty]}))
    module = replace(ALPHA, digest="", forge="", dependencies=())
    assert read_lock_file(str(path)) == LockFile("sha256:1", (module,))


def test_a_version_that_floats_is_locked_at_any_version():
    text = PUPPETFILE.replace("'1.0.0'", ":latest")
    assert differences(lock_of(), declared(text), "/c") == [
        "The declarations of modules changed after the lock file was written"
    ]


def test_passwords_are_not_in_sentences():
    text = PUPPETFILE.replace("https://git.example.com", "https://me:secret@git.example.org")
    assert "secret" not in str(differences(lock_of(), declared(text), "/c"))
