# A bare word could begin with a digit
# rules: words-with-digits at 3
$place = 2nd
notify { "the ${place}": }
