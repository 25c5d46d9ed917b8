"""Examine a machine or a site: certificates, permissions, disks, agent, server, database, environments."""
