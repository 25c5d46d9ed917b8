"""The resource type ``mysql_login_path`` of the module mysql: logins in ``.mylogin.cnf``."""
