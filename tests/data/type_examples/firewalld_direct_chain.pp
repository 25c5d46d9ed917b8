firewalld_direct_chain { 'ipv4:filter:LOG_DROPS': }
