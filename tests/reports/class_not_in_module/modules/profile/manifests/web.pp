class profile::web { }
