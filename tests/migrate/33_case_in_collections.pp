# Arrays were compared case-sensitively
# rules: case-in-collections at 5
$here = ['A']
$there = ['a']
if $here == $there { notify { 'equal': } } else { notify { 'different': } }
