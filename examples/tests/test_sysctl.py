"""A resource of another type for each instance."""


def test_base(compile):
    assert compile("sysctl::base").contains("File[/etc/sysctl.conf]")


def test_value(compile):
    catalog = compile(define="sysctl::value", title="vm.swappiness", params={"value": "10"})
    assert catalog.contains("Sysctl[vm.swappiness]", val="10")
    assert catalog.contains("Sysctl_runtime[vm.swappiness]").that_requires("Sysctl[vm.swappiness]")
