# Unknown variables were undef
# rules: unknown-variable at 3, unknown-variable at 4
notify { "[${missing}]": }
if $::absent { notify { 'never': } }
