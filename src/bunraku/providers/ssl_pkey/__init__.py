"""The resource type ``ssl_pkey`` of the module openssl: private keys."""
