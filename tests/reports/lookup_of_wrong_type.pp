notice(lookup('x', Integer))
