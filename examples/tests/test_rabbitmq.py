"""Files of one class, found by their type."""

import re


def test_rabbitmq(compile):
    catalog = compile("rabbitmq")
    assert catalog.contains("Package[rabbitmq-server]").that_comes_before(
        "Class[rabbitmq::service]"
    )
    for file in catalog.by_type("File"):
        assert file["owner"] in {0, "0", "root"}, file


def test_port(compile):
    catalog = compile("rabbitmq", params={"port": 5671})
    assert catalog.contains("File[rabbitmq-env.config]", content=re.compile("NODE_PORT=5671"))
