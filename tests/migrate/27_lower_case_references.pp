# References could be lower-case
# rules: lower-case-references at 4
notify { 'first': }
notify { 'second': require => notify['first'] }
