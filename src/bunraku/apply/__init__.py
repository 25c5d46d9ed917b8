"""Applying a catalog to this machine: order, changes, events, report and state."""
