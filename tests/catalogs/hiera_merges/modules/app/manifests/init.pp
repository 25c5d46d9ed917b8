class app (String $name_ = "none", Hash $opts = {}, Integer $size) { notify { "app ${size} ${opts}": } }
