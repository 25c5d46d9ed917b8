"""``bunraku new`` and ``bunraku build``: new code passes all checks, and archives are the same each time."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
import tracemalloc

import pytest

from bunraku.jobs.new import KINDS
from bunraku.workbench.module_archive import archive, contents_of
from bunraku.workbench.new.files import DEFINITIONS


def bunraku(directory, *words, code=0, **variables):
    """Run a command in a directory and return what it prints on both streams."""
    done = subprocess.run(
        [sys.executable, "-m", "bunraku", *words],
        cwd=directory,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def passes_all_checks(directory, tests):
    for command in ("validate", "check", "lint"):
        assert bunraku(directory, command) == ""
    assert bunraku(directory, "fmt", "--check").endswith("files left unchanged\n")
    written = bunraku(directory, "docs")
    assert all(line.startswith("wrote ") for line in written.splitlines())
    assert bunraku(directory, "docs", "--check", "--fail-on-warnings") == ""
    assert f"{tests} passed" in bunraku(directory, "test")


def test_a_new_module_passes_all_checks(tmp_path):
    printed = bunraku(tmp_path, "new", "module", "acme-ntp")
    assert "ntp/manifests/init.pp\n" in printed
    for kind in DEFINITIONS:
        bunraku(tmp_path / "ntp", "new", kind, f"ntp::of_{kind}")
        bunraku(tmp_path / "ntp", "new", kind, "same" if kind != "define" else "other")
    passes_all_checks(tmp_path / "ntp", 5 + 2 * len(DEFINITIONS))


def test_a_new_control_repository_passes_all_checks(tmp_path):
    bunraku(tmp_path, "new", "control-repository", "site")
    site = tmp_path / "site"
    printed = bunraku(site, "new", "class", "profile::web")
    assert printed == "site-modules/profile/manifests/web.pp\ntests/test_profile_web.py\n"
    passes_all_checks(site, 2)
    assert "file { '/etc/motd':" in bunraku(
        site, "compile", "--node", "node1.example.com", "--format", "text"
    )


def test_existing_definitions_get_tests(tmp_path):
    bunraku(tmp_path, "new", "module", "ntp")
    module = tmp_path / "ntp"
    code = {
        "manifests/a.pp": "class ntp::a (Enum['x', 'y'] $mode, Optional[Integer[2]] $n, $d = 1) {\n}\n",
        "manifests/b.pp": "define ntp::b (Array[String[1], 1] $list, Hash $hash) {\n}\n",
        "functions/f.pp": "function ntp::f(Boolean $on, String $text) {\n  $text\n}\n",
        "types/port.pp": "type Ntp::Port = Integer[1, 65535]\n",
    }
    for path, text in code.items():
        (module / path).parent.mkdir(exist_ok=True)
        (module / path).write_text(text)
    names = ("ntp::a", "b", "ntp::f", "Ntp::Port")
    tests = [bunraku(module, "new", "test", name).strip() for name in names]
    assert "4 passed" in bunraku(module, "test", *tests)
    missing = bunraku(module, "new", "test", "ntp::c", code=2)
    assert "cannot find a class, defined type, function or data type 'ntp::c'" in missing
    assert "exists already" in bunraku(module, "new", "test", "ntp::a", code=2)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("class", "ntp"), "class belongs in a module or a control repository"),
        (("module", "Acme-9"), "'Acme-9' is not a module name"),
        (("klass", "ntp"), "invalid value 'klass' (did you mean 'class'?)"),
    ],
)
def test_what_cannot_be_made_is_an_error(tmp_path, words, expected):
    assert expected in bunraku(tmp_path, "new", *words, code=2)
    assert list(tmp_path.iterdir()) == []


def test_no_file_is_replaced(tmp_path):
    bunraku(tmp_path, "new", "module", "ntp")
    (tmp_path / "ntp/tests/test_ntp_x.py").write_text("mine")
    printed = bunraku(tmp_path / "ntp", "new", "class", "x", code=2)
    assert printed == "bunraku: tests/test_ntp_x.py exists already; nothing was written\n"
    assert not (tmp_path / "ntp/manifests/x.pp").exists()
    wrong = bunraku(tmp_path / "ntp", "new", "class", "9::x", code=2)
    assert "'9::x' is not the name of a class" in wrong


def test_every_kind_is_in_the_help(tmp_path):
    printed = bunraku(tmp_path, "new", "--help")
    assert all(kind in printed for kind in KINDS)


def test_an_archive_has_the_files_of_a_release(tmp_path):
    bunraku(tmp_path, "new", "module", "acme-ntp")
    module = tmp_path / "ntp"
    (module / "Gemfile").write_text("x")
    (module / "files").mkdir()
    (module / "files/.hidden").write_text("x")
    (module / "files/.hidden").chmod(0o600)
    (module / "files/link").symlink_to("/etc/passwd")
    printed = bunraku(module, "build")
    assert "files/link is a link" in printed
    assert "pkg/acme-ntp-0.1.0.tar.gz: 7 files; not in it: .fixtures.yml, .gitignore" in printed
    path = module / "pkg/acme-ntp-0.1.0.tar.gz"
    with tarfile.open(path) as tar:
        modes = {one.name: one.mode for one in tar}
    assert modes == {
        **dict.fromkeys([f"acme-ntp-0.1.0{one}" for one in ("", "/data", "/files")], 0o755),
        "acme-ntp-0.1.0/manifests": 0o755,
        **{
            f"acme-ntp-0.1.0/{name}": 0o644
            for name in (
                *("CHANGELOG.md", "README.md", "data/common.yaml", "files/.hidden", "hiera.yaml"),
                *("manifests/init.pp", "metadata.json"),
            )
        },
    }
    before = path.read_bytes()
    os.utime(module / "metadata.json", (1, 1))
    bunraku(tmp_path, "build", "ntp", "--out", "dist")
    assert (tmp_path / "dist/acme-ntp-0.1.0.tar.gz").read_bytes() == before
    bunraku(module, "build", SOURCE_DATE_EPOCH="1700000000")
    assert path.read_bytes() != before


def test_an_archive_takes_no_memory_for_large_files(tmp_path):
    bunraku(tmp_path, "new", "module", "acme-ntp")
    (tmp_path / "ntp/files").mkdir()
    with open(tmp_path / "ntp/files/large", "wb") as file:
        file.truncate(100 << 20)
    contents = contents_of(str(tmp_path / "ntp"), "pkg")
    tracemalloc.start()
    packed = b"".join(archive(str(tmp_path / "ntp"), "acme-ntp-0.1.0", contents.entries, 1))
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 10 << 20
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        assert tar.getmember("acme-ntp-0.1.0/files/large").size == 100 << 20


def test_an_archive_can_be_installed(tmp_path):
    bunraku(tmp_path, "new", "module", "acme-ntp")
    bunraku(tmp_path / "ntp", "build", "--out", str(tmp_path))
    with tarfile.open(tmp_path / "acme-ntp-0.1.0.tar.gz") as tar:
        tar.extractall(tmp_path / "unpacked", filter="data")
    assert bunraku(tmp_path / "unpacked/acme-ntp-0.1.0", "validate") == ""


@pytest.mark.parametrize(
    ("metadata", "code", "expected"),
    [
        (None, 2, "is not a module: it has no metadata.json"),
        ('{"name": "acme-ntp"}', 1, "metadata.json"),
        ("{", 1, "not valid JSON"),
    ],
)
def test_a_module_without_right_metadata_is_not_built(tmp_path, metadata, code, expected):
    if metadata is not None:
        (tmp_path / "metadata.json").write_text(metadata)
    assert expected in bunraku(tmp_path, "build", code=code)
    assert not (tmp_path / "pkg").exists()


@pytest.mark.parametrize("name", ["naïve", "x" * 120, "-".join(["long"] * 40)])
def test_a_name_that_an_archive_cannot_have_is_an_error(tmp_path, name):
    bunraku(tmp_path, "new", "module", "acme-ntp")
    (tmp_path / "ntp/files").mkdir()
    (tmp_path / "ntp/files" / name).write_text("")
    printed = bunraku(tmp_path / "ntp", "build", code=2)
    assert printed.startswith(f"bunraku: cannot build the module: files/{name}: ")


def test_the_directory_of_the_archive_is_not_in_it(tmp_path):
    bunraku(tmp_path, "new", "module", "acme-ntp")
    module = tmp_path / "ntp"
    bunraku(module, "build", "--out", "files/pkg")
    assert "files/pkg" in bunraku(module, "build", "--out", "files/pkg").partition("not in it")[2]
    with tarfile.open(module / "files/pkg/acme-ntp-0.1.0.tar.gz") as tar:
        assert not any("pkg" in name for name in tar.getnames())


def test_a_control_repository_has_the_name_of_its_directory_as_title(tmp_path):
    bunraku(tmp_path, "new", "control-repository", f"{tmp_path}/sites/berlin")
    assert (tmp_path / "sites/berlin/README.md").read_text().startswith("# berlin\n")
    assert "needs a name" in bunraku(tmp_path, "new", "control-repository", "", code=2)
