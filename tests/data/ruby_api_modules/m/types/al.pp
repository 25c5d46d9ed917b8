type M::Al = Enum['x','y']
