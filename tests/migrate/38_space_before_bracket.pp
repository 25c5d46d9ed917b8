# A space was allowed before the bracket of a reference
# rules: space-before-bracket at 4
notify { 'first': }
notify { 'second': require => [Notify ['first'], Notify['third']] }
notify { 'third': }
