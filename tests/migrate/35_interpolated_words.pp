# A number in ${} read the variable of that name
# rules: interpolated-words at 4
$one = 'one'
notify { "<${1 == 1}> ${one}": }
