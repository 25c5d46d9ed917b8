type M::Small = Integer[0, 9]
