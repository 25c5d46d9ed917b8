"""A module that was written for Puppet 3: its language is chosen with an option."""

import pytest

pytestmark = pytest.mark.puppet(settings={"strict_variables": False, "strict": "warning"})


def test_server(compile):
    catalog = compile("mongodb::server")
    assert catalog.contains("Class[mongodb::server::install]")
    assert catalog.contains("Class[mongodb::server::service]").that_requires(
        "Class[mongodb::server::config]"
    )


def test_client(compile):
    assert compile("mongodb::client", pre="include mongodb::server").contains(
        "Class[mongodb::client]"
    )
