"""What translated Ruby functions use besides plain values: contexts of Hiera, files, parsers, logs."""
