"""Installed modules are compared with what was installed, and with what they need."""

import json
import subprocess

import pytest

from bunraku.base.errors import PuppetError
from bunraku.jobs.module_checks import check, verify
from bunraku.jobs.module_edits import GitSource, add_modules, remove_modules
from support.forge_server import serving_forge


@pytest.fixture
def forge(project):
    with serving_forge() as server:
        project.forge_url = server.url
        server.add("acme-beta", "1.0.0")
        server.add("acme-beta", "1.2.0")
        yield server


def test_differences_of_content_are_found(project):
    alpha = project.remote("alpha", "v1", "v2")
    project.puppetfile(
        f"mod 'alpha', :git => '{alpha.url}', :tag => 'v1'",
        f"mod 'beta', :git => '{alpha.url}', :tag => 'v1'",
        f"mod 'gamma', :git => '{alpha.url}', :tag => 'v1'",
    )
    project.install("alpha", "beta")
    assert verify(project.options("alpha")) == (1, [])
    file = project.root / "modules/alpha/CHANGELOG"
    before = file.stat()
    file.unlink()
    file.write_text("vX\n")
    import os

    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    (project.root / "modules/alpha/manifests/init.pp").unlink()
    project.write("modules/alpha/notes", "mine")
    project.puppetfile(
        f"mod 'alpha', :git => '{alpha.url}', :tag => 'v1'",
        f"mod 'beta', :git => '{alpha.url}', :tag => 'v2'",
        f"mod 'gamma', :git => '{alpha.url}', :tag => 'v1'",
        f"mod 'delta', :git => '{alpha.url}', :tag => 'v1'",
    )
    project.write("modules/delta/x", "1")
    count, found = verify(project.options())
    assert count == 4
    assert [(one.module.name, one.kind, one.path) for one in found] == [
        ("alpha", "edited", "CHANGELOG"),
        ("alpha", "missing", "manifests/init.pp"),
        ("alpha", "foreign", "notes"),
        ("beta", "behind", ""),
        ("gamma", "absent", ""),
        ("delta", "unknown", ""),
    ]


def metadata(project, name, version, dependencies, requirements=()):
    data = {
        "name": f"acme-{name}",
        "version": version,
        "dependencies": [
            {"name": slug, "version_requirement": versions} for slug, versions in dependencies
        ],
        "requirements": [
            {"name": program, "version_requirement": versions} for program, versions in requirements
        ],
    }
    project.write(f"modules/{name}/metadata.json", json.dumps(data, indent=2))


def test_dependencies_of_installed_modules_are_checked(project):
    project.puppetfile("mod 'acme/alpha', '1.0.0'")
    needs = [("acme/beta", ">= 2.0.0"), ("acme/gamma", ">= 1.0.0"), ("fork/beta", ">= 9.0.0")]
    metadata(project, "alpha", "1.0.0", needs, [("puppet", ">= 6.0.0 < 8.0.0")])
    metadata(project, "beta", "1.0.0", [])
    count, found = check(project.options(), "8.10.0")
    assert count == 2
    assert [(one.line, one.message) for one in found] == [
        (5, "acme-alpha needs acme-beta >= 2.0.0, but 1.0.0 is installed"),
        (9, "acme-alpha needs acme-gamma >= 1.0.0, which is not installed"),
        (19, "acme-alpha needs puppet >= 6.0.0 < 8.0.0, but this is 8.10.0"),
    ]


PUPPETFILE = """\
# Modules of the site
forge 'https://forge.example.com'

mod 'acme-alpha', '1.0.0'  # pinned: TICKET-1
mod 'tool',
  :git => 'https://git.example.com/tool.git',
  :tag => 'v1'

# the end
"""


def test_declarations_are_added_in_the_style_of_the_file(project, forge, tmp_path):
    remote = tmp_path / "o.git"
    for words in (
        f"init -q -b main {remote}",
        f"-C {remote} -c user.name=a -c user.email=a@b commit -q --allow-empty -m first",
    ):
        subprocess.run(["git", *words.split()], check=True)
    path = project.write("Puppetfile", PUPPETFILE)
    result = add_modules(project.options("acme/beta@1.0.0"), None)
    assert result.versions == ("1.0.0",)
    expected = PUPPETFILE.replace(":tag => 'v1'\n", ":tag => 'v1'\nmod 'acme-beta', '1.0.0'\n")
    assert path.read_text() == expected
    assert add_modules(project.options("acme/beta"), None).versions == ("1.2.0",)
    assert path.read_text() == expected.replace("beta', '1.0.0'", "beta', '1.2.0'")
    add_modules(project.options("other"), GitSource(f"file://{remote}", "branch", "main"))
    text = f"mod 'other',\n  :git => 'file://{remote}',\n  :branch => 'main'\n\n# the end"
    assert text in path.read_text()


def test_declarations_are_removed_and_comments_stay(project, forge):
    path = project.write("Puppetfile", PUPPETFILE)
    assert remove_modules(project.options("tool")).names == ("tool",)
    assert path.read_text() == (
        "# Modules of the site\nforge 'https://forge.example.com'\n\n"
        "mod 'acme-alpha', '1.0.0'  # pinned: TICKET-1\n\n# the end\n"
    )
    remove_modules(project.options("acme/alpha"))
    assert path.read_text() == (
        "# Modules of the site\nforge 'https://forge.example.com'\n\n# the end\n"
    )
    with pytest.raises(PuppetError, match="does not declare the module 'alpha'"):
        remove_modules(project.options("alpha"))


def test_only_releases_that_exist_are_added(project, forge):
    path = project.write("Puppetfile", PUPPETFILE)
    for name, code in (
        ("acme/beta@9.0.0", "FORGE_NO_RELEASE"),
        ("acme/nosuch", "FORGE_NO_MODULE"),
        ("beta", "FORGE_BAD_NAME"),
        ("acme/tool", "FORGE_NO_MODULE"),
    ):
        with pytest.raises(PuppetError) as caught:
            add_modules(project.options(name), None)
        assert caught.value.code == code
    forge.add("acme-tool", "1.0.0")
    with pytest.raises(PuppetError, match="The module 'tool' is declared in line 5"):
        add_modules(project.options("acme/tool"), None)
    assert path.read_text() == PUPPETFILE


def test_fixtures_are_not_edited(project):
    project.write("metadata.json", json.dumps({"name": "acme-own", "version": "1.0.0"}))
    project.write("manifests/init.pp", "class own { }\n")
    with pytest.raises(PuppetError, match="only a Puppetfile can be edited"):
        add_modules(project.options("acme/beta"), None)
