# A bare word with a capital was text.
# rules: capitalised-words at 3
$family = Debian
notify { "family ${family}": }
