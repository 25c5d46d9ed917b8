"""The resource type ``puppetdb_conn_validator`` of the module puppetdb: a PuppetDB that must answer."""
