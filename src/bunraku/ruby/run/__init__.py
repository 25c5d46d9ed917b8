"""Objects of translated Ruby functions besides plain values: contexts of Hiera, files, parsers, logs."""
