class app::web { notify { 'web': } }
