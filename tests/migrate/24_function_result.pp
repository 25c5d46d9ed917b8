# Functions accepted any argument
# rules: function-result at 4
$text = undef
$parts = split($text, ',')
$sure = split('a,b', ',')
notify { "x ${sure[1]}": }
