# digest() used MD5
# rules: digest-algorithm at 3
$sum = digest('text')
notify { "sum ${sum}": }
