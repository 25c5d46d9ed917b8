class rb {
  $here = 'class'
  Notify { loglevel => debug }
  notice(rb::plain('from a class'))
  rb::plain('with a lambda') |$x| { notify { "lambda ${x} ${here}": } }
  rb::scoped('from a class')
  rb_old('from a class')
  rb::calls('from a function')
}
