notify { 'from the other file': }
