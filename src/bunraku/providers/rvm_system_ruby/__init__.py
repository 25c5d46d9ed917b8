"""The resource type ``rvm_system_ruby``."""
