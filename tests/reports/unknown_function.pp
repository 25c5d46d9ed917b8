$who = 'web'
notice(upcas($who))
