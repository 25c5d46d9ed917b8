"""The resource type ``notify``: a message in the log."""
