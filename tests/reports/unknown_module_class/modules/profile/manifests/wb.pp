define profile::wb { }
