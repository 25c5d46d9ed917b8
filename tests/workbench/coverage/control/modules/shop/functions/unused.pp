function shop::unused {                        #= missed
  fail('never')                                #= missed
}
