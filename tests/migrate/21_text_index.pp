# Indexes and keys could be strings
# rules: text-index at 6, text-index at 7, text-index at 7
$list = ['a', 'b']
$which = '1'
$ports = { 80 => 'http' }
notify { "x ${list['0']}": }
notify { $list[$which]: message => $ports['80'] }
