"""The resource type ``puppet_agent_end_run``."""
