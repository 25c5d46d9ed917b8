# Arrays in strings were joined
# rules: array-to-string at 4, array-to-string at 5
$parts = ['a', ['b', 'c']]
notify { "parts ${parts}": }
notify { "more $parts": message => "first ${parts[0]}" }
