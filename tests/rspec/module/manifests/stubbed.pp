# Calls a function that only the spec defines.
class things::stubbed {
  notify { stubbed_by_spec('a'): }
}
