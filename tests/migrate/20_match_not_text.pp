# Any value could be matched
# rules: match-not-text at 5, match-not-text at 6
$release = 6
$nothing = undef
if $release =~ /^6/ { notify { 'six': } }
if $nothing =~ /^$/ { notify { 'nothing': } }
