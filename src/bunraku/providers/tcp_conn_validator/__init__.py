"""The resource type ``tcp_conn_validator`` of the module healthcheck: servers that must answer."""
