# Numeric strings were numbers in arithmetic
# rules: numeric-strings-arithmetic at 4, numeric-strings-arithmetic at 5
$count = '4'
$double = $count * 2
$negative = -$count
$sum = 1 + 2
notify { "${double} ${negative} ${sum}": }
