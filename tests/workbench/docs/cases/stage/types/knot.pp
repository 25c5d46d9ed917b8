# @summary A knot.
# @param a no
type Stage::Knot = Variant[
  Enum['reef', 'bowline'],
  Struct[{
    name           => String[1],
    Optional[size] => Integer[ 1 , 9 ],
  }]
]
