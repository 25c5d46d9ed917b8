function mymod::greet(String $who, String $how = mymod::how()) >> String { "${how} ${who}" }
