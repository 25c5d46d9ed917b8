# Resource defaults that a function sets are those of the top scope.
function other::defaults() {
  Notify { withpath => true }
  notify { 'with the default of the function': }
}
