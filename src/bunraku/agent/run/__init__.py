"""One run of an agent, in steps: environment, facts, catalog, changes, report."""
