class m($x = 1) { notify { 'in m': message => $x } }
