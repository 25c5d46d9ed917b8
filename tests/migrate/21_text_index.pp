# Indexes could be text, and keys were text.
# rules: text-index at 5, text-index at 6, text-index at 7
$list = ['a', 'b']
$which = '1'
notify { "x ${list['0']}": }
notify { $list[$which]: message => 'second' }
