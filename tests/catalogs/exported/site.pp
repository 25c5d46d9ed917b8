@@notify { 'exported': message => 'e', tag => 'ex' }
@@file { '/exported': content => 'x' }
define d { @@notify { "from ${name}": } notify { "plain ${name}": } }
d { 'x': }
@@d { 'exported d': }
