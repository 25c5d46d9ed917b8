notice("a ${facts[os} b")
