notify { 'The profile was applied': }
