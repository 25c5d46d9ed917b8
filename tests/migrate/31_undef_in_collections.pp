# undef in an array was the word undef in the catalog.
# rules: undef-in-collections at 4
notify { 'some':
  message => ['a', undef],
}
