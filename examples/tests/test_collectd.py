"""Plugins of a class."""


def test_collectd(compile):
    catalog = compile("collectd")
    assert catalog.contains("Package[collectd]")
    assert catalog.contains("Service[collectd]", enable=True)


def test_purged_configuration(compile):
    catalog = compile("collectd", params={"purge_config": True, "purge": True, "recurse": True})
    assert catalog.contains("File[collectd.d]", purge=True, recurse=True)
