function rb::puppet($t) {
  notify { "puppet ${t}": }
  notice($t)
}
