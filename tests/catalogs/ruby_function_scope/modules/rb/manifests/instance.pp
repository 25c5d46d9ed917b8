define rb::instance() {
  $here = 'define'
  Notify { loglevel => debug }
  rb::plain("from ${title}")
  rb::scoped("from ${title}")
  rb_old("from ${title}")
}
