"""The directory of an authority, without the code of certificates."""

from __future__ import annotations

import os


def default_cadir(confdir: str, ssldir: str = "") -> str:
    """Return the directory of the authority beside ``confdir``; that of Puppet 6 if it is in use."""
    old = os.path.join(ssldir or os.path.join(confdir, "ssl"), "ca")
    if os.path.isdir(old) and not os.path.islink(old) and "$" not in old:
        return old
    return os.path.join(os.path.dirname(confdir.rstrip("/")), "puppetserver", "ca")
