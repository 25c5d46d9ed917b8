# Titles could be numbers
# rules: title-kinds at 3, title-kinds at 4
notify { 1: }
notify { 'two': require => Notify[1] }
