# A person.
#
# @summary A person.
# @param name The name.
# @param [Integer] age The age.
# @param lost Not declared.
#
# @!method greet(other)
#   Greets.
#   @param other [String] whom
#   @param surplus too many
#   @return [Boolean] whether
#
# @!method rename
#   Renames.
#
# @!method unknown
#   Not declared.
#
# @example Make one
#   Person('a', 1)
Puppet::DataTypes.create_type('Person') do
  interface <<-PUPPET
    attributes => {
      name => { type => String[1, 20], value => 'nobody' },
      age => Integer,
      tags => { type => Array[Optional[String]], value => ['a', 1, -2, true] },
      kind => { type => Enum['a', 'b'], kind => derived },
      size => { value => 2.5 },
    },
    functions => {
      greet => Callable[[String], Boolean],
      rename => Callable[[String[1], Optional[Integer]], String],
      plain => Callable[[], Undef],
      none => Callable[String],
    }
  PUPPET

  load_file 'x'
  implementation_class Person
end

# No interface.
DataTypes.create_type("Empty") { }
Puppet::DataTypes.create_type('Broken') do
  interface 'attributes => {'
end
