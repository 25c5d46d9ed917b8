class app::common { notify { 'common': } }
