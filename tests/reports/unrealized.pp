@user { 'alice': }
realize(User['alise'])
