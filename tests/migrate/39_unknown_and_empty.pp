# An unknown variable was equal to the empty string
# rules: unknown-variable at 3, empty-string-is-undef at 3
if $nobody_sets_it == '' { notify { 'unset': } }
