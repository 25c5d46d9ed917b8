"""Errors of lookups as Puppet reports them."""

from __future__ import annotations

from bunraku.base.errors import PuppetError
from bunraku.hiera.issues import UNDEFINED_VARIABLE
from bunraku.runtime.error_places import in_puppet_code


def take_place(error: PuppetError) -> None:
    """Note that Puppet reports no place for an error of a lookup, unless it is in Puppet code.

    An unknown variable is not an error of the lookup there, but of the call.
    """
    form = error.diagnostic.in_puppet.form
    if form == "evaluated" and not error.is_a(UNDEFINED_VARIABLE) and not in_puppet_code(error):
        error.having_in_puppet(form="unplaced")
