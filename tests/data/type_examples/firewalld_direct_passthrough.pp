firewalld_direct_passthrough { '-A OUTPUT -j OUTPUT_filter': }
