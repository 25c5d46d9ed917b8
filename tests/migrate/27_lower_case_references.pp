# References could be written in small letters.
# rules: lower-case-references at 4
notify { 'first': }
notify { 'second': require => notify['first'] }
