define m::d($p = 'q', Integer $n = 1) { notify { "d ${title}": message => "${p} ${n}" } }
