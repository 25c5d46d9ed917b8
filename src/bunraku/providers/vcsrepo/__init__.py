"""The resource type ``vcsrepo`` of the module vcsrepo: copies of repositories."""
