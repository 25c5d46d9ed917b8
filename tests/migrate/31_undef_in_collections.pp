# undef in an array became the word undef
# rules: undef-in-collections at 4
notify { 'some':
  message => ['a', undef],
}
