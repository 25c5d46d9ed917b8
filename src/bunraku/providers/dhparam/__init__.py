"""The resource type ``dhparam`` of the module openssl: files with parameters of Diffie and Hellman."""
