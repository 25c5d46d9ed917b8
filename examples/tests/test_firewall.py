"""Resource types of a module that are written in Ruby."""


def test_firewall(compile):
    catalog = compile("firewall")
    assert catalog.contains("Package[iptables-persistent]").that_comes_before(
        "Service[netfilter-persistent]"
    )


def test_rule(compile):
    catalog = compile("firewall", post="firewall { '100 ssh': dport => 22, proto => 'tcp' }")
    assert catalog.contains("Firewall[100 ssh]", dport=22, proto="tcp", source=None)
