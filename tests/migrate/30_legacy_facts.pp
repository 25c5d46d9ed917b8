# Agents sent legacy facts
# facts: {"osfamily": "Debian", "os": {"family": "Debian"}, "ipaddress": "192.0.2.1", "networking": {"ip": "192.0.2.1"}}
# rules: legacy-facts at 4, legacy-facts at 5
if $::osfamily == 'Debian' { notify { 'debian': } }
notify { "at ${ipaddress}": }
