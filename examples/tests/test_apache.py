"""Modules, virtual hosts, and code before the subject."""

import re

import pytest

INCLUDED = {"pre": "include apache"}


def test_apache(compile):
    catalog = compile("apache")
    assert catalog.compiles()
    assert catalog.contains("Package[httpd]", name="apache2")
    assert catalog.contains("Service[httpd]", name="apache2").that_requires("Package[httpd]")
    assert catalog.contains("File[/etc/apache2/apache2.conf]").that_notifies("Service[httpd]")
    assert catalog.contains("Apache::Vhost[default]", port="80")


def test_without_default_vhost(compile):
    assert compile("apache", params={"default_vhost": False}).contains(
        "Apache::Vhost[default]", ensure="absent"
    )


@pytest.mark.puppet("apache::mod::ssl", **INCLUDED)
def test_ssl(catalog):
    assert catalog.contains("Apache::Mod[ssl]")
    assert catalog.contains("File[ssl.conf]", content=re.compile("SSLProtocol"))
    assert catalog.contains("Class[apache::mod::socache_shmcb]")


@pytest.mark.puppet("apache::mod::rewrite", **INCLUDED)
def test_rewrite(catalog):
    assert catalog.contains("Apache::Mod[rewrite]")
    assert catalog.contains("File[rewrite.load]").that_notifies("Class[apache::service]")


@pytest.mark.puppet("apache::mod::status", **INCLUDED)
def test_status(catalog):
    assert catalog.contains("File[status.conf]", content=re.compile("ExtendedStatus On"))


@pytest.mark.parametrize("name", ["headers", "expires"])
def test_modules_without_parameters(compile, name):
    assert compile(f"apache::mod::{name}", **INCLUDED).contains(f"Apache::Mod[{name}]")


def test_proxy_http_needs_proxy(compile):
    with compile.raises(re.escape("Class[Apache::Mod::Proxy]")):
        compile("apache::mod::proxy_http", **INCLUDED)
    both = compile("apache::mod::proxy_http", pre="include apache, apache::mod::proxy")
    assert both.contains("Apache::Mod[proxy_http]").that_requires("Class[apache::mod::proxy]")


def test_vhost(compile):
    catalog = compile(
        define="apache::vhost",
        title="www.example.com",
        params={"port": 8080, "docroot": "/srv/www", "docroot_mode": "0750"},
        pre="include apache",
    )
    assert catalog.contains("File[/srv/www]", ensure="directory", mode="0750")
    assert catalog.contains("Apache::Listen[8080]")
    assert catalog.contains("Concat[25-www.example.com.conf]").that_notifies(
        "Class[apache::service]"
    )
