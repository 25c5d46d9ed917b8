include profle::web
