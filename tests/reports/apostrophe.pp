notify { it's: }
notice('it's')
$x = 1
notice(2 3)
