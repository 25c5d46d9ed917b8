# search() added namespaces
# rules: removed-function at 5, relative-names at 6
class lib::part { notify { 'part': } }
class user_of_lib {
  search('lib')
  include part
}
include user_of_lib
