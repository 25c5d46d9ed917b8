"""The cache on disk as users meet it: escapes that fail, one warning, ``bunraku cache``."""

from __future__ import annotations

import json
import marshal
import os
import shutil
import subprocess
import sys
import tempfile
from binascii import crc32
from pathlib import Path

import pytest

from bunraku.base import disk_cache
from bunraku.base.cache_key import forget_secret, key_for
from bunraku.base.disk_cache import MAGIC, forget_folders
from bunraku.cli.main import main
from bunraku.engine import kept
from bunraku.engine.kept_catalogs import OWN_KEY, open_store

IS_ROOT = os.geteuid() == 0
needs_root = pytest.mark.skipif(not IS_ROOT, reason="only root can act as a second user")
NOBODY = 65534
ESCAPE = (
    "f=[v for v in ().__class__.__base__.__subclasses__() if v.__name__=='_wrap_close'][0]\n"
    "f.__init__.__globals__['system']('id > PWNED')\n"
    "definitions=()\n"
)


def as_nobody(folder: Path, script: str) -> int:
    """Run a shell script as an unprivileged second user, and return its exit code."""
    return subprocess.run(
        ["/bin/sh", "-e", "-c", script],
        cwd=folder,
        user=NOBODY,
        group=NOBODY,
        extra_groups=[],
        check=False,
    ).returncode


class Site:
    """A folder with a manifest that a victim compiles, and that the second user can enter."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "s.pp").write_text("notice(1)\n")
        self.cache = folder / "c"

    def bunraku(self, *arguments: str, umask: int = 0o022, stdin: str = "", **more: str):
        """Run a command as the victim."""
        places = {"HOME": str(self.folder / "home"), "XDG_CACHE_HOME": str(self.cache)}
        environment = {**os.environ, **places, **more}
        return subprocess.run(
            [sys.executable, "-m", "bunraku", *arguments],
            check=False,
            cwd=self.folder,
            env=environment,
            umask=umask,
            input=stdin,
            capture_output=True,
            text=True,
        )

    def compile(self, **more):
        """Compile the manifest; it must work whatever the cache is like."""
        done = self.bunraku("compile", "s.pp", "--node", "n", **more)
        assert done.returncode == 0
        assert json.loads(done.stdout)["name"] == "n"
        return done

    def entries(self) -> list[Path]:
        return sorted(self.cache.rglob("*.code"))

    def escape(self, name: str) -> bytes:
        """An entry of that name, whole in all its parts, that runs a program."""
        body = marshal.dumps(compile(ESCAPE, "x", "exec"))
        return MAGIC + crc32(body, crc32(name.encode())).to_bytes(4, "little") + body

    def spread(self, target: Path) -> None:
        """Write the escape for all that the victim keeps, where the second user can read it."""
        self.compile(XDG_CACHE_HOME=str(self.folder / "model"))
        for entry in (self.folder / "model").rglob("*.code"):
            path = target / entry.relative_to(self.folder / "model")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(self.escape(entry.name))
        shutil.rmtree(self.folder / "model")

    def is_taken(self) -> bool:
        return (self.folder / "PWNED").exists()


@pytest.fixture
def site():
    """A site below a folder that everybody may enter, as those of pytest are not."""
    folder = Path(tempfile.mkdtemp(prefix="bunraku-test-cache-"))
    folder.chmod(0o755)
    yield Site(folder)
    shutil.rmtree(folder)


@pytest.fixture(autouse=True)
def _new_process():
    forget_folders()
    yield
    forget_folders()
    disk_cache.configure({})


def warnings_of(done) -> list[str]:
    return [line for line in done.stderr.splitlines() if line.startswith("Warning: The cache")]


# -- escapes ---------------------------------------------------------------------------------------


def test_the_escape_of_these_tests_works_in_an_entry_of_the_same_user(site):
    site.compile()
    (entry,) = site.entries()
    entry.write_bytes(site.escape(entry.name))
    site.compile()
    assert site.is_taken()


@needs_root
def test_the_second_user_of_these_tests_can_enter_the_folder(site):
    assert as_nobody(site.folder, "cat s.pp > /dev/null") == 0
    assert as_nobody(site.folder, "echo > no") != 0


@needs_root
def test_a_first_run_with_umask_0_opens_no_way(site):
    site.compile(umask=0)
    modes = {path.stat().st_mode & 0o777 for path in [site.cache, *site.cache.rglob("*")]}
    assert modes <= {0o700, 0o600}
    (entry,) = site.entries()
    (site.folder / "evil").write_bytes(site.escape(entry.name))
    assert as_nobody(site.folder, f"cat evil > '{entry}'") != 0
    site.compile()
    assert not site.is_taken()


@needs_root
def test_a_cache_that_was_given_to_another_user_is_not_run(site):
    site.compile(umask=0)
    for entry in site.entries():
        entry.write_bytes(site.escape(entry.name))
    subprocess.run(["chown", "-R", str(NOBODY), str(site.cache)], check=True)
    done = site.compile()
    assert not site.is_taken()
    (warning,) = warnings_of(done)
    assert f"{site.cache} belongs to nobody, not to root" in warning


@needs_root
def test_entries_of_a_version_that_left_the_folders_open_are_not_run(site):
    site.compile()
    for path in [site.cache, *site.cache.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    for entry in site.entries():
        (site.folder / "evil").write_bytes(site.escape(entry.name))
        assert as_nobody(site.folder, f"cat evil > '{entry}'") == 0
    done = site.compile()
    assert not site.is_taken()
    assert len(warnings_of(done)) == 1
    # Closing the folders afterwards does not make their content trustworthy.
    for path in [site.cache, *site.cache.rglob("*")]:
        path.chmod(0o700 if path.is_dir() else 0o666)
    assert warnings_of(site.compile()) == []
    assert not site.is_taken()


@needs_root
@pytest.mark.parametrize("mode", [0o777, 0o1777])
def test_a_cache_that_waits_in_a_shared_folder_is_not_run(site, mode):
    site.spread(site.folder / "evil")
    site.cache.mkdir()
    site.cache.chmod(mode)
    assert as_nobody(site.folder, "cp -r evil/. c/ && chmod -R 755 c/bunraku") == 0
    done = site.compile()
    assert not site.is_taken()
    assert len(warnings_of(done)) == 1


@needs_root
def test_a_link_that_waits_in_a_shared_folder_is_not_followed(site):
    site.spread(site.folder / "evil")
    own = site.folder / "own"
    own.mkdir()
    own.chmod(0o777)
    site.cache.mkdir()
    site.cache.chmod(0o1777)
    assert as_nobody(site.folder, "cp -r evil/. own/ && ln -s ../own/bunraku c/bunraku") == 0
    done = site.compile()
    assert not site.is_taken()
    assert len(warnings_of(done)) == 1


@needs_root
def test_the_cache_in_the_home_of_another_user_is_not_run(site):
    site.spread(site.folder / "evil")
    home = site.folder / "home"
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)
    assert as_nobody(site.folder, "mkdir home/.cache && cp -r evil/. home/.cache/") == 0
    before = sorted(home.rglob("*"))
    done = site.compile(XDG_CACHE_HOME="")
    assert not site.is_taken()
    (warning,) = warnings_of(done)
    assert f"{home} belongs to nobody, not to root" in warning
    assert sorted(home.rglob("*")) == before


def test_an_entry_that_is_a_link_is_not_run(site):
    site.compile()
    (entry,) = site.entries()
    (site.folder / "evil").write_bytes(site.escape(entry.name))
    (site.folder / "evil").chmod(0o600)
    entry.unlink()
    entry.symlink_to(site.folder / "evil")
    site.compile()
    assert not site.is_taken()


def test_an_entry_with_a_second_name_is_not_run(site):
    site.compile()
    (entry,) = site.entries()
    (site.folder / "evil").write_bytes(site.escape(entry.name))
    (site.folder / "evil").chmod(0o600)
    entry.unlink()
    os.link(site.folder / "evil", entry)
    site.compile()
    assert not site.is_taken()


@needs_root
def test_an_entry_that_another_user_moved_into_an_open_folder_is_not_run(site):
    site.compile()
    (entry,) = site.entries()
    entry.parent.chmod(0o777)
    for folder in (site.cache, site.cache / "bunraku"):
        folder.chmod(0o755)
    (site.folder / "evil").write_bytes(site.escape(entry.name))
    assert as_nobody(entry.parent, f"cp '{site.folder}/evil' x && mv -f x {entry.name}") == 0
    entry.parent.chmod(0o700)
    site.compile()
    assert not site.is_taken()


# -- one warning -----------------------------------------------------------------------------------


@pytest.fixture
def refused(site):
    """A site with a cache that others can write to, and the command that reports it."""
    site.cache.mkdir()
    site.cache.chmod(0o777)
    site.expected = f"Warning: The cache on disk is not used: {site.cache} is writable by other users (mode 0777)"
    facts = site.folder / "facts"
    facts.mkdir()
    for number in range(4):
        (facts / f"n{number}.json").write_text("{}")
    for command in ("init -q .", "add .", "-c user.name=a -c user.email=a commit -qm a"):
        subprocess.run(["git", *command.split()], cwd=site.folder, check=True)
    (site.folder / "environments/production").mkdir(parents=True)
    module = site.folder / "modules/m/manifests"
    module.mkdir(parents=True)
    (module / "init.pp").write_text("class m { notice('m') }")
    return site


@pytest.mark.parametrize(
    "arguments",
    [
        ("compile", "s.pp", "--node", "n"),
        ("compile", "s.pp", "--nodes", "--facts-folder", "facts", "--jobs", "3"),
        ("compile", "s.pp", "--nodes", "--facts-folder", "facts", "--jobs", "1"),
        ("eval", "1 + 1"),
        ("lookup", "a", "--default", "b", "--node", "n", "--environmentpath", "environments"),
        ("diff", "HEAD", "--facts-folder", "facts", "--jobs", "2"),
        ("migrate", "s.pp", "--node", "n"),
    ],
)
def test_a_cache_that_is_not_private_is_reported_once(refused, arguments):
    done = refused.bunraku(*arguments)
    assert done.returncode == 0
    assert done.stderr.count("is not used") == 1
    assert warnings_of(done) == [refused.expected]
    assert list(refused.cache.iterdir()) == []


def test_batch_reports_a_cache_that_is_not_private_beside_the_answers(refused):
    modules = str(refused.folder / "modules")
    requests = [{"id": str(at), "code": "include m", "modulepath": [modules]} for at in range(6)]
    text = "".join(json.dumps(one) + "\n" for one in requests)
    done = refused.bunraku("batch", "--jobs", "3", stdin=text)
    assert done.stderr.splitlines() == [refused.expected]
    assert [json.loads(line)["logs"] for line in done.stdout.splitlines()] == [[]] * 6


def test_python_gets_the_warning_as_a_log_entry_once(refused, monkeypatch):
    import bunraku

    monkeypatch.setenv("XDG_CACHE_HOME", str(refused.cache))
    entries = []
    for _ in range(2):
        bunraku.compile("notice(1)", log=entries.append)
    found = [entry for entry in entries if entry.code == "CACHE_NOT_USED"]
    assert [(one.level, f"Warning: {one.message}") for one in found] == [
        ("warning", refused.expected)
    ]


@pytest.mark.parametrize(
    "variables",
    [{"BUNRAKU_NO_CACHE": "1"}, {"XDG_CACHE_HOME": "/proc/none"}, {"XDG_CACHE_HOME": "/dev/null"}],
)
def test_no_cache_and_no_place_for_one_are_silent(refused, variables):
    done = refused.compile(**variables)
    assert warnings_of(done) == []
    assert refused.entries() == []


def test_commands_that_do_not_compile_do_not_warn(refused):
    for arguments in (("validate", "s.pp"), ("facts", "os"), ("config",), ("functions", "abs")):
        assert "cache on disk" not in refused.bunraku(*arguments).stderr


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "c"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.pp").write_text(f"notice('{tmp_path}')\n")
    kept.forget()  # as in a new process, the fingerprint of the program is an entry, too
    return tmp_path


def shown(capfd, *arguments):
    assert main(["cache", *arguments, "--format", "json"]) == 0
    return json.loads(capfd.readouterr().out)


def test_show_counts_entries(here, capfd):
    expected = {
        "schema": 1,
        "folder": f"{here}/c/bunraku",
        "used": True,
        "reason": None,
        "entries": 0,
        "bytes": 0,
        "limit": 512 << 20,
        "modules": {"folder": f"{here}/c/bunraku/modules", "exists": False},
    }
    assert shown(capfd, "show") == expected
    assert not (here / "c").exists()
    assert main(["compile", "s.pp"]) == 0
    capfd.readouterr()
    assert shown(capfd) == {**expected, "entries": 2, "bytes": 8192}
    assert main(["cache"]) == 0
    assert capfd.readouterr().out == (
        f"folder:  {here}/c/bunraku\nused:    yes\nentries: 2\nsize:    8 KiB\nlimit:   512 MiB\n"
    )


def test_show_says_why_the_cache_is_not_used(here, capfd, monkeypatch):
    assert main(["compile", "s.pp"]) == 0
    capfd.readouterr()
    monkeypatch.setenv("BUNRAKU_NO_CACHE", "1")
    found = shown(capfd)
    assert (found["used"], found["reason"], found["entries"]) == (
        False,
        "BUNRAKU_NO_CACHE is set",
        2,
    )
    monkeypatch.delenv("BUNRAKU_NO_CACHE")
    monkeypatch.setenv("BUNRAKU_CACHE_LIMIT", "many")
    found = shown(capfd)
    reason = "BUNRAKU_CACHE_LIMIT must be a number of MiB of at least 1, not 'many'"
    assert (found["used"], found["reason"], found["limit"]) == (False, reason, None)
    monkeypatch.delenv("BUNRAKU_CACHE_LIMIT")
    (here / "c").chmod(0o777)
    found = shown(capfd)
    reason = f"{here}/c is writable by other users (mode 0777)"
    assert (found["used"], found["reason"], found["entries"]) == (False, reason, None)
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "s.pp"))
    assert shown(capfd)["reason"] == "Not a directory"


def test_clear_removes_the_entries(here, capfd):
    assert main(["cache", "clear"]) == 0
    assert capfd.readouterr().out == f"removed 0 entries (0 KiB) from {visible_folder(here)}\n"
    assert main(["compile", "s.pp"]) == 0
    (here / "c/bunraku/code/note").write_text("kept")
    capfd.readouterr()
    assert main(["cache", "clear"]) == 0
    out, err = capfd.readouterr()
    assert out == f"removed 2 entries (8 KiB) from {visible_folder(here)}\n"
    assert err == f"note: 1 file is not of the cache and left in {visible_folder(here)}\n"
    assert os.listdir(here / "c/bunraku/code") == ["note"]
    assert main(["compile", "s.pp"]) == 0


def visible_folder(here):
    return f"{here}/c/bunraku"


def test_clear_refuses_a_folder_that_others_can_write_to(here, capfd):
    assert main(["compile", "s.pp"]) == 0
    (here / "c/bunraku").chmod(0o777)
    capfd.readouterr()
    assert main(["cache", "clear"]) == 2
    assert capfd.readouterr().err == (
        f"bunraku cache: cannot clear {here}/c/bunraku: {here}/c/bunraku is writable by other users "
        "(mode 0777), so its files may not be those of bunraku; remove the directory yourself\n"
    )
    assert len(list((here / "c").rglob("*.code"))) == 1


def test_clear_refuses_what_is_not_a_folder(here, capfd, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "s.pp"))
    assert main(["cache", "clear"]) == 2
    assert "Not a directory" in capfd.readouterr().err


def test_a_mistyped_action_is_one_line_with_a_suggestion(here, capfd):
    assert main(["cache", "claer"]) == 2
    assert capfd.readouterr().err == (
        "bunraku cache: action: invalid value 'claer' (did you mean 'clear'?): use show, clear, "
        "prune, verify, export, import (see 'bunraku cache --help')\n"
    )


def test_the_configuration_file_sets_the_limit_and_switches_the_cache_off(here, capfd):
    (here / "bunraku.toml").write_text("cache_limit = 64\n")
    assert shown(capfd)["limit"] == 64 << 20
    (here / "bunraku.toml").write_text("cache = false\n")
    assert shown(capfd)["reason"] == "the configuration file has cache = false"
    assert main(["compile", "s.pp"]) == 0
    assert not (here / "c").exists()
    capfd.readouterr()
    assert shown(capfd, "--no-project")["used"] is True
    for wrong in ("cache_limit = 0", "cache_limit = '1'", "cache = 1"):
        (here / "bunraku.toml").write_text(wrong)
        assert main(["cache"]) == 2
        assert f"{here}/bunraku.toml:1: 'cache" in capfd.readouterr().err


def test_the_environment_wins_over_the_configuration_file(here, capfd, monkeypatch):
    (here / "bunraku.toml").write_text("cache_limit = 64\n")
    monkeypatch.setenv("BUNRAKU_CACHE_LIMIT", "7")
    assert shown(capfd)["limit"] == 7 << 20


# -- export and import -----------------------------------------------------------------------------

SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def _no_secret():
    forget_secret()
    yield
    forget_secret()


def run_with_secret(monkeypatch, *arguments, secret=SECRET):
    """Run a command as a new process of a CI system does: with the secret in its environment."""
    forget_folders()
    monkeypatch.setenv("BUNRAKU_CACHE_KEY", secret)
    code = main([*arguments])
    assert "BUNRAKU_CACHE_KEY" not in os.environ
    return code


def exported(monkeypatch, tmp_path):
    assert run_with_secret(monkeypatch, "compile", "s.pp", "--node", "n") == 0
    assert run_with_secret(monkeypatch, "cache", "export", "a.cache") == 0
    return tmp_path / "a.cache"


def test_another_machine_takes_over_the_cache(here, capfd, monkeypatch):
    file = exported(monkeypatch, here)
    assert file.stat().st_mode & 0o777 == 0o600
    capfd.readouterr()
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "d"))
    assert run_with_secret(monkeypatch, "cache", "import", "a.cache", "--format", "json") == 0
    found = json.loads(capfd.readouterr().out)
    assert found["new"] > 0
    assert {path.name for path in (here / "d").rglob("*.code")} == {
        path.name for path in (here / "c").rglob("*.code")
    }
    assert run_with_secret(monkeypatch, "cache", "export", "b.cache") == 0
    assert (here / "b.cache").read_bytes() == file.read_bytes()


@pytest.mark.parametrize(
    ("arguments", "secret", "reason"),
    [
        (("import", "a.cache"), SECRET.upper(), "was written with another key"),
        (("import", "a.cache"), "short", "must have at least 32 characters"),
        (("import", "a.cache"), "", "BUNRAKU_CACHE_KEY is not set (hint: a secret"),
        (("export", "b.cache"), "", "BUNRAKU_CACHE_KEY is not set (hint: a secret"),
        (("import", "missing"), SECRET, "cannot read missing: No such file or directory"),
        (("import", "."), SECRET, "cannot read .: Is a directory"),
        (
            ("export", "no/b.cache"),
            SECRET,
            "cannot write no/b.cache: the directory no does not exist",
        ),
        (("import",), SECRET, "import requires FILE"),
        (("show", "a.cache"), SECRET, "show does not take a FILE"),
    ],
)
def test_refusals_are_one_line_and_add_nothing(here, capfd, monkeypatch, arguments, secret, reason):
    exported(monkeypatch, here)
    capfd.readouterr()
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "d"))
    assert run_with_secret(monkeypatch, "cache", *arguments, secret=secret) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert reason in err
    assert not list((here / "d").rglob("*.code"))


def test_the_key_of_the_digests_and_the_secret_stay_here(here, monkeypatch):
    """Digests of values that others may guess are in no file together with their key."""
    own = open_store("test").digests.key
    content = (here / "c" / "bunraku" / "code" / f"{OWN_KEY}.data").read_bytes()
    assert own in content
    run_with_secret(monkeypatch, "cache", "export", "a.cache")
    monkeypatch.setenv("XDG_CACHE_HOME", str(here / "d"))
    run_with_secret(monkeypatch, "cache", "import", "a.cache")
    assert not (here / "d" / "bunraku" / "code" / f"{OWN_KEY}.data").exists()
    entries = b"".join(path.read_bytes() for path in (here / "d").rglob("*.data"))
    assert SECRET.encode() not in entries
    assert open_store("test").digests.key == key_for("digests") != own


def test_programs_do_not_get_the_secret(here, capfd, monkeypatch):
    (here / "s.pp").write_text(
        "notify { generate('/bin/sh', '-c', 'echo key=$BUNRAKU_CACHE_KEY'): }"
    )
    assert run_with_secret(monkeypatch, "compile", "s.pp", "--node", "n") == 0
    assert '"key=\\n"' in capfd.readouterr().out
