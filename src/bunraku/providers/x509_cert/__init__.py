"""The resource type ``x509_cert`` of the module openssl: certificates."""
