"""Kinds of directories: control repositories, modules, trees of Puppet 3, environments."""

from __future__ import annotations

import json

import pytest

from bunraku.base.errors import PuppetError
from bunraku.cli.options import config_file as configured
from bunraku.project import config_file
from bunraku.project.config_file import read_config_file
from bunraku.project.detect import find_project
from bunraku.project.missing import missing_data, missing_parts, other_versions
from bunraku.project.model import (
    CONTROL_REPOSITORY,
    ENVIRONMENTS,
    MODULE,
    NOTHING,
    PUPPET_3_TREE,
)
from bunraku.world.dictionary import DictionaryWorld

BASE = ["/etc/puppetlabs/code/modules", "/opt/puppetlabs/puppet/modules"]
CONTROL = {
    "/src/control/.git/config": b"",
    "/src/control/environment.conf": b"# c\nmodulepath = site:modules:$basemodulepath\n",
    "/src/control/hiera.yaml": b"version: 5\n",
    "/src/control/manifests/site.pp": b"node default { }",
    "/src/control/site/profile/manifests/base.pp": b"class profile::base { }",
    "/src/control/site/profile/metadata.json": b'{"name": "x-profile"}',
    "/src/control/facts/web1.yaml": b"{}",
}
NTP = {
    "/src/puppetlabs-ntp/metadata.json": b'{\n "name": "puppetlabs-ntp"\n}',
    "/src/puppetlabs-ntp/manifests/init.pp": b"class ntp { }",
    "/src/puppetlabs-ntp/spec/fixtures/modules/stdlib/manifests/init.pp": b"",
}


def world(*files: dict[str, bytes], **variables: str) -> DictionaryWorld:
    return DictionaryWorld({name: one[name] for one in files for name in one}, variables=variables)


@pytest.mark.parametrize(
    "start",
    ["/src/control", "/src/control/manifests", "/src/control/site/profile", "/src/control/facts"],
)
def test_control_repository_from_any_directory(start):
    project = find_project(start, world(CONTROL))
    assert (project.kind, project.root) == (CONTROL_REPOSITORY, "/src/control")
    assert project.value("environment_directory") == "/src/control"
    assert project.value("manifest") == "/src/control/manifests"
    assert project.value("facts_folder") == "/src/control/facts"
    assert project.value("hiera_config") is None
    modulepath = project.choices["modulepath"]
    assert modulepath.value == ["/src/control/site", "/src/control/modules", *BASE]
    assert (modulepath.file, modulepath.line) == ("/src/control/environment.conf", 2)


def test_control_repository_without_environment_conf():
    files = {
        "/c/site-modules/role/manifests/web.pp": b"",
        "/c/modules/m/lib/x.rb": b"",
        "/c/site.pp": b"",
    }
    project = find_project("/c", world(files))
    assert project.kind == CONTROL_REPOSITORY
    assert project.value("modulepath") == ["/c/site-modules", "/c/modules", *BASE]
    assert project.value("manifest") == "/c/site.pp"


def test_module_has_its_own_name_and_its_fixtures():
    project = find_project("/src/puppetlabs-ntp/manifests", world(NTP))
    assert (project.kind, project.name) == (MODULE, "ntp")
    assert project.value("modules") == {"ntp": "/src/puppetlabs-ntp"}
    assert project.choices["modules"].line == 2
    fixtures = "/src/puppetlabs-ntp/spec/fixtures/modules"
    assert project.value("modulepath") == [fixtures, *BASE]


def test_module_without_metadata_has_the_name_of_its_class():
    project = find_project("/m", world({"/m/manifests/init.pp": b"# x\nclass old::x { }"}))
    assert (project.kind, project.name) == (MODULE, "old")


def test_search_ends_at_the_repository_and_at_the_home():
    inside = {**CONTROL, "/src/control/docs/deep/x.md": b"", "/src/control/docs/.git": b"gitdir: x"}
    assert find_project("/src/control/docs/deep", world(inside)).kind == NOTHING
    assert find_project("/src/control/facts", world(CONTROL, HOME="/src/control/facts")).kind == (
        NOTHING
    )


def test_a_project_whose_root_is_the_home_is_found():
    for start in ("/src/control/facts", "/src/control"):
        found = find_project(start, world(CONTROL, HOME="/src/control"))
        assert found.root == "/src/control"


def test_only_project_below_a_repository():
    files = {"/r/.git/config": b"", "/r/puppet/environment.conf": b"", "/r/docs/x.md": b""}
    assert find_project("/r", world(files)).kind == NOTHING
    assert find_project("/r", world(files), below=True).root == "/r/puppet"
    two = {**files, "/r/other/environment.conf": b""}
    assert find_project("/r", world(two), below=True).kind == NOTHING


def test_puppet_3_tree():
    files = {
        "/p/puppet.conf": b"[main]\nconfdir = /etc/puppet\n[master]\n"
        b"modulepath = /etc/puppet/modules:/etc/puppet/site\nparser = future\nserverport = 8141\n",
        "/p/modules/m/manifests/init.pp": b"",
        "/p/manifests/site.pp": b"",
        "/p/hiera.yaml": b":backends: [yaml]\n",
    }
    project = find_project("/p/modules/m", world(files))
    assert project.kind == PUPPET_3_TREE
    assert project.value("modulepath") == ["/p/modules"]
    assert project.value("manifest") == "/p/manifests/site.pp"
    assert project.value("hiera_config") == "/p/hiera.yaml"
    language = project.choices["language"]
    assert (language.value, language.line) == ("3.8-future", 5)
    assert project.value("settings")["serverport"] == 8141
    assert project.value("settings")["confdir"] == "/p"


def test_a_mistake_in_puppet_conf_is_an_error():
    files = {"/p/puppet.conf": b"[main]\nparser future\n", "/p/modules/m/manifests/init.pp": b""}
    with pytest.raises(
        PuppetError, match="Expected a setting or a section: parser future"
    ) as caught:
        find_project("/p", world(files))
    assert caught.value.place.where[:2] == ("/p/puppet.conf", 2)


@pytest.mark.parametrize("line", [b"strict_variables = true", b"certname = x"])
def test_language_of_a_tree_is_only_chosen_where_it_is_certain(line):
    files = {"/p/puppet.conf": b"[main]\n" + line, "/p/modules/m/manifests/init.pp": b""}
    assert find_project("/p", world(files)).value("language") is None


def test_version_3_of_hiera_is_the_global_layer():
    files = {
        "/p/hiera.yaml": b":backends: [yaml]\n",
        "/p/manifests/site.pp": b"",
        "/p/modules/m/manifests/init.pp": b"",
    }
    project = find_project("/p", world(files))
    assert (project.kind, project.value("language")) == (PUPPET_3_TREE, None)
    assert project.value("hiera_config") == "/p/hiera.yaml"


def test_directory_of_environments():
    files = {
        "/e/environments/production/manifests/site.pp": b"",
        "/e/environments/test/environment.conf": b"",
        "/e/modules/m/manifests/init.pp": b"",
    }
    for start, name in (
        ("/e", "production"),
        ("/e/environments", "production"),
        ("/e/environments/test", "test"),
    ):
        project = find_project(start, world(files))
        assert (project.kind, project.name) == (ENVIRONMENTS, name)
        assert project.value("environmentpath") == "/e/environments"
        assert project.value("basemodulepath") == "/e/modules"
        assert project.value("environment") == name


def test_modules_that_are_not_installed():
    files = {
        **CONTROL,
        "/src/control/Puppetfile": b"mod 'puppetlabs-apache', '1'\nmod 'puppet/m',\n",
        "/src/control/modules/m/manifests/init.pp": b"",
    }
    (note,) = missing_parts(find_project("/src/control", world(files)), world(files))
    assert note.startswith("1 of 2 modules in /src/control/Puppetfile are not installed (apache);")


def test_modules_of_another_version():
    files = {
        **CONTROL,
        "/src/control/Puppetfile": b"mod 'puppetlabs-apache', '1.0.0'\nmod 'puppet/m', '2.0.0'\n"
        b"mod 'git', git: 'https://example.org/git', tag: 'v1.0.0'\n",
        "/src/control/modules/apache/metadata.json": b'{"version": "1.1.0"}',
        "/src/control/modules/m/metadata.json": b'{"version": "2.0.0"}',
        "/src/control/modules/git/metadata.json": b'{"version": "3.0.0"}',
    }
    (note,) = other_versions(find_project("/src/control", world(files)), world(files))
    assert note.endswith(
        "than in the Puppetfile: apache 1.1.0 instead of 1.0.0, git 3.0.0 instead of 1.0.0"
    )


def read(text: str, name: str = "bunraku.toml"):
    return read_config_file(f"/c/{name}", text.encode())


def test_configuration_file():
    found = read('facts_folder = "../facts"\nmodulepath = ["site"]\n[settings]\nnoop = true\n')
    assert found["facts_folder"].value == "/facts"
    assert found["modulepath"].value == ["/c/site"]
    assert found["settings"].value == {"noop": True}
    assert (found["settings"].file, found["settings"].line) == ("/c/bunraku.toml", 3)


def test_configuration_in_pyproject():
    found = read('[project]\nname = "x"\n[tool.bunraku]\nstrict = "off"\n', "pyproject.toml")
    assert {name: (one.value, one.line) for name, one in found.items()} == {"strict": ("off", 4)}


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ('\nstrikt = "off"', 2, "unknown key 'strikt' (did you mean 'strict'?)"),
        ('strict = "of"', 1, "'strict' must be one of off, warning, error (did you mean 'off'?)"),
        ("jobs = 0", 1, "'jobs' must be a whole number of at least 1"),
        ("jobs = true", 1, "'jobs' must be a whole number of at least 1"),
        ("[settings]\nmasterprot = 1", 2, "unknown setting 'masterprot' (did you mean"),
        ("a = 1\nb = = 2", 2, "/c/bunraku.toml is not valid TOML: Invalid value"),
    ],
)
def test_mistakes_in_the_configuration_file(text, line, message):
    with pytest.raises(PuppetError) as caught:
        read(text)
    assert caught.value.diagnostic.place.where[:2] == ("/c/bunraku.toml", line)
    assert caught.value.message.startswith(message)


def test_dependencies_of_a_module_are_found_beside_it():
    def metadata(name: str, *needs: str) -> bytes:
        return json.dumps({"name": name, "dependencies": [{"name": one} for one in needs]}).encode()

    files = {
        "/src/puppetlabs-ntp/metadata.json": metadata("puppetlabs-ntp", "x/concat", "x/nowhere"),
        "/src/puppetlabs-ntp/manifests/init.pp": b"class ntp { }",
        "/src/x-concat/metadata.json": metadata("x-concat", "y/stdlib", "puppetlabs/ntp"),
        "/src/puppetlabs-stdlib/metadata.json": metadata("puppetlabs-stdlib"),
        "/src/puppet-other/metadata.json": metadata("puppet-other"),
    }
    project = find_project("/src/puppetlabs-ntp", world(files))
    assert project.value("modules") == {
        "ntp": "/src/puppetlabs-ntp",
        "concat": "/src/x-concat",
        "stdlib": "/src/puppetlabs-stdlib",
    }
    (note,) = missing_parts(project, world(files))
    assert note.startswith("nowhere: not found, although")


def test_submodules_that_are_not_checked_out():
    modules = ("modules/apache", "modules/m/files/x", "test_modules/y")
    text = "".join(f'[submodule "x"]\n  path = {one}\n' for one in modules)
    files = {
        "/c/.gitmodules": text.encode(),
        "/c/environment.conf": b"",
        "/c/modules/m/manifests/init.pp": b"",
    }
    (note,) = missing_parts(find_project("/c", world(files)), world(files))
    assert note.startswith("git submodules are not checked out (modules/apache);")


def test_configuration_of_hiera_in_an_unusual_place():
    files = {
        "/c/manifests/site.pp": b"",
        "/c/modules/puppet/files/hiera.yaml": b"version: 5\n",
    }
    (note,) = missing_data(find_project("/c", world(files)), world(files))
    assert "/c/modules/puppet/files/hiera.yaml may be the configuration of Hiera" in note


def test_the_command_line_reads_the_same_configuration_files():
    assert (configured.CONFIG_FILES, configured.TABLE) == (
        config_file.CONFIG_FILES,
        config_file.TABLE,
    )
