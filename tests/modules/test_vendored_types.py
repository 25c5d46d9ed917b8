"""Resource types that are modules since Puppet 6, and when they are known without such a module."""

from __future__ import annotations

import pytest

from bunraku.base.errors import PuppetError
from bunraku.engine.compile import compile_catalog
from bunraku.engine.request import Request
from bunraku.modules.vendored import IN_EVERY_PACKAGING
from bunraku.world.dictionary import DictionaryWorld

AGENT_PACKAGE = "/opt/puppetlabs/puppet/vendor_modules"
TYPE = b"Puppet::Type.newtype(:yumrepo) do newparam(:name) { isnamevar } end"


def is_known(name, *, files=(), language="8", settings=None, **fields):
    """Whether a resource of a type can be declared."""
    world = DictionaryWorld(dict.fromkeys(files, b"") if isinstance(files, tuple) else files)
    code = f"{name} {{ 'x': }}"
    request = Request(code=code, world=world, language=language, settings=settings or {}, **fields)
    try:
        compile_catalog(request, print)
    except PuppetError as error:
        if error.message != f"Unknown resource type: '{name}'":
            raise
        return False
    return True


ENVIRONMENT = {"settings": {"environmentpath": "/e"}}
FILE = "/e/production/environment.conf"
DEBIAN = tuple(f"/e/production/modules/{name}/lib/x" for name in IN_EVERY_PACKAGING)


def test_a_bare_modulepath_has_what_every_packaging_brings():
    assert is_known("cron")
    assert is_known("sshkey", modulepath=["/m"])
    assert not is_known("yumrepo")
    assert not is_known("nagios_host")


def test_environments_have_what_agent_packages_bring():
    assert is_known("cron", files=(FILE,), **ENVIRONMENT)
    assert is_known("yumrepo", files=(FILE,), **ENVIRONMENT)
    assert is_known("zpool", files=("/r/environment.conf",), environment_directory="/r")
    assert is_known("zone", files=("/x/metadata.json",), modules={"x": "/x"})


def test_an_environment_that_has_the_modules_itself_has_no_others():
    assert not is_known("yumrepo", files=(FILE, *DEBIAN), **ENVIRONMENT)
    assert is_known("yumrepo", files=(FILE, *DEBIAN[1:]), **ENVIRONMENT)


@pytest.mark.parametrize("name", ["cron", "yumrepo"])
def test_the_setting_decides(name):
    assert is_known(name, settings={"vendormoduledir": AGENT_PACKAGE})
    assert not is_known(name, settings={"vendormoduledir": ""})
    assert not is_known(name, settings={"vendormoduledir": "/usr/share/puppet/vendor_modules"})
    settings = {"environmentpath": "/e", "vendormoduledir": ""}
    assert not is_known(name, files=(FILE,), settings=settings)


def test_modules_of_the_directory_count():
    files = {"/v/yumrepo_core/lib/puppet/type/yumrepo.rb": TYPE}
    assert is_known("yumrepo", files=files, settings={"vendormoduledir": "/v"})
    assert not is_known("cron", files=files, settings={"vendormoduledir": "/v"})


def test_the_type_of_a_module_comes_first():
    code = b"Puppet::Type.newtype(:cron) do newparam(:own) { isnamevar } end"
    world = DictionaryWorld({"/m/mine/lib/puppet/type/cron.rb": code})
    request = Request(code="cron { 'x': own => 1 }", world=world, modulepath=["/m"])
    assert compile_catalog(request, print).resources[-1].title == "x"


def test_puppet_3_has_them_all_in_itself():
    for name in ("cron", "yumrepo", "nagios_host", "mailalias"):
        assert is_known(name, language="3.8"), name


def test_the_error_names_the_module():
    with pytest.raises(PuppetError) as raised:
        compile_catalog(Request(code="yumrepo { 'x': }", world=DictionaryWorld({})), print)
    assert "yumrepo_core" in (raised.value.diagnostic.hint or "")
