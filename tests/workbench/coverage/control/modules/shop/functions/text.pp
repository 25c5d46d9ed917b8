function shop::text($value) {                  #= ran
  with($value) |$it| {                         #= ran
    case $it {                                 #= ran
      'plain': { next('plain') }               #= ran
      default: { "not plain: ${it}" }          #= ran
    }
  }
}
