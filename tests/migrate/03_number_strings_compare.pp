# Numeric strings were compared as numbers
# rules: number-strings-compare at 4, number-strings-compare at 5, number-strings-compare at 6
$version = '10'
if $version > 9 { notify { 'new': } }
if $version == 10 { notify { 'ten': } }
if '1.0' == '1.00' { notify { 'same': } }
if $version == '10' { notify { 'text': } }
