"""A defined type that writes a unit."""


def test_systemd(compile):
    assert compile("systemd").contains("Service[systemd-journald]", ensure="running")


def test_unit(compile):
    catalog = compile(
        define="systemd::unit_file",
        title="app.service",
        params={"content": "[Unit]\nDescription=App\n", "enable": True, "active": True},
        pre="include systemd",
    )
    assert catalog.contains("File[/etc/systemd/system/app.service]", mode="0444")
    assert catalog.contains("Service[app.service]", ensure=True, enable=True)
    assert not catalog.warnings
