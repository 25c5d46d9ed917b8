"""How to start a dashboard on a PuppetDB."""

from __future__ import annotations

from collections.abc import Sequence

from bunraku.cli.output.output import write
from bunraku.web.listeners import Listener

PUPPETBOARD = """\
A dashboard on it:
  pip install puppetboard
  PUPPETBOARD_SETTINGS=docker_settings.py PUPPETDB_HOST={host} PUPPETDB_PORT={port} \\
      SECRET_KEY=demo ENABLE_CATALOG=true flask --app puppetboard.app run
"""


def describe_dashboard(listeners: Sequence[Listener]) -> None:
    """Print how to start a dashboard on a server that answers at the first address."""
    host, port = listeners[0].socket.getsockname()[:2]
    write(PUPPETBOARD.format(host=host, port=port))
