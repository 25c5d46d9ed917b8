"""Order within one class."""


def test_xinetd(compile):
    catalog = compile("xinetd")
    assert catalog.compiles()
    assert catalog.contains("Package[xinetd]").that_comes_before("Service[xinetd]")
    assert catalog.contains("File[/etc/xinetd.conf]").that_notifies("Service[xinetd]")
