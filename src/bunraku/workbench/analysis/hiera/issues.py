"""Findings in Hiera data that no other command reports."""

from __future__ import annotations

from bunraku.base.errors import Issue

DATA_UNKNOWN_PARAMETER = Issue(
    "HIERA_UNKNOWN_PARAMETER",
    "Nothing reads the key '{key}': {reference} has no parameter '{name}'",
)
DATA_KEY_UNUSED = Issue("HIERA_UNUSED_KEY", "Nothing reads the key '{key}'")
DATA_UNKNOWN_KEY = Issue(
    "HIERA_UNKNOWN_KEY", "No data has the key '{key}', so the interpolation is empty"
)
DATA_BAD_INTERPOLATION = Issue(
    "HIERA_BAD_INTERPOLATION", "The interpolation in {text!r} cannot be resolved: {reason}"
)
DATA_OPTIONS_UNUSED = Issue("HIERA_UNUSED_OPTIONS", "No data has the key of lookup_options '{key}'")
DATA_UNKNOWN_OPTION = Issue(
    "HIERA_UNKNOWN_OPTION", "Unknown option '{name}' in lookup_options of '{key}' is ignored"
)
DATA_FILE_UNUSED = Issue("HIERA_UNUSED_FILE", "No level of hiera.yaml reads this file")
DATA_NOT_DECRYPTED = Issue(
    "HIERA_NOT_DECRYPTED",
    "The value of '{key}' is encrypted, but level '{level}' does not open it: it uses {name}",
    hint="use 'lookup_key: eyaml_lookup_key'",
)
