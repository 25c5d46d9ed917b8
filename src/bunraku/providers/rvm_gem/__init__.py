"""The resource type ``rvm_gem``."""
