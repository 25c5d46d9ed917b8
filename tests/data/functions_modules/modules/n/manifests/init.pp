class n { include m::inner }
