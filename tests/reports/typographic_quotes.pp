notice(“x”)
$b = ‘y’
