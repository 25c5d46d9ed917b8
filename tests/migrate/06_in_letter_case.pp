# 'in' was case-sensitive
# rules: in-letter-case at 4, in-letter-case at 5, in-letter-case at 6
$names = ['Web', 'DB']
if 'web' in $names { notify { 'array': } }
if 'web' in 'My Website' { notify { 'text': } }
if !('KEY' in { 'key' => 1 }) { notify { 'hash': } }
if 'DB' in $names { notify { 'exact': } }
