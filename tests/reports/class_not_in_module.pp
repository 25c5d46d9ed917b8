include profile::wbe
