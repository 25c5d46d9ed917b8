class app(Strng $name_ = 'x', Integer $port = 80) { }
include app
