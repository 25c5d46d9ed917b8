firewalld_direct_purge { ['chain', 'rule', 'passthrough']: }
