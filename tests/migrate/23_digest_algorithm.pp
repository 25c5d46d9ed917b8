# digest() made an MD5 sum.
# rules: digest-algorithm at 3
$sum = digest('text')
notify { "sum ${sum}": }
