"""The parts that packages are made of. ``make packages-test`` tries the packages in fresh roots."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from bunraku.cli.command_modules import command_module
from bunraku.cli.options.parser import options_of

ROOT = Path(__file__).parents[1]
PACKAGING = ROOT / "packaging"
UNITS = sorted((ROOT / "src/bunraku/administration/units").glob("*.service"))
MOMENT = 1_700_000_000
PARTS = ("src", "docs/man", "LICENSE", "README.md", "pyproject.toml", ".git_archival.txt")
"""What a wheel is built of."""


@pytest.fixture
def packaging(monkeypatch):
    """Return a function that imports a module of packaging/."""
    monkeypatch.syspath_prepend(str(PACKAGING))
    return import_module


@pytest.fixture
def bundle(tmp_path):
    """The directory of packages, with a program that prints where it is."""
    files = {
        "lib/pure/bunraku/__init__.py": "",
        "lib/pure/bunraku/cli/__init__.py": "",
        "lib/pure/bunraku/cli/main.py": "import sys\ndef main():\n    print(sys.prefix, *sys.argv[1:])\n",
        "lib/abi3/a.txt": "a",
        f"lib/cp{sys.version_info[0]}{sys.version_info[1]}/own.py": "",
        "lib/cp399/other.py": "",
    }
    version = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    files[f"lib/{version}/site-packages/bunraku.pth"] = "../../pure\n"
    for name, text in files.items():
        path = tmp_path / "bundle" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return tmp_path / "bundle"


# -- versions and dependencies -----------------------------------------------------------------------


def test_versions_are_in_the_order_of_debian(packaging):
    debian_version = packaging("debian").debian_version
    ordered = ["0.1.0.dev3", "0.1.0.dev12", "0.1.0a1", "0.1.0b2", "0.1.0rc1", "0.1.0", "0.1.1"]
    found = [debian_version(one) for one in ordered]
    assert found[0] == "0.1.0~~dev3"
    if shutil.which("dpkg"):
        for older, newer in pairwise(found):
            subprocess.run(["dpkg", "--compare-versions", older, "lt", newer], check=True)


def test_the_lock_has_each_dependency_with_digests():
    lock = (PACKAGING / "requirements.txt").read_text()
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+) ", lock, re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(extras[name] for name in ("server", "eyaml", "srv", "repl")),
    ]
    flat = [one for item in wanted for one in ([item] if isinstance(item, str) else item)]
    names = {re.match(r"[\w-]+", one)[0].lower().replace("_", "-") for one in flat}
    assert names <= set(locked)
    blocks = re.split(r"^(?=[a-z0-9-]+==)", lock, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in block for block in blocks)


def test_an_archive_of_a_tag_gives_its_version_and_the_same_bytes_twice(tmp_path, packaging):
    """As a code host makes it: without ``.git``."""
    pytest.importorskip("hatch_vcs")
    source = tmp_path / "source"
    source.mkdir()
    done = subprocess.run(
        ["git", "-C", str(ROOT), "archive", "HEAD", *PARTS],
        capture_output=True,
        check=False,
    )
    if done.returncode:
        pytest.skip("this is no checkout")
    subprocess.run(["tar", "-x", "-C", str(source)], input=done.stdout, check=True)
    (source / ".git_archival.txt").write_text("describe-name: v9.8.7\n")
    made = packaging("bundle")
    digests = []
    for name in ("one", "two"):
        os.environ["SOURCE_DATE_EPOCH"] = str(MOMENT)
        try:
            wheel = made.build_wheel(source, tmp_path / name)
        finally:
            del os.environ["SOURCE_DATE_EPOCH"]
        assert wheel.name == "bunraku-9.8.7-py3-none-any.whl"
        digests.append(hashlib.sha256(wheel.read_bytes()).hexdigest())
    assert digests[0] == digests[1]


def test_the_bill_of_materials_has_each_wheel(tmp_path, packaging):
    Wheel = packaging("bundle").Wheel
    wheels = []
    for name in ("bunraku-1.0-py3-none-any", "six_seven-2.0-cp311-cp311-manylinux_2_17_x86_64"):
        path = tmp_path / f"{name}.whl"
        with zipfile.ZipFile(path, "w") as archive:
            text = "Metadata-Version: 2.4\nLicense-Expression: MIT\n"
            archive.writestr(f"{name}.dist-info/METADATA", text)
        wheels.append(Wheel.of(path))
    assert [one.place for one in wheels] == ["pure", "cp311"]
    sbom = packaging("sbom")
    data = json.loads(sbom.bill_of_materials(wheels, MOMENT))
    assert data["metadata"]["component"]["name"] == "bunraku"
    (component,) = data["components"]
    assert component["purl"] == "pkg:pypi/six-seven@2.0"
    assert component["licenses"] == [{"license": {"name": "MIT"}}]
    assert (
        component["hashes"][0]["content"] == hashlib.sha256(wheels[1].path.read_bytes()).hexdigest()
    )
    assert sbom.bill_of_materials(wheels, MOMENT) == sbom.bill_of_materials(wheels, MOMENT)


# -- the single file ---------------------------------------------------------------------------------


@pytest.fixture
def single_file(tmp_path, bundle, packaging):
    """Return a function that runs the single file."""
    build = packaging("single_file").build_single_file
    path = build(bundle, "0123", tmp_path, MOMENT)
    first = path.read_bytes()
    assert build(bundle, "0123", tmp_path, MOMENT).read_bytes() == first

    def run(*words, **variables):
        return subprocess.run(
            [sys.executable, path, *words],
            capture_output=True,
            text=True,
            check=False,
            env={
                "PATH": os.environ["PATH"],
                "XDG_CACHE_HOME": str(tmp_path / "cache"),
                **variables,
            },
        )

    return run


def test_the_single_file_unpacks_what_this_python_needs(tmp_path, single_file):
    programs = tmp_path / "cache" / "bunraku" / "program"
    for _ in "12":
        done = single_file("a", "b c")
        (home,) = programs.iterdir()
        assert (done.stdout, done.returncode) == (f"{home} a b c\n", 0), done.stderr
    assert (home / "lib/abi3/a.txt").exists()
    assert not (home / "lib/cp399").exists()
    assert home.stat().st_mode & 0o777 == 0o700


def test_the_single_file_does_not_run_what_others_can_write(tmp_path, single_file):
    assert single_file().returncode == 0
    (home,) = (tmp_path / "cache" / "bunraku" / "program").iterdir()
    home.chmod(0o777)
    done = single_file()
    assert done.returncode == 1
    assert done.stderr == (
        f"bunraku.pyz: other users can change {home}; remove it, or set XDG_CACHE_HOME\n"
    )


def test_the_single_file_says_where_it_cannot_unpack(tmp_path, single_file):
    (tmp_path / "file").write_text("")
    done = single_file(XDG_CACHE_HOME=str(tmp_path / "file"))
    assert done.returncode == 1
    assert "Traceback" not in done.stderr


# -- images ------------------------------------------------------------------------------------------


def test_an_image_has_its_layers_and_is_the_same_twice(tmp_path, bundle, packaging):
    image = packaging("image")

    def root(target, packages, moment):
        content = io.BytesIO()
        with tarfile.open(fileobj=content, mode="w") as archive:
            entry = tarfile.TarInfo("etc/packages")
            text = " ".join(packages).encode()
            entry.size, entry.mtime = len(text), moment
            archive.addfile(entry, io.BytesIO(text))
        (target / "root.tar").write_bytes(content.getvalue())
        return target / "root.tar"

    contents = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        found = image.build_images(bundle, "x86_64", "1.0", tmp_path / name, MOMENT, root)
        contents.append([path.read_bytes() for path in found])
    assert [path.name for path in found] == ["bunraku.oci.tar", "bunraku-complete.oci.tar"]
    assert contents[0] == contents[1]
    with tarfile.open(found[1]) as archive:
        index = json.load(archive.extractfile("index.json"))
        digest = index["manifests"][0]["digest"].partition(":")[2]
        manifest = json.load(archive.extractfile(f"blobs/sha256/{digest}"))
        config = manifest["config"]["digest"].partition(":")[2]
        settings = json.load(archive.extractfile(f"blobs/sha256/{config}"))["config"]
    assert settings["User"] == "1000:1000"
    assert settings["Entrypoint"] == ["/usr/bin/bunraku"]
    (tmp_path / "unpacked").mkdir()
    image.unpack_image(found[1], tmp_path / "unpacked")
    assert "ruby" in (tmp_path / "unpacked/etc/packages").read_text()
    assert (tmp_path / "unpacked/lib/abi3/a.txt").read_text() == "a"


# -- scripts and units -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["postinst", "prerm", "postrm"])
def test_scripts_of_the_debian_package_are_shell(name):
    subprocess.run(["sh", "-n", str(PACKAGING / "debian" / name)], check=True)


def commands(unit):
    """Return the commands of bunraku that a unit starts."""
    for line in unit.read_text().splitlines():
        if line.startswith("ExecStart=") and "/usr/bin/bunraku " in line:
            yield line.partition("/usr/bin/bunraku ")[2].strip("'").replace(" $OPTIONS", "").split()


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units_start_commands_with_options_that_exist(unit):
    started = list(commands(unit))
    assert started
    for name, *words in started:
        options_of(name, command_module(name), words)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_units_are_confined_as_the_page_says(unit):
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", str(unit)],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "SYSTEMD_COLORS": "0", "LC_ALL": "C.UTF-8"},
    )
    found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    if found is None:
        pytest.skip("this systemd-analyze reads no files")
    page = (ROOT / "docs" / "packages.md").read_text()
    row = re.search(rf"^\| `{unit.stem}\.\w+`.*\| ([\d.]+) \|$", page, re.MULTILINE)
    assert row is not None
    assert float(found[1]) <= float(row[1])


def test_the_files_of_the_rpm_are_listed():
    spec = (PACKAGING / "bunraku.spec").read_text()
    tree = (PACKAGING / "tree.py").read_text()
    for path in re.findall(r'"(usr/share/[^"]+/_?bunraku[^"]*)"', tree):
        assert f"/{path}" in spec
