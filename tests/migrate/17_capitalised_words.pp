# A capitalised word was a string
# rules: capitalised-words at 3
$family = Debian
notify { "family ${family}": }
