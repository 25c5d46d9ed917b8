"""What the template functions refuse."""

from __future__ import annotations

from bunraku.errors import Issue

EPP_PARAMETERS = Issue("RUNTIME_ERROR", "{name} {text}")
TEMPLATE_NOT_FOUND = Issue("RUNTIME_ERROR", "Could not find template '{name}'")
ERB_NEEDS_RUBY = Issue(
    "ERB_NEEDS_RUBY", "{name} is ERB, which only Ruby can render; bunraku does not run Ruby yet"
)
