"""The resource type ``x509_request`` of the module openssl: requests for certificates."""
