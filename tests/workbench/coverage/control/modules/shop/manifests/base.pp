class shop::base {                             #= ran
}
