function rb::calls($t) {
  rb::plain($t)
  rb::scoped($t)
  rb_old($t)
}
