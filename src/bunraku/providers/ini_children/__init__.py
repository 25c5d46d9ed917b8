"""The types of modules whose provider inherits that of ``ini_setting`` or ``openstack_config``."""
