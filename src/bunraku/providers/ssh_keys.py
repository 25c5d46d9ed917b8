"""The lines of ``authorized_keys`` files."""

from __future__ import annotations

import re

KINDS = (
    "ssh-dss",
    "ssh-rsa",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "ssh-ed25519",
    "sk-ecdsa-sha2-nistp256@openssh.com",
    "sk-ssh-ed25519@openssh.com",
    "ssh-rsa-cert-v01@openssh.com",
    "ssh-ed25519-cert-v01@openssh.com",
    "ssh-dss-cert-v01@openssh.com",
    "ecdsa-sha2-nistp256-cert-v01@openssh.com",
    "ecdsa-sha2-nistp384-cert-v01@openssh.com",
    "ecdsa-sha2-nistp521-cert-v01@openssh.com",
)
"""The key types."""
KIND_ALIASES = {
    "dsa": "ssh-dss",
    "ed25519": "ssh-ed25519",
    "rsa": "ssh-rsa",
    "ecdsa-sk": "sk-ecdsa-sha2-nistp256@openssh.com",
    "ed25519-sk": "sk-ssh-ed25519@openssh.com",
}
KEY_LINE = re.compile(
    rf"^(?:(.+)\s+)?({'|'.join(map(re.escape, (*KINDS, 'ecdsa-sk', 'ed25519-sk')))})\s+([^ ]+)\s*(.*)$"
)
"""The options, key type, key and comment of a line."""
