# An array in a string was its elements without gaps.
# rules: array-to-string at 4, array-to-string at 5
$parts = ['a', ['b', 'c']]
notify { "parts ${parts}": }
notify { "more $parts": message => "first ${parts[0]}" }
